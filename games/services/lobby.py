"""Games of people from the invitation to the deal: create, join, leave, ready.

Owns seats before the cards; what is played after is `moves`. Every function is one durable
transaction under the game's lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from config.kit import receipts
from games.engine import HOUSE_RULES, Rules, packs_needed, rules_from
from games.errors import (
    AlreadyReadyError,
    EntropyTooLongError,
    NotYourSeatError,
    TableSeatError,
    UnknownHouseRuleError,
)
from games.models import Player, Seat
from games.queries.rules_cards import rules_wire
from games.services import dealing, forming
from games.services.endings import void_game
from games.services.forming import PERSON, Placed, Plan
from games.services.progress import Progress

__all__ = ["Placed", "Plan", "create_game", "join", "leave", "ready", "rules_for"]


def rules_for(preset: str, options: Mapping[str, object], house_rules: Sequence[str] = ()) -> Rules:
    """The rules of a preset with house rules by name, then options.

    Raises `RulesError`, `UnknownHouseRuleError`.
    """
    chosen: dict[str, object] = {}
    for name in house_rules:
        if name not in HOUSE_RULES:
            raise UnknownHouseRuleError(f"There is no house rule “{name}”.", house_rule=name)
        chosen |= HOUSE_RULES[name]
    return rules_from(preset, {**chosen, **options})


def create_game(creator: Player, plan: Plan, receipt: receipts.Draft | None = None) -> Placed:
    """Make a game; the creator takes its first free seat.

    Raises `BadSeatsError`, `FirstNeedsPeopleError` and `RulesError` before anything is stored.
    """
    forming.check(plan)
    packs_needed(plan.rules, len(plan.seats))
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(UUID(outcome["game"]), outcome["seat"])
        preset = rules_wire(plan.rules)["preset"]
        seated = [forming.machine(ref, creator, preset) for ref in plan.seats]
        own = plan.seats.index(PERSON)
        seated[own] = creator
        game = forming.store(creator, plan, seated)
        forming.settle_state(game)
        receipts.keep(receipt, {"game": str(game.pk), "seat": own})
        return Placed(game.pk, own)


def join(
    game_id: UUID,
    player: Player,
    seat: int | None = None,
    receipt: receipts.Draft | None = None,
    code: str = "",
) -> Placed:
    """Take a free seat: the one that is named or kept for the player, else the first; a seat that
    one has stays. A private game of others needs its code.

    Raises `GameFullError`, `NotFormingError`, `GameNotFoundError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(game_id, outcome["seat"])
        game, seats = forming.locked(game_id, player, code)
        found = forming.own_seat(seats, player.pk)
        if found is None:
            found = forming.free_seat(seats, player, seat)
            forming.sit(found, player)
        forming.settle_state(game)
        receipts.keep(receipt, {"seat": found.index})
        return Placed(game_id, found.index)


def leave(game_id: UUID, player: Player, receipt: receipts.Draft | None = None) -> Placed:
    """Give one's seat up before the deal, or the one that is kept for oneself; a game that nobody
    is left in is called off.

    Raises `TableSeatError` at a competition's table.
    """
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return Placed(game_id, None)
        game, seats = forming.locked(game_id, player)
        own = forming.own_seat(seats, player.pk)
        kept = Seat.objects.filter(game=game_id, invited=player).update(invited=None)
        if own is None and not kept:
            raise NotYourSeatError("You have no seat in this game.")
        if game.table_ref is not None:
            raise TableSeatError("A seat at a competition's table is not given up here.")
        if own is not None:
            Seat.objects.filter(pk=own.pk).update(
                player=None, joined_at=None, ready_at=None, entropy=""
            )
        if all(seat.agent_ref or seat.player_id in (None, player.pk) for seat in seats):
            void_game(game_id, "everybody_left")
        else:
            forming.settle_state(game)
        receipts.keep(receipt, {})
        return Placed(game_id, None)


def ready(
    game_id: UUID, player: Player, entropy: str = "", receipt: receipts.Draft | None = None
) -> Placed:
    """Say that one is ready, with entropy for the deck; the last one's word deals the cards.

    Who was away at the deal before has his seat back by it. Raises `EntropyTooLongError`,
    `AlreadyReadyError` (other entropy given before), `NotYourSeatError`, `NotFormingError`.
    """
    check_entropy(entropy)
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(game_id, outcome["seat"])
        game, seats = forming.locked(game_id, player)
        own = forming.own_seat(seats, player.pk)
        if own is None or own.resigned_at is not None:
            raise NotYourSeatError("You have no seat in this game.")
        if own.ready_at is not None and own.entropy != entropy:
            raise AlreadyReadyError("You were ready before, with other entropy.")
        Seat.objects.filter(pk=own.pk).update(ready_at=Now(), entropy=entropy, stand_in_at=None)
        awaited = [seat for seat in seats if not (seat.ready_at or seat.stand_in_at)]
        waits = any(seat.pk != own.pk for seat in awaited)
        progress = Progress() if waits else forming.deal(game)
        receipts.keep(receipt, {"seat": own.index})
        return Placed(game_id, own.index, progress)


def check_entropy(entropy: str) -> None:
    """Raise `EntropyTooLongError` for more than a seat may give."""
    if len(entropy.encode()) > dealing.ENTROPY_BYTES:
        raise EntropyTooLongError("Entropy has at most 64 bytes.", field="entropy")
