"""Claiming driven games and reading them into memory; runs in a database thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from config.kit import leases
from config.kit.clock import ClockTimestamp
from games.driver.live import Live, LiveSeat
from games.engine import Rules
from games.models import Game, Seat
from games.queries import replayed, rules_of
from games.services.dealing import Dealing, deal_driven

LIVE_STATES = [Game.State.READY, Game.State.PLAYING]


class Claimed(NamedTuple):
    """A leased game; `live` is None until it is dealt."""

    game_id: UUID
    owner: str
    fence: int
    rules: Rules
    dealer: int
    competition: str | None
    commitment: bytes
    seats: list[LiveSeat]
    live: Live | None


def driven() -> QuerySet[Game]:
    """The rows that the driver may work on."""
    return Game.objects.filter(kind=Game.Kind.DRIVEN, state__in=LIVE_STATES)


def claim(owner: str, limit: int) -> list[Claimed]:
    """Lease and read up to `limit` driven games that are due."""
    won = leases.claim(driven(), owner, limit)
    return _read(driven(), owner, {lease.pk: lease.fence for lease in won})


def evented() -> QuerySet[Game]:
    """Games at which a person sits and that are being played."""
    return Game.objects.filter(kind=Game.Kind.EVENTED, state=Game.State.PLAYING)


def claim_evented(game_id: UUID, owner: str) -> Claimed | None:
    """Lease and read one game of people; None if it isn't due or somebody asks already."""
    won = leases.claim(evented().filter(pk=game_id), owner, 1)
    read = _read(evented(), owner, {lease.pk: lease.fence for lease in won})
    return read[0] if read else None


def begin(dealings: Sequence[Dealing]) -> list[Live | None]:
    """Deal many leased games and read them; None for one that is another's by now."""
    ours = [one for one, dealt in zip(dealings, deal_driven(dealings), strict=True) if dealt]
    live: dict[UUID, Live | None] = {}
    for owner in {one.owner for one in ours}:
        fences = {one.game_id: one.fence for one in ours if one.owner == owner}
        live |= {read.game_id: read.live for read in _read(driven(), owner, fences)}
    return [live.get(one.game_id) for one in dealings]


def _read(rows: QuerySet[Game], owner: str, fences: Mapping[UUID, int]) -> list[Claimed]:
    """Read games that `owner` holds under these fencing numbers: two queries for any number."""
    rows = rows.filter(pk__in=fences, lease_owner=owner).order_by("due_at", "pk")
    rows = rows.select_related("rules", "deck").prefetch_related("seats")
    found = list(rows.annotate(now=ClockTimestamp())) if fences else []
    return [_claimed(row) for row in found if row.lease_fence == fences[row.pk]]


def _claimed(game: Game) -> Claimed:
    seats = [_seat(row) for row in sorted(game.seats.all(), key=lambda row: row.index)]
    return Claimed(
        game_id=game.id,
        owner=game.lease_owner,
        fence=game.lease_fence,
        rules=rules_of(game),
        dealer=game.dealer,
        competition=None if game.competition_ref is None else str(game.competition_ref),
        commitment=bytes(game.deck.commitment),
        seats=seats,
        live=_live(game, seats) if game.started_at is not None else None,
    )


def _live(game: Game, seats: list[LiveSeat]) -> Live:
    assert game.started_at is not None
    now: datetime = game.now  # type: ignore[attr-defined]  # annotated in `_read`
    return Live(
        game_id=game.id,
        owner=game.lease_owner,
        fence=game.lease_fence,
        rules=rules_of(game),
        competition=None if game.competition_ref is None else str(game.competition_ref),
        server_seed=bytes(game.deck.server_seed),
        head=bytes(game.head),
        move_ms=game.move_ms,
        seats=seats,
        game=replayed(game),
        waiting=frozenset(int(seat) for seat in game.pending),
        elapsed_ms=int((now - game.started_at).total_seconds() * 1000),
    )


def _seat(row: Seat) -> LiveSeat:
    return LiveSeat(
        index=row.index,
        agent_ref=row.agent_ref,
        bank_ms=row.bank_ms,
        faults=row.faults,
        stand_in=row.stand_in_at is not None,
    )
