"""Games of a competition's tables, made for the layer above: evented where a person sits.

Works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models.functions import Now

from games.engine import Rules
from games.models import Deck, Game, Seat
from games.services import dealing
from games.services.decks import new_deck
from games.services.progress import Progress


@dataclass(frozen=True)
class TableSeatSpec:
    """Who sits where: `entrant` is the number of the entry, under which the entropy counts.

    `stand_in`: the stand-in plays this seat from the first card on. `away`: it does too, unless
    the person is ready before the others are.
    """

    player_id: int
    entrant: int
    agent_ref: str
    stand_in: bool = False
    away: bool = False

    @property
    def awaited(self) -> bool:
        """Whether a person is to be ready before the cards are dealt."""
        return not (self.agent_ref or self.stand_in or self.away)


@dataclass(frozen=True)
class TableGame:
    """One deal at a table of a competition. `seats` in seat order; `server_seed` fixes the deck."""

    rules_id: int
    rules: Rules
    table_ref: int
    competition_ref: int
    deal_number: int
    redeal: int
    dealer: int
    seats: tuple[TableSeatSpec, ...]
    server_seed: bytes
    move_ms: int
    bank_ms: int
    rated: bool = True
    visibility: Game.Visibility = Game.Visibility.PUBLIC
    round_number: int | None = None
    table_number: int | None = None
    deck_games: int = 1
    """How many games are planned from this deck: its gate opens after the last."""


def create_table_game(spec: TableGame) -> Game:
    """The game of this deal; the same row when it is asked for again.

    Where a person is awaited it is dealt when the last one is ready, or by `deal_without`; else
    the driver has it at once. Raises `RulesError` (`deal_impossible`).
    """
    deck = _deck(spec)
    game, made = Game.objects.get_or_create(
        table_ref=spec.table_ref,
        deal_number=spec.deal_number,
        redeal=spec.redeal,
        defaults=_columns(spec, deck),
    )
    if made:
        Seat.objects.bulk_create(_seats(spec, game))
    return game


def deal_without(table_ref: int) -> Progress:
    """Deal the table's game that still waits for people: the stand-in plays for who is not ready.

    Does nothing to one that was dealt already.
    """
    waiting = Game.objects.filter(
        table_ref=table_ref, kind=Game.Kind.EVENTED, state=Game.State.READY
    )
    game = waiting.select_for_update().first()
    if game is None:
        return Progress()
    Seat.objects.filter(game=game, ready_at=None, stand_in_at=None).update(stand_in_at=Now())
    dealing.deal([game])
    return dealing.start_clocks(game.pk)


def _deck(spec: TableGame) -> Deck:
    """The deck of this seed in this competition: made here, or by another table that shares it."""
    new = new_deck(spec.rules, len(spec.seats), spec.server_seed, spec.deck_games)
    new.competition_ref = spec.competition_ref
    Deck.objects.bulk_create([new], ignore_conflicts=True)
    return Deck.objects.get(deck_id=new.deck_id, competition_ref=spec.competition_ref)


def _columns(spec: TableGame, deck: Deck) -> dict[str, object]:
    awaited = any(seat.awaited for seat in spec.seats)
    return {
        "kind": Game.Kind.EVENTED if awaited else Game.Kind.DRIVEN,
        "state": Game.State.READY,
        "visibility": spec.visibility,
        "rated": spec.rated,
        "rules_id": spec.rules_id,
        "deck": deck,
        "players": len(spec.seats),
        "dealer": spec.dealer,
        "competition_ref": spec.competition_ref,
        "round_number": spec.round_number,
        "table_number": spec.table_number,
        "move_ms": spec.move_ms,
        "bank_ms": spec.bank_ms,
        "due_at": None if awaited else Now(),
    }


def _seats(spec: TableGame, game: Game) -> Sequence[Seat]:
    return [
        Seat(
            game=game,
            index=index,
            player_id=seat.player_id,
            entrant=seat.entrant,
            agent_ref=seat.agent_ref,
            bank_ms=spec.bank_ms,
            joined_at=Now(),
            ready_at=Now() if seat.agent_ref else None,
            stand_in_at=Now() if seat.stand_in or seat.away else None,
            # Of a person it means that he has left for good.
            resigned_at=Now() if seat.stand_in and not seat.agent_ref else None,
        )
        for index, seat in enumerate(spec.seats)
    ]
