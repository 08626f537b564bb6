"""Decks of games between house bots, which never had a row.

Their pack follows from a secret that belongs to the layer above, which is asked by the dotted
path `settings.HOUSE_DECKS`; that layer also says who may look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

from games.engine import Rules, commitment, deal_seed, deck_id, packs_needed
from games.models import Deck, GameRecord
from games.queries import replays
from games.queries.replays import Start


class HouseDeck(NamedTuple):
    """Where a house game's pack comes from: the seed, and (entrant, entropy) in order."""

    server_seed: bytes
    entropies: list[tuple[int, str]]

    def start(self, rules: Rules, players: int, dealer: int) -> Start:
        """What a game from this deck begins from."""
        packs, _ = packs_needed(rules, players)
        seed = deal_seed(self.server_seed, deck_id(self.server_seed), self.entropies)
        return Start(rules, players, dealer, seed, packs, rules.jokers)


Finder = Callable[[GameRecord, int | None], HouseDeck | None]


def unheard(server_seed: bytes, entrants: Iterable[int]) -> HouseDeck:
    """The deck of this seed for seats that give no entropy, as house bots do."""
    return HouseDeck(server_seed, [(entrant, "") for entrant in sorted(entrants)])


def house_deck(record: GameRecord, viewer_id: int | None) -> Deck | None:
    """The deck of a game that never had a row, unsaved; None if this viewer may not see it."""
    find: Finder = import_string(settings.HOUSE_DECKS)
    found = find(record, viewer_id)
    return None if found is None else _deck(record, found)


def _deck(record: GameRecord, found: HouseDeck) -> Deck:
    start = found.start(replays.rules_of(record), len(record.players), record.dealer)
    return Deck(
        deck_id=deck_id(found.server_seed),
        state=Deck.State.OVER,
        server_seed=found.server_seed,
        commitment=commitment(found.server_seed),
        entropies=[list(pair) for pair in found.entropies],
        deal_seed=start.deal_seed,
        packs=start.packs,
        jokers=start.jokers,
    )
