"""Games of people from the invitation to the deal: create, join, leave, ready.

Owns seats before the cards; what is played after is `moves`. Every function is one durable
transaction under the game's lock.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from config.kit import receipts
from games.engine import HOUSE_RULES, Rules, rules_from
from games.engine.rules import ChallengeMode
from games.errors import (
    AlreadyReadyError,
    BadSeatsError,
    EntropyTooLongError,
    FirstNeedsPeopleError,
    GameFullError,
    GameNotFoundError,
    NotFormingError,
    NotYourSeatError,
    TableSeatError,
    UnknownHouseRuleError,
)
from games.models import Deck, Game, Player, Seat
from games.queries.played import is_outsider
from games.queries.rules_cards import rules_wire
from games.services import dealing, rules_cards
from games.services.decks import new_deck
from games.services.endings import void_game
from games.services.players import house_player
from games.services.progress import Progress

PERSON = ""
FEWEST, MOST = 2, 6


@dataclass(frozen=True)
class Plan:
    """What a new game is to be. `seats` in order: "" is free, "house:lowest" a house bot,
    "bot:17" a remote bot."""

    rules: Rules
    seats: Sequence[str]
    move_ms: int = 60_000
    bank_ms: int = 300_000
    visibility: Game.Visibility = Game.Visibility.PUBLIC


class Placed(NamedTuple):
    """A player's seat in a game, and what followed from it. `seat` is None for who left."""

    game_id: UUID
    seat: int | None
    progress: Progress = Progress()


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
    _check(plan)
    deck = new_deck(plan.rules, len(plan.seats))
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(UUID(outcome["game"]), outcome["seat"])
        preset = rules_wire(plan.rules)["preset"]
        seated = [_machine(ref, creator, preset) for ref in plan.seats]
        deck.save(force_insert=True)
        game = _store(creator, plan, deck)
        own = plan.seats.index(PERSON)
        seated[own] = creator
        Seat.objects.bulk_create(_seat(game, index, player) for index, player in enumerate(seated))
        _settle_state(game)
        receipts.keep(receipt, {"game": str(game.pk), "seat": own})
        return Placed(game.pk, own)


