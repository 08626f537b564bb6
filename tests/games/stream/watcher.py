"""One open event stream, read as a browser reads it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from games.models import Player, Token
from games.services import tokens


class Frame(NamedTuple):
    """One event of a stream; `id` None where it has none."""

    kind: str
    id: int | None
    data: Any


class Watcher:
    """A GET of `/games/{id}/events` that stays open."""

    def __init__(
        self, web: str, game_id: object, query: str = "", token: str = "", **headers: str
    ) -> None:
        parts = urlsplit(web)
        self.connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        sent = {"Accept": "text/event-stream", "X-Request-ID": "watched", **headers}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        self.connection.request("GET", f"/api/v1/games/{game_id}/events{query}", headers=sent)
        self.answer = self.connection.getresponse()
        self.seen: list[Frame] = []
        # Every byte but heartbeats.
        self.raw = ""

    @property
    def status(self) -> int:
        return self.answer.status

    def problem(self) -> Any:
        """The body of a refusal."""
        return json.loads(self.answer.read())

    def next(self) -> Frame | None:
        """The next event, None at the end of the stream; heartbeats are passed over."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            self.raw += line if fields or line[0] not in ":\n" else ""
            name, _, value = line.rstrip("\n").partition(": ")
            if line != "\n":
                fields[name] = value
            elif "data" in fields:
                number = int(fields["id"]) if "id" in fields else None
                self.seen.append(Frame(fields["event"], number, json.loads(fields["data"])))
                return self.seen[-1]
            else:
                fields = {}
        return None

    def until(self, kind: str) -> Frame:
        """The next event of a kind."""
        while (frame := self.next()) is not None and frame.kind != kind:
            pass
        assert frame is not None, f"the stream ended before a {kind}"
        return frame

    def until_ply(self, ply: int) -> Frame:
        """The first view at a ply, or later."""
        while (frame := self.until("view")).data["view"]["ply"] < ply:
            pass
        return frame

    def numbers(self) -> list[int]:
        """The numbers of the events so far."""
        return [frame.id for frame in self.seen if frame.id is not None]

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@contextlib.contextmanager
def watching(
    web: str, game_id: UUID, query: str = "", token: str = "", **headers: str
) -> Iterator[Watcher]:
    """A stream for the length of the block."""
    watcher = Watcher(web, game_id, query, token, **headers)
    try:
        yield watcher
    finally:
        watcher.close()


def token_of(player: Player) -> str:
    """A new token of a player."""
    return tokens.issue(player, [Token.Scope.PLAY, Token.Scope.READ]).text
