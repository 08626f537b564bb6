"""Phrases that were said at a table. They are no events of the game and take no event's number."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from games.models import Phrase, Player

PHRASES: Final = (
    "hello",
    "good_luck",
    "well_played",
    "nice_one",
    "oops",
    "thanks",
    "sorry",
    "take_your_time",
    "one_moment",
    "good_game",
    "goodbye",
)
SHOWN: Final = 20


def phrases(game_id: UUID, after: int = 0) -> list[dict[str, Any]]:
    """The last phrases with an id above `after`, the oldest first."""
    said = Phrase.objects.filter(game=game_id, pk__gt=after).order_by("-pk")[:SHOWN]
    return [phrase_wire(phrase) for phrase in reversed(said)]


def phrase_wire(phrase: Phrase) -> dict[str, Any]:
    """One phrase as JSON."""
    return {
        "id": phrase.pk,
        "seat": phrase.seat,
        "phrase": phrase.code,
        "said_at": phrase.said_at,
    }


def mutes(player_id: int | None) -> bool:
    """Whether a player wants to hear none."""
    return player_id is not None and (
        Player.objects.filter(pk=player_id, mutes_phrases=True).exists()
    )