def join(
    game_id: UUID, player: Player, seat: int | None = None, receipt: receipts.Draft | None = None
) -> Placed:
    """Take a free seat, the first one unless one is named; a seat that one has stays.

    Raises `GameFullError`, `NotFormingError`, `GameNotFoundError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(game_id, outcome["seat"])
        game, seats = _locked(game_id, player)
        found = _own(seats, player.pk) or _free(seats, seat)
        if found.player_id is None:
            found.player = player
            Seat.objects.filter(pk=found.pk).update(player=player, joined_at=Now())
        _settle_state(game)
        receipts.keep(receipt, {"seat": found.index})
        return Placed(game_id, found.index)


def leave(game_id: UUID, player: Player, receipt: receipts.Draft | None = None) -> Placed:
    """Give one's seat up before the deal; a game that nobody is left in is called off.

    Raises `TableSeatError` at a competition's table.
    """
    with transaction.atomic(durable=True):
        if receipts.repeated(receipt) is not None:
            return Placed(game_id, None)
        game, seats = _locked(game_id, player)
        own = _own(seats, player.pk)
        if own is None:
            raise NotYourSeatError("You have no seat in this game.")
        if game.table_ref is not None:
            raise TableSeatError("A seat at a competition's table is not given up here.")
        Seat.objects.filter(pk=own.pk).update(
            player=None, joined_at=None, ready_at=None, entropy=""
        )
        if all(seat.agent_ref or seat.player_id in (None, player.pk) for seat in seats):
            void_game(game_id, "everybody_left")
        else:
            _settle_state(game)
        receipts.keep(receipt, {})
        return Placed(game_id, None)


def ready(
    game_id: UUID, player: Player, entropy: str = "", receipt: receipts.Draft | None = None
) -> Placed:
    """Say that one is ready, with entropy for the deck; the last one's word deals the cards.

    Who was away at the deal before has his seat back by it. Raises `EntropyTooLongError`,
    `AlreadyReadyError` (other entropy given before), `NotYourSeatError`, `NotFormingError`.
    """
    if len(entropy.encode()) > dealing.ENTROPY_BYTES:
        raise EntropyTooLongError("Entropy has at most 64 bytes.", field="entropy")
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Placed(game_id, outcome["seat"])
        game, seats = _locked(game_id, player)
        own = _own(seats, player.pk)
        if own is None or own.resigned_at is not None:
            raise NotYourSeatError("You have no seat in this game.")
        if own.ready_at is not None and own.entropy != entropy:
            raise AlreadyReadyError("You were ready before, with other entropy.")
        Seat.objects.filter(pk=own.pk).update(ready_at=Now(), entropy=entropy, stand_in_at=None)
        awaited = [seat for seat in seats if not (seat.ready_at or seat.stand_in_at)]
        progress = Progress() if any(seat.pk != own.pk for seat in awaited) else _deal(game)
        receipts.keep(receipt, {"seat": own.index})
        return Placed(game_id, own.index, progress)


def _check(plan: Plan) -> None:
    if not FEWEST <= len(plan.seats) <= MOST:
        raise BadSeatsError("A game has 2 to 6 seats.", field="seats")
    if PERSON not in plan.seats:
        raise BadSeatsError("A game of house bots alone has no seat for you.", field="seats")
    bots = [ref for ref in plan.seats if ref.startswith("bot:")]
    if len(set(bots)) < len(bots):
        raise BadSeatsError("A bot has one seat in a game.", field="seats")
    if plan.rules.challenge_mode is ChallengeMode.FIRST and any(plan.seats):
        raise FirstNeedsPeopleError("The first to challenge counts only among people.")


def _machine(ref: str, creator: Player, preset: str) -> Player | None:
    """The player of a machine's seat, None for a free one.

    Whether a bot plays with this creator says the layer above (`settings.SEAT_INVITES`).
    """
    kind, _, name = ref.partition(":")
    if kind == "house":
        return house_player(name)
    if not ref:
        return None
    bot = Player.objects.filter(kind=Player.Kind.BOT, agent_ref=ref).first()
    if bot is None:
        raise BadSeatsError(f"There is no bot “{ref}”.", field="seats")
    import_string(settings.SEAT_INVITES[kind])(bot, creator, preset)
    return bot


def _store(creator: Player, plan: Plan, deck: Deck) -> Game:
    return Game.objects.create(
        kind=Game.Kind.EVENTED,
        visibility=plan.visibility,
        rules=rules_cards.stored(plan.rules),
        deck=deck,
        players=len(plan.seats),
        # Who deals matters a little, so chance decides; whoever likes may see it before joining.
        dealer=secrets.randbelow(len(plan.seats)),
        created_by=creator,
        move_ms=plan.move_ms,
        bank_ms=plan.bank_ms,
    )


def _seat(game: Game, index: int, player: Player | None) -> Seat:
    machine = player is not None and player.agent_ref != ""
    return Seat(
        game=game,
        index=index,
        player=player,
        entrant=index,
        agent_ref=player.agent_ref if player is not None else "",
        bank_ms=game.bank_ms,
        joined_at=Now() if player is not None else None,
        ready_at=Now() if machine else None,
    )


def _locked(game_id: UUID, player: Player) -> tuple[Game, list[Seat]]:
    """A game that still forms, under its lock, and its seats. A private one of others is none."""
    game = Game.objects.select_for_update().filter(pk=game_id, kind=Game.Kind.EVENTED).first()
    seats = list(Seat.objects.filter(game=game_id).order_by("index"))
    if game is None or is_outsider(game, seats, player.pk):
        raise GameNotFoundError("There is no such game.")
    if game.state not in (Game.State.FORMING, Game.State.READY):
        raise NotFormingError("The cards have been dealt.", state=game.state)
    return game, seats


def _own(seats: Sequence[Seat], player_id: int) -> Seat | None:
    return next((seat for seat in seats if seat.player_id == player_id), None)


def _free(seats: Sequence[Seat], index: int | None) -> Seat:
    for seat in seats:
        if seat.player_id is None and index in (None, seat.index):
            return seat
    raise GameFullError("No such seat is free.", free=[s.index for s in seats if not s.player_id])


def _settle_state(game: Game) -> None:
    """`forming` while a seat is free, else `ready`."""
    free = Seat.objects.filter(game=game, player=None).exists()
    state = Game.State.FORMING if free else Game.State.READY
    Game.objects.filter(pk=game.pk).update(state=state)


def _deal(game: Game) -> Progress:
    dealing.deal([game])
    return dealing.start_clocks(game.pk)
