"""Casual games among machines: unrated, of no competition, driven at once.

Works inside the caller's transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db.models.functions import Now

from games.engine import Rules
from games.models import Game, Player, Seat
from games.services import rules_cards
from games.services.decks import new_deck


def create_driven(
    rules: Rules, seats: Sequence[Player], created_by: Player, move_ms: int, bank_ms: int
) -> Game:
    """A game of these machines in this order, due now; who has its address may look.

    Raises `RulesError` (`deal_impossible`).
    """
    deck = new_deck(rules, len(seats))
    deck.save(force_insert=True)
    game = Game.objects.create(
        kind=Game.Kind.DRIVEN,
        state=Game.State.READY,
        visibility=Game.Visibility.LINK,
        rules=rules_cards.stored(rules),
        deck=deck,
        players=len(seats),
        dealer=secrets.randbelow(len(seats)),
        created_by=created_by,
        move_ms=move_ms,
        bank_ms=bank_ms,
        due_at=Now(),
    )
    Seat.objects.bulk_create(
        Seat(
            game=game,
            index=index,
            player=player,
            entrant=index,
            agent_ref=player.agent_ref,
            bank_ms=bank_ms,
            joined_at=Now(),
        )
        for index, player in enumerate(seats)
    )
    return game
