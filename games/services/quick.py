"""Quick games: sit down at once with whoever wants the same; house bots come after 20 seconds.

Who sits down here is ready by that, so that the last one's coming deals the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from config.kit import receipts
from games.engine import packs_needed
from games.engine.rules import ChallengeMode
from games.errors import FirstNeedsPeopleError
from games.models import Game, Player, Seat
from games.services import forming
from games.services.forming import PERSON, Placed, Plan
from games.services.lobby import check_entropy
from games.services.players import house_player
from games.services.progress import Progress

WAIT: Final = timedelta(seconds=20)
FILLED_WITH: Final = "cautious"


def quick_game(
    player: Player, plan: Plan, entropy: str = "", receipt: receipts.Draft | None = None
) -> Placed:
    """A seat in an open public game of these rules, seats and clock, or in a new one.

    Raises `EntropyTooLongError`, `FirstNeedsPeopleError`, `RulesError`, `BadSeatsError`.
    """
    check_entropy(entropy)
    forming.check(plan)
    packs_needed(plan.rules, len(plan.seats))
    if plan.rules.challenge_mode is ChallengeMode.FIRST:
        raise FirstNeedsPeopleError("House bots may come: the first to challenge can't count.")
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(UUID(outcome["game"]), outcome["seat"])
        _one_at_a_time(plan)
        placed = _waiting(player, plan) or _seated(player, plan, entropy)
        receipts.keep(receipt, {"game": str(placed.game_id), "seat": placed.seat})
        return placed


def fill(game_id: UUID) -> Progress:
    """Let house bots take the seats that are still free, and deal."""
    with transaction.atomic(durable=True):
        due = Game.objects.filter(state=Game.State.FORMING, fill_at__lte=Now(), pk=game_id)
        game = due.select_for_update().first()
        if game is None:
            return Progress()
        bot = house_player(FILLED_WITH)
        for seat in Seat.objects.filter(game=game, player=None).order_by("index"):
            forming.sit(seat, bot)
        return _deal_if_ready(game)


def _one_at_a_time(plan: Plan) -> None:
    """Who wants the same at the same moment comes after, and finds the game of the first."""
    wanted = f"{plan.rules.hash} {len(plan.seats)} {plan.clock}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 11))", [wanted])


def _waiting(player: Player, plan: Plan) -> Placed | None:
    """The quick game that the player waits in already."""
    mine = Seat.objects.filter(player=player, game__in=_open(plan).exclude(fill_at=None))
    seat = mine.order_by("-game_id").first()
    return None if seat is None else Placed(seat.game_id, seat.index)


def _seated(player: Player, plan: Plan, entropy: str) -> Placed:
    game = _fitting(player, plan) or _new(player, plan)
    seats = forming.seats_of(game.pk)
    own = forming.own_seat(seats, player.pk)
    if own is None:
        own = forming.free_seat(seats, player)
        forming.sit(own, player)
    Seat.objects.filter(pk=own.pk).update(ready_at=Now(), entropy=entropy)
    return Placed(game.pk, own.index, _deal_if_ready(game))


def _open(plan: Plan) -> QuerySet[Game]:
    clock: Mapping[str, Any] = plan.clock
    forms = Game.objects.filter(
        kind=Game.Kind.EVENTED, state=Game.State.FORMING, visibility=Game.Visibility.PUBLIC
    )
    return forms.filter(rules__hash=plan.rules.hash, players=len(plan.seats), **clock)


def _fitting(player: Player, plan: Plan) -> Game | None:
    """The game that has waited longest: a quick one, or one that only misses this player."""
    seats = Seat.objects.filter(game=OuterRef("pk"))
    counted = _open(plan).annotate(
        unready=Count("seats", filter=Q(seats__ready_at=None)),
        free=Count("seats", filter=Q(seats__player=None, seats__invited=None)),
    )
    wanted = counted.filter(Q(fill_at__isnull=False, free__gte=1) | Q(unready=1, free=1))
    ids = wanted.exclude(Exists(seats.filter(player=player))).values("pk")
    oldest = Game.objects.filter(pk__in=ids, state=Game.State.FORMING).order_by("created_at", "pk")
    return oldest.select_for_update(skip_locked=True).first()


def _new(player: Player, plan: Plan) -> Game:
    own = plan.seats.index(PERSON)
    seated = [player if index == own else None for index in range(len(plan.seats))]
    game = forming.store(player, plan, seated)
    Game.objects.filter(pk=game.pk).update(fill_at=Now() + WAIT)
    return game


def _deal_if_ready(game: Game) -> Progress:
    forming.settle_state(game)
    if Seat.objects.filter(Q(player=None) | Q(ready_at=None), game=game).exists():
        return Progress()
    return forming.deal(game)
