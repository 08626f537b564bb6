"""A dashboard that reads a competition's stream, and comes again where it was cut off."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Frame(NamedTuple):
    """One event; `id` None where it is told in passing."""

    kind: str
    id: int | None
    data: Any


class Reader:
    """One open GET of `/competitions/{id}/events`."""

    def __init__(self, web: str, competition_id: int, query: str = "", **headers: str) -> None:
        parts = urlsplit(web)
        self.connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        path = f"/api/v1/competitions/{competition_id}/events{query}"
        try:
            self.connection.request("GET", path, headers={"Accept": "text/event-stream", **headers})
            self.answer = self.connection.getresponse()
        except OSError:
            self.connection.close()
            raise
        self.status = self.answer.status

    def next(self) -> Frame | None:
        """The next event; None at the end, however it came."""
        fields: dict[str, str] = {}
        try:
            while line := self.answer.readline().decode():
                name, _, value = line.rstrip("\n").partition(": ")
                if line != "\n":
                    fields[name] = value
                elif "data" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    return Frame(fields["event"], number, json.loads(fields["data"]))
                else:
                    fields = {}
        except (OSError, HTTPException, ValueError):
            pass
        return None

    def until(self, kind: str) -> Frame:
        """The next event of a kind."""
        while (frame := self.next()) is not None and frame.kind != kind:
            pass
        assert frame is not None, f"the stream ended before a {kind}"
        return frame

    def rows(self, last: int) -> list[Frame]:
        """The numbered events up to that number."""
        found: list[Frame] = []
        while not found or found[-1].id != last:
            frame = self.next()
            assert frame is not None, "the stream ended"
            if frame.id is not None:
                found.append(frame)
        return found

    def problem(self) -> Any:
        """The body of a refusal."""
        return json.loads(self.answer.read())

    def close(self) -> None:
        """Cut it."""
        self.answer.close()
        self.connection.close()


@contextlib.contextmanager
def reading(web: str, competition_id: int, query: str = "", **headers: str) -> Iterator[Reader]:
    """A stream for the length of the block."""
    reader = Reader(web, competition_id, query, **headers)
    try:
        yield reader
    finally:
        reader.close()
