"""The tasks of remote bots: checks that were asked for; and what the sweep looks after."""

from __future__ import annotations

from bots_api.services import pull


def sweep() -> int:
    """Throw away old messages."""
    pull.sweep()
    return 0
