"""Which games there are: open to join, of a player, overdue."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from config.kit.leases import claimable
from games.models import Game, Seat

SWEPT_AT_ONCE = 200
# So long a game of people waits for somebody to come or to say that he is ready.
OPEN_FOR = timedelta(days=2)
SLOW_OPEN_FOR = timedelta(days=14)
# So long a game that failed three times waits for somebody to mend the cause and let it go on
# (`manage.py quarantine --release`); then it is called off, so that its table does not wait for it.
PARDONED_WITHIN = timedelta(minutes=10)
_DRIVEN_STATES = (Game.State.READY, Game.State.PLAYING)


class Open(NamedTuple):
    """Which open games; None: whatever."""

    rules_hash: str | None = None
    players: int | None = None
    correspondence: bool | None = None


ANY = Open()


def open_games(wanted: Open = ANY) -> QuerySet[Game]:
    """Public games that wait for players, oldest first; seats, players and rules along."""
    found = Game.objects.filter(state=Game.State.FORMING, visibility=Game.Visibility.PUBLIC)
    if wanted.rules_hash is not None:
        found = found.filter(rules__hash=wanted.rules_hash)
    if wanted.players is not None:
        found = found.filter(players=wanted.players)
    if wanted.correspondence is not None:
        found = found.filter(move_days__isnull=not wanted.correspondence)
    return with_seats(found).order_by("created_at", "id")


def to_fill() -> list[UUID]:
    """Quick games that have waited long enough for people."""
    due = Game.objects.filter(state=Game.State.FORMING, fill_at__lte=Now())
    return list(due.order_by("fill_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def forgotten() -> list[UUID]:
    """Games of people whose cards nobody waits for any more: open for long, and nobody has come or
    said that he is ready of late. Those of competitions have times of their own."""
    waiting = Game.objects.filter(
        kind=Game.Kind.EVENTED,
        state__in=(Game.State.FORMING, Game.State.READY),
        table_ref=None,
        created_at__lt=Now() - OPEN_FOR,
    ).filter(Q(move_days=None) | Q(created_at__lt=Now() - SLOW_OPEN_FOR))
    late = Now() - OPEN_FOR
    came = Seat.objects.filter(Q(joined_at__gt=late) | Q(ready_at__gt=late), game=OuterRef("pk"))
    found = waiting.exclude(Exists(came)).order_by("created_at")
    return list(found.values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def to_mail() -> list[UUID]:
    """Games by correspondence in which those who are to act were not written to yet."""
    playing = Game.objects.filter(state=Game.State.PLAYING, move_days__isnull=False)
    behind = playing.filter(mailed_ply__lt=F("ply"))
    return list(behind.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def by_player(player_id: int) -> QuerySet[Game]:
    """The live and finished games in which a player has a seat, or one is kept for him, newest
    first."""
    mine = Seat.objects.filter(Q(player=player_id) | Q(invited=player_id)).values("game")
    return with_seats(Game.objects.filter(pk__in=mine)).order_by("-id")


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games with all that a row of a list shows."""
    return games.select_related("rules", "deck").prefetch_related("seats__player", "seats__invited")


def unsettled() -> list[UUID]:
    """Games that are over, or were abandoned at a table, and that not every listener heard of."""
    ended = Game.objects.filter(settled_at=None, ended_at__isnull=False)
    over = ended.filter(state=Game.State.OVER)
    abandoned = ended.filter(state=Game.State.VOID, table_ref__isnull=False)
    return [
        game_id
        for rows in (over, abandoned)
        for game_id in rows.order_by("ended_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    ]


def given_up() -> list[UUID]:
    """Driven games that nobody could go on with, and that nobody has pardoned since."""
    driven = Game.objects.filter(kind=Game.Kind.DRIVEN, state__in=_DRIVEN_STATES)
    stuck = driven.filter(lease_until__lt=Now() - PARDONED_WITHIN).exclude(quarantine_reason="")
    return list(stuck.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def driven_due() -> bool:
    """Whether a driven game waits for a driver."""
    driven = Game.objects.filter(kind=Game.Kind.DRIVEN, state__in=_DRIVEN_STATES)
    return driven.filter(claimable()).exists()


def evented_due() -> list[UUID]:
    """Games of people in which a clock has run out or an agent has not been asked."""
    playing = Game.objects.filter(kind=Game.Kind.EVENTED, state=Game.State.PLAYING)
    due = playing.filter(Q(deadline_at__lt=Now()) | claimable())
    return list(due.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
