"""Driven games of a competition's tables, made and ended for the layer above.

Works inside the caller's transaction: these functions are not durable by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models.functions import Now

from games.engine import Rules
from games.models import Deck, Game, Seat
from games.services.decks import new_deck
from games.services.records import mark_settled

__all__ = ["TableGame", "TableSeatSpec", "create_table_game", "mark_settled", "void_game"]


@dataclass(frozen=True)
class TableSeatSpec:
    """Who sits where: `entrant` is the number of the entry, under which the entropy counts."""

    player_id: int
    entrant: int
    agent_ref: str


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
    """The game of this deal, due at once; the same row when it is asked for again.

    Raises `RulesError` (`deal_impossible`).
    """
    deck = new_deck(spec.rules, len(spec.seats), spec.server_seed, spec.deck_games)
    # Another table of a shared deck may have made it.
    Deck.objects.bulk_create([deck], ignore_conflicts=True)
    game, made = Game.objects.get_or_create(
        table_ref=spec.table_ref,
        deal_number=spec.deal_number,
        redeal=spec.redeal,
        defaults=_columns(spec, deck),
    )
    if made:
        Seat.objects.bulk_create(_seats(spec, game))
    return game


def void_game(game_id: UUID, reason: str) -> bool:
    """Call a game off, with the reason kept on the row; its deck is shown and counts for nothing.

    False if it had ended already. The caller holds the locks of the layer above.
    """
    live = Game.objects.filter(
        pk=game_id, state__in=[Game.State.FORMING, Game.State.READY, Game.State.PLAYING]
    )
    voided = live.update(
        state=Game.State.VOID,
        quarantine_reason=reason[:200],
        due_at=None,
        deadline_at=None,
        ended_at=Now(),
    )
    if voided:
        Deck.objects.filter(games=game_id, games_planned=1).update(state=Deck.State.VOID)
    return bool(voided)


def _columns(spec: TableGame, deck: Deck) -> dict[str, object]:
    return {
        "kind": Game.Kind.DRIVEN,
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
        "due_at": Now(),
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
        )
        for index, seat in enumerate(spec.seats)
    ]
