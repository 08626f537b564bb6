"""A broker's bad day: every task is delivered two to five times at once.

Messages of the usual queue are moved to the one the worker reads, each in so many copies.
"""

from __future__ import annotations

import json
import random
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

FROM: Final = "celery"
TO: Final = "doubled"


class Doubling:
    """`sent` counts messages, `delivered` their copies."""

    def __init__(self, broker: str, seed: int) -> None:
        self._redis = Redis(unix_socket_path=broker.removeprefix("redis+socket://"))
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self.sent = self.delivered = 0

    def run(self) -> None:
        """Until it is stopped."""
        while not self._stop.is_set():
            try:
                found = self._redis.brpop([FROM], timeout=1)
            except RedisError:
                continue
            if found:
                self._deliver(json.loads(found[1]))

    def stop(self) -> None:
        """No more."""
        self._stop.set()

    def _deliver(self, message: dict[str, Any]) -> None:
        times = self._chance.randint(2, 5)
        self.sent += 1
        self.delivered += times
        copies = []
        for _ in range(times):
            # The same task; only the broker's own mark of a delivery is another.
            message["properties"]["delivery_tag"] = str(uuid.uuid4())
            copies.append(json.dumps(message))
        self._redis.lpush(TO, *copies)


@contextmanager
def doubling(broker: str, seed: int) -> Iterator[Doubling]:
    """Double whatever is sent, in a thread."""
    made = Doubling(broker, seed)
    thread = threading.Thread(target=made.run)
    thread.start()
    try:
        yield made
    finally:
        made.stop()
        thread.join()
