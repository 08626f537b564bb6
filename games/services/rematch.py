"""Rematch: the same table again, with a new deck; who lost the last one deals.

Who asks first makes the game and sits down; the seats of the others are kept for them. Whoever
asks after that sits down there.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from config.kit import receipts
from games.errors import GameNotFoundError, NoRematchError, NotYourSeatError
from games.models import Game, Player, Seat
from games.queries.played import is_outsider
from games.queries.replays import rules_of
from games.queries.rules_cards import rules_wire
from games.services import forming
from games.services.forming import Placed, Plan


def rematch(game_id: UUID, player: Player, receipt: receipts.Draft | None = None) -> Placed:
    """The player's seat in the rematch of a finished game, made when it is first asked for.

    Raises `NoRematchError`, `NotYourSeatError`, `NotFormingError` and what a bot of the table
    has against another game.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(UUID(outcome["game"]), outcome["seat"])
        old, seats = _finished(game_id, player)
        own = forming.own_seat(seats, player.pk)
        if own is None:
            raise NotYourSeatError("You had no seat in that game.")
        placed = _again(old, seats, own, player)
        receipts.keep(receipt, {"game": str(placed.game_id), "seat": placed.seat})
        return placed


def _finished(game_id: UUID, player: Player) -> tuple[Game, list[Seat]]:
    """A finished game of people under its lock. The rematch is locked after it and is newer, so
    that rows are locked in order of id."""
    rows = Game.objects.select_for_update(of=("self",)).select_related("rules")
    old, seats = rows.filter(pk=game_id).first(), forming.seats_of(game_id)
    if old is None or is_outsider(old, seats, player.pk):
        raise GameNotFoundError("There is no such game, or it ended long ago.")
    if old.kind != Game.Kind.EVENTED or old.competition_ref is not None:
        raise NoRematchError("Only games of people have a rematch.", state=old.state)
    if old.state != Game.State.OVER:
        raise NoRematchError("The game is not over.", state=old.state)
    return old, seats


def _again(old: Game, seats: list[Seat], own: Seat, player: Player) -> Placed:
    made = Game.objects.select_for_update().filter(rematch_of=old).first()
    if made is not None and made.state == Game.State.VOID:
        Game.objects.filter(pk=made.pk).update(rematch_of=None)
        made = None
    if made is None:
        return _make(old, seats, own, player)
    sitting = forming.seats_of(made.pk)
    there = forming.own_seat(sitting, player.pk)
    if there is not None:
        return Placed(made.pk, there.index)
    forming.locked(made.pk, player)
    there = forming.free_seat(sitting, player)
    forming.sit(there, player)
    forming.settle_state(made)
    return Placed(made.pk, there.index)


def _make(old: Game, seats: list[Seat], own: Seat, player: Player) -> Placed:
    plan = Plan(
        rules=rules_of(old),
        seats=[seat.agent_ref for seat in seats],
        move_ms=old.move_ms,
        bank_ms=old.bank_ms,
        visibility=Game.Visibility(old.visibility),
        move_days=old.move_days,
    )
    preset = rules_wire(plan.rules)["preset"]
    seated = [forming.machine(ref, player, preset) for ref in plan.seats]
    seated[own.index] = player
    game = forming.store(player, plan, seated, dealer=_loser(old))
    Game.objects.filter(pk=game.pk).update(rematch_of=old)
    for seat in seats:
        if seat.index != own.index and not seat.agent_ref:
            Seat.objects.filter(game=game, index=seat.index).update(invited=seat.player_id)
    forming.settle_state(game)
    return Placed(game.pk, own.index)


def _loser(old: Game) -> int:
    """Who deals next: the last; of several the first clockwise from the last dealer's left."""
    last = old.places[-1] if old.places else [old.dealer]
    return min(last, key=lambda seat: (seat - old.dealer - 1) % old.players)
