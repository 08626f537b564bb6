"""What processes tell each other of bots: the channel of the hub, and its keys.

News are hints: whoever is woken reads the rows.
"""

from __future__ import annotations

from typing import Final

from config.kit.hub import notify

CHANNEL: Final = "bots"
# The key for changes of any bot by its owner.
EDITED: Final = "edited"


def bot_key(bot_id: int) -> str:
    """The hub's key for a bot's new messages; a message's own key is its request id."""
    return f"bot-{bot_id}"


def slot_key(bot_id: int) -> str:
    """The hub's key for a bot that may take one more turn."""
    return f"slot-{bot_id}"


def edited() -> None:
    """Tell every process, with the caller's commit, that a bot is reached in another way now."""
    notify(CHANNEL, EDITED)


def tell(key: str) -> None:
    """Wake who waits for this key, with the caller's commit."""
    notify(CHANNEL, key)
