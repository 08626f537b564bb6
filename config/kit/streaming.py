"""What answers that stay open have in common: the hub, reading threads, one shape of a reply.

The dispatcher serves them; knows no noun of the product.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from django.http import HttpRequest

from config.kit.hub import Hub
from config.kit.threads import Readers


@dataclass(frozen=True)
class Shared:
    """What all streams of one process share; made and closed in its event loop."""

    hub: Hub = field(default_factory=Hub)
    readers: Readers = field(default_factory=Readers)

    async def close(self) -> None:
        """End listening and reading."""
        await self.hub.close()
        await self.readers.close()


class Reply(NamedTuple):
    """An answer in pieces; the last one may never come."""

    content_type: str
    chunks: AsyncIterator[bytes]


# Raises what an API view may raise before it has replied.
Stream = Callable[[HttpRequest, Shared], Awaitable[Reply]]
