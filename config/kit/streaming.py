"""What answers that stay open have in common: the hub, reading threads, one shape of a reply.

The dispatcher serves them; knows no noun of the product.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from django.http import HttpRequest
from rest_framework import exceptions

from config.kit.hub import Hub
from config.kit.threads import Readers


class Closing(Protocol):
    """What has to be ended with the process."""

    async def close(self) -> None:
        """End it."""


Kept = TypeVar("Kept", bound=Closing)


@dataclass(frozen=True)
class Shared:
    """What all streams of one process share; made and closed in its event loop."""

    hub: Hub = field(default_factory=Hub)
    readers: Readers = field(default_factory=Readers)
    # Set when the process is told to end: open answers end, and readers come again.
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    _kept: dict[object, Closing] = field(default_factory=dict)

    def one(self, make: Callable[[Shared], Kept]) -> Kept:
        """The one object that `make` makes for this process."""
        if make not in self._kept:
            self._kept[make] = make(self)
        return self._kept[make]  # type: ignore[return-value]

    async def close(self) -> None:
        """End listening and reading."""
        for kept in self._kept.values():
            await kept.close()
        await self.hub.close()
        await self.readers.close()


class Reply(NamedTuple):
    """An answer in pieces; the last one may never come."""

    content_type: str
    chunks: AsyncGenerator[bytes, None]
    status: int = 200


# Raises what an API view may raise before it has replied.
Stream = Callable[[HttpRequest, Shared], Awaitable[Reply]]


class Route(NamedTuple):
    """Which GETs a stream answers: those of a path that ask for a media type, "" for any."""

    path: re.Pattern[str]
    stream: Stream
    accept: str = ""

    def takes(self, scope: MutableMapping[str, Any]) -> bool:
        """Whether this request is one of them."""
        if scope["method"] != "GET" or not self.path.fullmatch(scope.get("path", "")):
            return False
        asked = b",".join(value for name, value in scope["headers"] if name == b"accept")
        return self.accept.encode() in asked.lower()


def resumed_from(request: HttpRequest, digits: int, expected: str) -> int | None:
    """The number in `Last-Event-ID`, which a browser sends by itself when it comes again. Raises
    `ValidationError`, saying what was `expected`, for anything but up to so many digits."""
    given = request.headers.get("Last-Event-ID", "")
    if not given:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", given):
        raise exceptions.ValidationError({"Last-Event-ID": [expected]})
    return int(given)
