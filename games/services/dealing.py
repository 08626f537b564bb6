"""From a table that is ready to a game in play: entropy closed, cards dealt, clocks started.

Before this no card exists; after it nobody can change the deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from config.kit.clock import ClockTimestamp
from games.models import Deck, Game, Seat
from games.services import decks
from games.services.locked import lock
from games.services.progress import Progress

ENTROPY_BYTES = 64


def deal_driven(game_id: UUID, owner: str, fence: int, entropies: Mapping[int, str]) -> bool:
    """Deal a leased driven game with the entropy of its seats; False if it was not ours to deal.

    Entropy longer than 64 bytes counts as none: a bot's slip must not stop a table.
    """
    with transaction.atomic(durable=True):
        leased = Game.objects.filter(pk=game_id, lease_owner=owner, lease_fence=fence)
        row = leased.filter(state=Game.State.READY).select_for_update().first()
        if row is None:
            return False
        seats = list(row.seats.order_by("index"))
        for seat in seats:
            seat.entropy = _kept(entropies.get(seat.index, ""))
        Seat.objects.bulk_update(seats, ["entropy"])
        deal(row)
        return True


def deal(row: Game) -> None:
    """Close the deck's entropy and start the game; the caller holds the row's lock."""
    deck = Deck.objects.select_for_update().get(pk=row.deck_id)
    given = dict(row.seats.values_list("entrant", "entropy"))
    decks.deal(deck, given)
    Game.objects.filter(pk=row.pk).update(
        state=Game.State.PLAYING,
        started_at=ClockTimestamp(),
        turn_at=ClockTimestamp(),
        head=bytes(deck.commitment),
    )


def start_clocks(game_id: UUID) -> Progress:
    """Set the first deadline of a game of people that was dealt in this transaction."""
    locked = lock(game_id)
    Game.objects.filter(pk=game_id).update(
        turn_at=locked.row.started_at,
        deadline_at=locked.deadline(),
        due_at=locked.now if locked.agents_due() else None,
    )
    return locked.progress()


def _kept(entropy: str) -> str:
    fits = len(entropy.encode("utf-8", "replace")) <= ENTROPY_BYTES
    return entropy if fits and "\0" not in entropy else ""
