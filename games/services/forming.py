"""A table of people before the cards: how it is stored, locked and dealt; who may sit where.

Works inside the caller's transaction; what may be asked for is `lobby`, `quick`, `rematch`,
`invitations`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from config.kit import codes
from config.kit.hub import notify
from games.engine import Rules
from games.engine.rules import ChallengeMode
from games.errors import (
    BadSeatsError,
    FirstNeedsPeopleError,
    GameFullError,
    GameNotFoundError,
    NotFormingError,
)
from games.models import Deck, Game, Player, Seat
from games.queries.played import is_outsider
from games.services import dealing, rules_cards
from games.services.decks import new_deck
from games.services.players import house_player
from games.services.plies import CHANNEL
from games.services.progress import Progress

PERSON = ""
FEWEST, MOST = 2, 6
DAY_MS: Final = 24 * 3600 * 1000
# 80 bits are not guessed.
_CODE_LENGTH: Final = 16


@dataclass(frozen=True)
class Plan:
    """What a new game is to be. `seats` in order: "" is free, "house:lowest" a house bot,
    "bot:17" a remote bot. With `move_days` it is played by correspondence."""

    rules: Rules
    seats: Sequence[str]
    move_ms: int = 60_000
    bank_ms: int = 300_000
    visibility: Game.Visibility = Game.Visibility.PUBLIC
    move_days: int | None = None

    @property
    def clock(self) -> dict[str, int | None]:
        """The columns of the clock."""
        if self.move_days is None:
            return {"move_ms": self.move_ms, "bank_ms": self.bank_ms, "move_days": None}
        return {"move_ms": self.move_days * DAY_MS, "bank_ms": 0, "move_days": self.move_days}


class Placed(NamedTuple):
    """A player's seat in a game, and what followed from it. `seat` is None for who left."""

    game_id: UUID
    seat: int | None
    progress: Progress = Progress()


def check(plan: Plan) -> None:
    """Refuse a plan that makes no game, before anything is stored."""
    if not FEWEST <= len(plan.seats) <= MOST:
        raise BadSeatsError("A game has 2 to 6 seats.", field="seats")
    if PERSON not in plan.seats:
        raise BadSeatsError("A game of house bots alone has no seat for you.", field="seats")
    bots = [ref for ref in plan.seats if ref.startswith("bot:")]
    if len(set(bots)) < len(bots):
        raise BadSeatsError("A bot has one seat in a game.", field="seats")
    if plan.rules.challenge_mode is ChallengeMode.FIRST and any(plan.seats):
        raise FirstNeedsPeopleError("The first to challenge counts only among people.")


def machine(ref: str, creator: Player, preset: str) -> Player | None:
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


def store(
    creator: Player, plan: Plan, seated: Sequence[Player | None], dealer: int | None = None
) -> Game:
    """The rows of a new game with a new deck; without a `dealer` chance decides who deals."""
    deck: Deck = new_deck(plan.rules, len(plan.seats))
    deck.save(force_insert=True)
    game = Game.objects.create(
        kind=Game.Kind.EVENTED,
        visibility=plan.visibility,
        join_code=codes.code(_CODE_LENGTH),
        rules=rules_cards.stored(plan.rules),
        deck=deck,
        players=len(plan.seats),
        # Who deals matters a little; whoever likes may see it before joining.
        dealer=secrets.randbelow(len(plan.seats)) if dealer is None else dealer,
        created_by=creator,
        **plan.clock,
    )
    Seat.objects.bulk_create(_seat(game, index, player) for index, player in enumerate(seated))
    return game


def locked(game_id: UUID, player: Player, code: str = "") -> tuple[Game, list[Seat]]:
    """A game that still forms, under its lock, and its seats.

    A private one of others is none, unless one has its code.
    """
    game = Game.objects.select_for_update().filter(pk=game_id, kind=Game.Kind.EVENTED).first()
    seats = seats_of(game_id)
    if game is None or (not opens(game, code) and is_outsider(game, seats, player.pk)):
        raise GameNotFoundError("There is no such game.")
    if game.state not in (Game.State.FORMING, Game.State.READY):
        raise NotFormingError("The cards have been dealt.", state=game.state)
    return game, seats


def opens(game: Game, code: str) -> bool:
    """Whether the code is the game's, however it was typed."""
    return bool(game.join_code) and any(
        secrets.compare_digest(game.join_code.encode(), read.encode(errors="replace"))
        for read in (code, codes.meant(code))
    )


def seats_of(game_id: UUID) -> list[Seat]:
    """The seats in order."""
    return list(Seat.objects.filter(game=game_id).order_by("index"))


def own_seat(seats: Sequence[Seat], player_id: int) -> Seat | None:
    """The seat that a player has."""
    return next((seat for seat in seats if seat.player_id == player_id), None)


def free_seat(seats: Sequence[Seat], player: Player, index: int | None = None) -> Seat:
    """A seat for a player: the one kept for him, else the first free one.

    Raises `GameFullError`.
    """
    free = [s for s in seats if s.player_id is None and s.invited_id in (None, player.pk)]
    fits = [seat for seat in free if index in (None, seat.index)]
    if not fits:
        raise GameFullError("No such seat is free.", free=[seat.index for seat in free])
    return next((seat for seat in fits if seat.invited_id == player.pk), fits[0])


def sit(seat: Seat, player: Player) -> None:
    """Give a free seat to a player; a house bot is ready at once."""
    seat.player = player
    seat.agent_ref = player.agent_ref if player.kind == Player.Kind.HOUSE else ""
    ready = {"ready_at": Now()} if seat.agent_ref else {}
    Seat.objects.filter(pk=seat.pk).update(
        player=player, agent_ref=seat.agent_ref, joined_at=Now(), invited=None, **ready
    )


def settle_state(game: Game) -> None:
    """`forming` while a seat is free, else `ready`; who looks hears of it."""
    free = Seat.objects.filter(game=game, player=None).exists()
    state = Game.State.FORMING if free else Game.State.READY
    Game.objects.filter(pk=game.pk).update(state=state)
    notify(CHANNEL, str(game.pk))


def deal(game: Game) -> Progress:
    """Close the entropy and deal: every seat is taken and ready."""
    dealing.deal([game])
    return dealing.start_clocks(game.pk)


def _seat(game: Game, index: int, player: Player | None) -> Seat:
    is_machine = player is not None and player.agent_ref != ""
    return Seat(
        game=game,
        index=index,
        player=player,
        entrant=index,
        agent_ref=player.agent_ref if player is not None else "",
        bank_ms=game.bank_ms,
        joined_at=Now() if player is not None else None,
        ready_at=Now() if is_machine else None,
    )
