"""Claiming driven games and reading them into memory; runs in a database thread."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from config.kit import clock, leases
from games.driver.live import Live, LiveSeat
from games.engine import Rules
from games.models import Game, Seat
from games.queries import replayed, rules_of

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
    claimed = [load(lease.pk, owner, lease.fence) for lease in won]
    return [one for one in claimed if one is not None]


def evented() -> QuerySet[Game]:
    """Games at which a person sits and that are being played."""
    return Game.objects.filter(kind=Game.Kind.EVENTED, state=Game.State.PLAYING)


def claim_evented(game_id: UUID, owner: str) -> Claimed | None:
    """Lease and read one game of people; None if it isn't due or somebody asks already."""
    won = leases.claim(evented().filter(pk=game_id), owner, 1)
    return _read(evented(), game_id, owner, won[0].fence) if won else None


def load(game_id: UUID, owner: str, fence: int) -> Claimed | None:
    """Read a driven game that `owner` holds; None if it holds it no more."""
    return _read(driven(), game_id, owner, fence)


def _read(rows: QuerySet[Game], game_id: UUID, owner: str, fence: int) -> Claimed | None:
    rows = rows.select_related("rules", "deck").prefetch_related("seats")
    game = rows.filter(pk=game_id, lease_owner=owner, lease_fence=fence).first()
    if game is None:
        return None
    seats = [_seat(row) for row in sorted(game.seats.all(), key=lambda row: row.index)]
    rules = rules_of(game)
    return Claimed(
        game_id=game.id,
        owner=owner,
        fence=fence,
        rules=rules,
        dealer=game.dealer,
        competition=None if game.competition_ref is None else str(game.competition_ref),
        commitment=bytes(game.deck.commitment),
        seats=seats,
        live=_live(game, owner, fence, rules, seats) if game.started_at is not None else None,
    )


def _live(game: Game, owner: str, fence: int, rules: Rules, seats: list[LiveSeat]) -> Live:
    assert game.started_at is not None
    return Live(
        game_id=game.id,
        owner=owner,
        fence=fence,
        rules=rules,
        competition=None if game.competition_ref is None else str(game.competition_ref),
        server_seed=bytes(game.deck.server_seed),
        head=bytes(game.head),
        move_ms=game.move_ms,
        seats=seats,
        game=replayed(game),
        waiting=frozenset(int(seat) for seat in game.pending),
        elapsed_ms=int((clock.now() - game.started_at).total_seconds() * 1000),
    )


def _seat(row: Seat) -> LiveSeat:
    return LiveSeat(
        index=row.index,
        agent_ref=row.agent_ref,
        bank_ms=row.bank_ms,
        faults=row.faults,
        stand_in=row.stand_in_at is not None,
    )
