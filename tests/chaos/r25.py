"""R25: a dashboard follows a tournament while the web process is killed and its connection cut."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.chaos import SEED, Proof
from tests.chaos.theatre import (
    PATIENCE_S,
    Theatre,
    cast,
    is_over,
    opened,
    settled,
    theatre,
    wait_for,
)
from tests.league.stream.reader import Reader

GOAL = "every ledger row exactly once, in order"
BREAKS: Final = 20


@dataclass
class Dashboard:
    """Reads on after the last row it has, however often it is cut off; `ids` in order of coming."""

    made: Theatre
    cup: Mapping[str, Any]
    ids: list[int] = field(default_factory=list)
    hashes: dict[int, str] = field(default_factory=dict)
    opened: int = 0
    last: int | None = None
    reader: Reader | None = None

    def run(self) -> None:
        """Until it has the last row."""
        give_up = time.monotonic() + PATIENCE_S
        while not self.whole and time.monotonic() < give_up:
            with contextlib.suppress(OSError, ValueError):
                self._read()
            time.sleep(0.05)

    @property
    def whole(self) -> bool:
        """Whether the last row has come."""
        return self.last is not None and bool(self.ids) and self.ids[-1] >= self.last

    def cut(self) -> None:
        """As a network would, without a word."""
        if self.reader is not None and self.reader.connection.sock is not None:
            with contextlib.suppress(OSError):
                self.reader.connection.sock.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        header = {"Last-Event-ID": str(self.ids[-1])} if self.ids else {}
        self.reader = Reader(self.made.stack.address, self.cup["id"], **header)
        self.opened += 1
        with contextlib.closing(self.reader) as reader:
            while not self.whole and (frame := reader.next()) is not None:
                if frame.id is not None:
                    self.ids.append(frame.id)
                    self.hashes[frame.id] = frame.data["hash"]


def prove(port: int, games: int = 200, breaks: int = BREAKS) -> Proof:
    """Half of the breaks kill the web process, half cut the connection; `port` is not asked."""
    chance = random.Random(SEED)
    with theatre() as made:
        who = cast(made)
        cup = opened(made, who, "Followed", games)
        dashboard = Dashboard(made, cup)
        thread = threading.Thread(target=dashboard.run)
        thread.start()
        for number in range(breaks):
            time.sleep(chance.uniform(0.3, 1.5))
            if number % 2:
                dashboard.cut()
            else:
                made.kill("web")
                made.start("web")
        wait_for(lambda: is_over(made, cup), PATIENCE_S, "it does not end")
        settled(made, cup)
        with made.database() as connection:
            rows = connection.execute(
                "SELECT seq, encode(hash, 'hex') FROM league_ledgerrow WHERE competition_id = %s "
                "ORDER BY seq",
                [cup["id"]],
            ).fetchall()
        dashboard.last = rows[-1][0]
        dashboard.cut()
        thread.join()
    once = dashboard.ids == [seq for seq, _ in rows]
    figure = (
        f"{len(rows)} rows of a tournament of {games} games; {breaks} breaks "
        f"({(breaks + 1) // 2} web processes killed, {breaks // 2} connections cut), "
        f"{dashboard.opened} streams: {len(dashboard.ids)} rows came, "
        f"{'each once and in order' if once else 'NOT each once and in order'}"
    )
    return Proof(figure, GOAL, once and dashboard.hashes == dict(rows))
