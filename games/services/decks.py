"""Decks: made with a commitment, closed with the seats' entropy, shown when the gate opens.

Source: guarantees.md, "Provable deals". Works inside the caller's transaction.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Case, F, Value, When

from games.engine import Rules, commitment, deal_seed, deck_id, packs_needed
from games.models import Deck

_OVER = Value(Deck.State.OVER)


def new_deck(
    rules: Rules, players: int, server_seed: bytes | None = None, games_planned: int = 1
) -> Deck:
    """An unsaved deck for `rules`; its seed is random unless a competition derives it.

    Raises `RulesError` (`deal_impossible`) before anything is stored.
    """
    packs, _ = packs_needed(rules, players)
    seed = os.urandom(32) if server_seed is None else server_seed
    return Deck(
        deck_id=deck_id(seed),
        server_seed=seed,
        commitment=commitment(seed),
        packs=packs,
        jokers=rules.jokers,
        games_planned=games_planned,
    )


def deal(entropies: Mapping[int, Mapping[int, str]]) -> None:
    """Close the entropy of decks, by key and entrant, and fix the deals; what is dealt stays.

    The caller holds the games' locks. A shared deck is closed by its first game.
    """
    still_open = Deck.objects.filter(pk__in=entropies, state=Deck.State.OPEN)
    closing = list(still_open.select_for_update().order_by("pk"))
    for deck in closing:
        given = sorted(entropies[deck.pk].items())
        deck.entropies = [list(pair) for pair in given]
        deck.deal_seed = deal_seed(bytes(deck.server_seed), deck.deck_id, given)
        deck.state = Deck.State.DEALT
    Deck.objects.bulk_update(closing, ["entropies", "deal_seed", "state"])


def count_over(keys: Sequence[int]) -> None:
    """Note one more finished game for each deck, in order of key; the last one opens the gate."""
    for key in sorted(keys):
        last = When(games_over__gte=F("games_planned") - 1, then=_OVER)
        Deck.objects.filter(pk=key, state=Deck.State.DEALT).update(
            games_over=F("games_over") + 1, state=Case(last, default=F("state"))
        )


def call_off(game_id: UUID) -> None:
    """This game of its deck will not be played: the only one makes the deck void, and shown.

    Of a shared deck the others go on; the gate opens if they are over already.
    """
    deck = Deck.objects.filter(games=game_id)
    if not deck.filter(games_planned=1).update(state=Deck.State.VOID):
        last = When(state=Deck.State.DEALT, games_over=F("games_planned") - 1, then=_OVER)
        deck.update(games_planned=F("games_planned") - 1, state=Case(last, default=F("state")))
