"""A bot behind a URL in the arena: woken, asked, asked once more where a connection fails."""

import os
import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

from games.arena.stdio import PROTOCOL, NoBotError, Said
from games.arena.webhook import Answered, BadUrlError, WebhookBot

_WAKING_S: Final = 20.0
_WORTH_A_RETRY: Final = frozenset(("connect", "http_status"))


class CalledBot:
    """One bot's address. Raises `NoBotError` when it does not answer the first call."""

    ended = False

    def __init__(self, url: str) -> None:
        try:
            self._bot = WebhookBot(url, os.environ.get("HOUSUBOT_SECRET", "").split())
        except BadUrlError as error:
            raise NoBotError(str(error)) from None
        self._run = secrets.token_hex(8)
        """Begins all ids: a bot may answer an old id as it did then."""
        hello = self._bot.hello(_WAKING_S)
        if hello.reply is None or hello.reply.get("protocol") != PROTOCOL:
            self.close()
            why = hello.fault or f"it does not speak protocol {PROTOCOL}"
            raise NoBotError(f"{url}: no handshake: {why}")

    def ask(self, message: Mapping[str, Any], budget_ms: float) -> Said:
        """Send one message and wait for its answer at most so long."""
        message = {**message, "request_id": f"{self._run}/{message['request_id']}"}
        began = time.monotonic()
        answer = self._bot.ask(message, budget_ms / 1000)
        left = budget_ms / 1000 - (time.monotonic() - began)
        if _failed(answer) and left > 0:
            answer = self._bot.ask(message, left)
        fault, _, words = answer.fault.partition(": ")
        spent = (time.monotonic() - began) * 1000
        return Said(answer.reply, fault or None, spent, words or str(answer.reply or "")[:200])

    def close(self) -> None:
        """Hang up."""
        self._bot.close()


def _failed(answer: Answered) -> bool:
    """Whether the service would call once more: no connection, or a 5xx."""
    kind = answer.fault.partition(":")[0]
    return kind in _WORTH_A_RETRY and (answer.status or 500) >= 500
