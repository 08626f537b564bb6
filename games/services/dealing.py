"""From a table that is ready to a game in play: entropy closed, cards dealt, clocks started.

Before this no card exists; after it nobody can change the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery

from config.kit.clock import ClockTimestamp
from config.kit.hub import notify
from games.models import Deck, Game, Seat
from games.services import decks
from games.services.locked import lock
from games.services.plies import CHANNEL
from games.services.progress import Progress

ENTROPY_BYTES = 64


class Dealing(NamedTuple):
    """A leased driven game to deal, with what its seats gave for the shuffle."""

    game_id: UUID
    owner: str
    fence: int
    entropies: Mapping[int, str]


def deal_driven(dealings: Sequence[Dealing]) -> list[bool]:
    """Deal many games in one transaction; False for those that were not ours to deal.

    Entropy longer than 64 bytes counts as none: a bot's slip must not stop a table.
    """
    wanted = {one.game_id: one for one in dealings}
    with transaction.atomic(durable=True):
        ready = Game.objects.filter(pk__in=wanted, state=Game.State.READY)
        locked = list(ready.select_for_update().order_by("pk"))
        rows = [row for row in locked if _holds(wanted[row.pk], row)]
        _keep_entropy(rows, wanted)
        deal(rows)
    dealt = {row.pk for row in rows}
    return [one.game_id in dealt for one in dealings]


def deal(rows: Sequence[Game]) -> None:
    """Close the decks' entropy and start the games; the caller holds the rows' locks."""
    given: dict[UUID, dict[int, str]] = {row.pk: {} for row in rows}
    for game_id, entrant, entropy in Seat.objects.filter(game__in=given).values_list(
        "game_id", "entrant", "entropy"
    ):
        given[game_id][entrant] = entropy
    decks.deal({row.deck_id: given[row.pk] for row in reversed(rows)})
    commitment = Deck.objects.filter(pk=OuterRef("deck_id")).values("commitment")
    Game.objects.filter(pk__in=given).update(
        state=Game.State.PLAYING,
        started_at=ClockTimestamp(),
        turn_at=ClockTimestamp(),
        head=Subquery(commitment),
    )


def start_clocks(game_id: UUID) -> Progress:
    """Set the first deadline of a game of people that was dealt in this transaction."""
    locked = lock(game_id)
    Game.objects.filter(pk=game_id).update(
        turn_at=locked.row.started_at,
        deadline_at=locked.deadline(),
        due_at=locked.now if locked.agents_due() else None,
    )
    # Who waits at the table hears of the deal at once.
    notify(CHANNEL, str(game_id))
    return locked.progress()


def _holds(dealing: Dealing, row: Game) -> bool:
    return (row.lease_owner, row.lease_fence) == (dealing.owner, dealing.fence)


def _keep_entropy(rows: Sequence[Game], wanted: Mapping[UUID, Dealing]) -> None:
    seats = list(Seat.objects.filter(game__in=rows))
    for seat in seats:
        seat.entropy = _kept(wanted[seat.game_id].entropies.get(seat.index, ""))
    Seat.objects.bulk_update([seat for seat in seats if seat.entropy], ["entropy"])


def _kept(entropy: str) -> str:
    fits = len(entropy.encode("utf-8", "replace")) <= ENTROPY_BYTES
    return entropy if fits and "\0" not in entropy else ""
