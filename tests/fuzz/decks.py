"""Decks for random records: mostly seeds, some stacked so that rare situations come up."""

from random import Random
from typing import Any

from tests.reference.cards import COURTS, RANKS, rank, whole_pack


def deck(random: Random, packs: int, jokers: int) -> dict[str, Any]:
    """`deal_seed` or `deck` of a record, seldom both."""
    seed = random.randbytes(32).hex()
    if random.random() < 0.3:
        return {"deal_seed": seed.upper() if random.random() < 0.1 else seed}
    return {"deck": stacked(random, whole_pack(packs, jokers))}


def stacked(random: Random, cards: list[str]) -> list[str]:
    """A pack that is shuffled, or sorted loosely: equal ranks together, or courts first or last."""
    pull = random.choice([0, 0, 1, 2, 3])
    liked = {name: random.random() for name in [*RANKS, "*"]}
    if random.random() < 0.4:
        early = random.choice([COURTS, "TA", "JQKA", "2TA*", "3456", "789"])
        liked |= {name: random.choice([-1, 1, -1]) for name in early}
    placed = [(pull * liked[rank(card)] + random.random(), card) for card in cards]
    return [card for _, card in sorted(placed)]
