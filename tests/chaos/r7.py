"""R7: the broker is emptied five times and stopped for a minute, while a tournament is played."""

from __future__ import annotations

import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from redis import Redis

from tests.chaos import SEED, Proof
from tests.chaos.theatre import (
    PATIENCE_S,
    Cast,
    Theatre,
    calm,
    cast,
    is_over,
    opened,
    plays_on,
    settled,
    stored,
    theatre,
    wait_for,
)

GOAL = "all games end, extra delay <= 60 s; requests answered without error meanwhile; same"
EMPTIED: Final = 5
DELAY_S: Final = 60.0


@dataclass
class Asking:
    """Somebody who reads and writes all the while; what he was told, and how long it took."""

    made: Theatre
    who: Cast
    cup: Mapping[str, Any]
    statuses: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """A page, the dashboard, a new game and a word in it, in turn."""
        while not self._stop.wait(0.5):
            self._timed(lambda: self.made.stack.get(self._path("dashboard")))
            self._timed(self._play)

    def stop(self) -> None:
        """No more."""
        self._stop.set()

    def _path(self, name: str) -> str:
        return f"/api/v1/competitions/{self.cup['id']}/{name}"

    def _play(self) -> None:
        wish = {"preset": "classic", "seats": ["open", "house:lowest"]}
        game = self.made.stack.post("/api/v1/games", wish, self.who.token)
        self.made.stack.post(f"/api/v1/games/{game['id']}/ready", {}, self.who.token)

    def _timed(self, act: Any) -> None:
        began = time.monotonic()
        try:
            act()
            self.statuses.append("200")
        except urllib.error.HTTPError as error:
            self.statuses.append(str(error.code))
        except OSError as error:
            self.statuses.append(type(error).__name__)
        self.longest_s = max(self.longest_s, time.monotonic() - began)


@contextmanager
def _asking(made: Theatre, who: Cast, cup: Mapping[str, Any]) -> Iterator[Asking]:
    asking = Asking(made, who, cup)
    thread = threading.Thread(target=asking.run)
    thread.start()
    try:
        yield asking
    finally:
        asking.stop()
        thread.join()


def prove(port: int, games: int = 200, stopped_s: float = 60.0) -> Proof:
    """Play it undisturbed, then again; `port` is not asked."""
    chance = random.Random(SEED)
    with theatre() as made:
        who = cast(made)
        before = calm(made, who, games)
        cup = opened(made, who, "Disturbed", games)
        with _asking(made, who, cup) as asking:
            delays = [_stopped(made, cup, stopped_s)]
            for _ in range(EMPTIED):
                time.sleep(chance.uniform(0.5, 2.0))
                delays.append(_emptied(made, cup))
            wait_for(lambda: is_over(made, cup), PATIENCE_S, "it does not end")
        told = settled(made, cup)
    bad = {key: told[key] for key in ("lost", "doubled", "orphaned", "quarantined", "wrong")}
    wrong = [status for status in asking.statuses if status != "200"]
    same = told["fingerprint"] == before
    figure = (
        f"{told['games']} games, {told['driven']} of them driven; broker stopped for "
        f"{stopped_s:.0f} s and emptied {EMPTIED} times: play goes on after {max(delays):.1f} s at "
        f"most; {len(asking.statuses)} requests meanwhile, {len(wrong)} with an error, the longest "
        f"{asking.longest_s:.1f} s; {', '.join(f'{n} {name}' for name, n in bad.items())}; "
        f"{'same' if same else 'NOT the same'}"
    )
    holds = same and not wrong and not any(bad.values()) and max(delays) <= DELAY_S
    return Proof(figure, GOAL, holds)


def _stopped(made: Theatre, cup: Mapping[str, Any], seconds: float) -> float:
    """Stop it so long; how long after its return play goes on."""
    made.kill("broker")
    time.sleep(seconds)
    before = stored(made)
    made.start("broker")
    return _goes_on(made, cup, before)


def _emptied(made: Theatre, cup: Mapping[str, Any]) -> float:
    """Throw away all it holds; how long after that play goes on."""
    before = stored(made)
    url = made.stack.env["CELERY_BROKER_URL"]
    with Redis(unix_socket_path=url.removeprefix("redis+socket://")) as broker:
        broker.flushall()
    return _goes_on(made, cup, before)


def _goes_on(made: Theatre, cup: Mapping[str, Any], before: int) -> float:
    def goes_on() -> bool:
        made.keep_up()
        return plays_on(made, cup, before)

    return wait_for(goes_on, PATIENCE_S, "play does not go on")
