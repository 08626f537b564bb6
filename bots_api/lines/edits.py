"""Owners' changes to bots, heard of at once in every process that asks bots.

News say only that something was changed; whoever remembers how a bot is reached reads it anew.
"""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from bots_api.services.news import CHANNEL, EDITED
from config.kit.hub import Hub


class Edits:
    """`count` rises with each change of any bot, and whenever one may have been missed."""

    def __init__(self, hub: Hub) -> None:
        self.count = 0
        self._hub = hub
        self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Stop listening."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        with self._hub.watch(CHANNEL, EDITED) as news:
            while True:
                await news.wait()
                news.clear()
                self.count += 1


_heard: weakref.WeakKeyDictionary[Any, Edits] = weakref.WeakKeyDictionary()


def edits_of(egress: Any, hub: Hub) -> Edits:
    """What is heard in this client's loop; closed with it."""
    if egress not in _heard:
        _heard[egress] = edits = Edits(hub)
        egress.before_close(edits.close)
    return _heard[egress]
