"""Who sits where with which cards: blocks of one line-up in all its rotations."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from games.arena.entrants import Entrant
from games.engine import Rules, competition_seed, packs_needed, shuffled_deck


@dataclass(frozen=True)
class Contest:
    """What is played, complete: the same contest gives the same games."""

    entrants: tuple[Entrant, ...]
    rules: Rules
    preset: str
    options: tuple[tuple[str, object], ...]
    players: int
    games: int
    seed: str
    duplicate: bool
    move_ms: int = 1000
    bank_ms: int = 30_000

    @property
    def blocks(self) -> int:
        """Number of blocks; the last one is played to its end."""
        return -(-self.games // self.players)


@dataclass(frozen=True)
class Seating:
    """One game to play."""

    block: int
    rotation: int
    entrants: tuple[int, ...]
    """By seat: which entrant."""
    dealer: int
    deal_seed: bytes
    secret: bytes
    """What the decision seeds of house bots come from."""


def seatings(contest: Contest, block: int) -> Iterator[Seating]:
    """The games of one block: every seat of the line-up sits in every place once; with `duplicate`
    each time before the same cards."""
    lineup = _lineup(contest, block)
    for rotation in range(contest.players):
        turned = lineup[rotation:] + lineup[:rotation]
        deal = f"{block}/{0 if contest.duplicate else rotation}"
        yield Seating(
            block=block,
            rotation=rotation,
            entrants=tuple(turned),
            dealer=block % contest.players,
            deal_seed=_seed(contest, "deal/" + deal),
            secret=_seed(contest, "dice/" + deal),
        )


def deck_of(contest: Contest, seating: Seating) -> tuple[int, ...]:
    """The shuffled pack of a seating."""
    packs, _ = packs_needed(contest.rules, contest.players)
    return shuffled_deck(seating.deal_seed, packs, contest.rules.jokers)


def _lineup(contest: Contest, block: int) -> list[int]:
    """Fewer entrants than seats: they take turns; more: all combinations in turn. Shuffled, so that
    nobody always sits behind the same neighbour."""
    every = range(len(contest.entrants))
    if len(every) <= contest.players:
        first = block * contest.players
        lineup = [(first + seat) % len(every) for seat in range(contest.players)]
    else:
        tables = list(combinations(every, contest.players))
        lineup = list(tables[block % len(tables)])
    rng = random.Random(_seed(contest, f"line-up/{block}"))  # noqa: S311 - no secret hangs on it
    rng.shuffle(lineup)
    return lineup


def _seed(contest: Contest, path: str) -> bytes:
    return competition_seed(contest.seed.encode(), path)
