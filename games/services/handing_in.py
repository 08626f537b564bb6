"""Answers that a bot hands in over the API, for the layer above that has put the question.

That layer says whether the answer came in time; its function is found by `settings.SEAT_ANSWERS`,
by the prefix of `Seat.agent_ref`.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from games.models import By


class HandedIn(NamedTuple):
    """What counts for the decision now; `action` is None for the default one: it was too late."""

    action: str | None
    by: By


def hand_in(
    agent_ref: str, game_id: UUID, seat: int, move_number: int, action: str
) -> HandedIn | None:
    """Hand a legal action in, inside the move's transaction; None if no question was put."""
    path = settings.SEAT_ANSWERS.get(agent_ref.partition(":")[0])
    if path is None:
        return None
    found: HandedIn | None = import_string(path)(game_id, seat, move_number, action)
    return found
