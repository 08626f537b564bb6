"""Which games there are: open to join, of a player, overdue."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from config.kit.leases import claimable
from games.models import Game, Seat

SWEPT_AT_ONCE = 200


def open_games() -> QuerySet[Game]:
    """Public games that wait for players, oldest first; seats, players and rules along."""
    forming = Game.objects.filter(state=Game.State.FORMING, visibility=Game.Visibility.PUBLIC)
    return with_seats(forming).order_by("created_at", "id")


def by_player(player_id: int) -> QuerySet[Game]:
    """The live and finished games in which a player has a seat, newest first."""
    mine = Seat.objects.filter(player=player_id).values("game")
    return with_seats(Game.objects.filter(pk__in=mine)).order_by("-id")


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games with all that a row of a list shows."""
    return games.select_related("rules", "deck").prefetch_related("seats__player")


def unsettled() -> list[UUID]:
    """Games that are over and of which not every listener has heard."""
    over = Game.objects.filter(state=Game.State.OVER, settled_at=None, ended_at__isnull=False)
    return list(over.order_by("ended_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def driven_due() -> bool:
    """Whether a driven game waits for a driver."""
    states = [Game.State.READY, Game.State.PLAYING]
    driven = Game.objects.filter(kind=Game.Kind.DRIVEN, state__in=states)
    return driven.filter(claimable()).exists()


def evented_due() -> list[UUID]:
    """Games of people in which a clock has run out or an agent has not been asked."""
    playing = Game.objects.filter(kind=Game.Kind.EVENTED, state=Game.State.PLAYING)
    due = playing.filter(Q(deadline_at__lt=Now()) | claimable())
    return list(due.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
