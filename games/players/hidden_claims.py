"""Histories of a bluff game that fit all that a seat knows: who laid which cards under which claim.

A chain over histories: two tokens exchange what became of them between two moments at which they
lay in the same place. Every fitting history is equally likely, but for `TRUTH`: each card that
makes a claim true weighs so much more, since bots rather tell the truth.
"""

import random
from typing import Final

from games.engine.cards import renumbered
from games.players.clues import Claim, Clues
from games.players.movements import SEEN, Movements, follow, history_of

TRUTH: Final = 8.0
_MIXING: Final = 4
"""Exchanges tried between two samples, for each token that was ever hidden."""
_WIDTH: Final = 16
"""Bits that a lane takes in a token's path: the place, then the mark of a true card, then room for
the carry that tells lanes apart."""
_MARK: Final = 1 << 13
_EMPTY: Final = (1 << _WIDTH - 1) - 1


class ClaimSampler:
    """The chain. Raises `NoHistoryError` where nothing is found to start from."""

    def __init__(self, clues: Clues, rng: random.Random, truth: float = TRUTH) -> None:
        self._clues, self._rng, self._truth = clues, rng, truth
        self._m = follow(clues)
        history = history_of(self._m, rng)
        self._lanes = len(history[0])
        self._paths = [_packed(places) for places in history]
        self._pinned = _pins(self._m, self._lanes)
        self._true = _true_marks(self._m)
        self._mark()
        whole = (1 << _WIDTH * self._lanes) - 1
        self._free = [t for t, pins in enumerate(self._pinned) if pins != whole]
        self._ones = sum(1 << _WIDTH * lane for lane in range(self._lanes))

    def next(self) -> None:
        """Move on so far that little of the last sample is left but chance."""
        for _ in range(_MIXING * len(self._free)):
            self._exchange()

    def deck(self) -> tuple[int, ...]:
        """The deck as it may have been shuffled."""
        clues, m = self._clues, self._m
        deck = [clues.fixed.get(position, 0) for position in range(clues.size)]
        for number, source in enumerate(clues.sources):
            tokens = self._there(m.source(number), 0)
            cards = [m.tokens[token] for token in tokens if not m.start_seen >> token & 1]
            for position in source.positions:
                deck[position] = cards.pop(self._rng.randrange(len(cards)))
        return renumbered(deck)

    def cards(self, claim: Claim) -> list[int]:
        """What lies under a claim."""
        if claim.cards:
            return list(claim.cards)
        place, lane = self._m.claim(claim.number), self._m.claim_lanes[claim.number]
        return [self._m.tokens[token] for token in self._there(place, lane)]

    def _there(self, place: int, lane: int) -> list[int]:
        shift = _WIDTH * lane
        mask, wanted = _MARK - 1 << shift, place << shift
        return [token for token, path in enumerate(self._paths) if path & mask == wanted]

    def _mark(self) -> None:
        """Mark in each path the lanes in which the token lies under the claim just made."""
        for number, lane in self._m.claim_lanes.items():
            for token in self._there(self._m.claim(number), lane):
                self._paths[token] |= _MARK << _WIDTH * lane

    def _exchange(self) -> None:
        """Two tokens change places in the longest stretch around a moment in which they differ."""
        chance, free, paths = self._rng.random, self._free, self._paths
        one, other = free[int(chance() * len(free))], free[int(chance() * len(free))]
        differ = paths[one] ^ paths[other]
        shift = _WIDTH * int(chance() * self._lanes)
        if not differ >> shift & _EMPTY:
            return
        differ &= self._stretch(differ, shift)
        if differ & (self._pinned[one] | self._pinned[other]):
            return
        if self._accepts(one, other, differ):
            paths[one] ^= differ
            paths[other] ^= differ

    def _stretch(self, differ: int, shift: int) -> int:
        """The lanes around `shift` up to the nearest on both sides that do not differ."""
        equal = ~(differ + self._ones * _EMPTY) & self._ones << _WIDTH - 1
        below = (equal & (1 << shift) - 1).bit_length()
        above = equal >> shift
        top = _WIDTH * self._lanes
        if above:
            top = shift + (above & -above).bit_length() - _WIDTH
        return (1 << top) - (1 << below)

    def _accepts(self, one: int, other: int, differ: int) -> bool:
        """Metropolis: always for more truth, the rarer the less truth there would be."""
        if self._truth == 1:
            return True
        paths, true = self._paths, self._true
        a, b = paths[one], paths[other]
        now = (a & true[one]).bit_count() + (b & true[other]).bit_count()
        then = ((a ^ differ) & true[one]).bit_count() + ((b ^ differ) & true[other]).bit_count()
        return then >= now or self._rng.random() < self._truth ** (then - now)


def _packed(places: list[int]) -> int:
    path = 0
    for place in reversed(places):
        path = path << _WIDTH | place
    return path


def _pins(m: Movements, lanes: int) -> list[int]:
    """By token the lanes in which its place is known, as full lanes."""
    lane = (1 << _WIDTH) - 1
    pins = [0] * len(m.tokens)
    seen = {token for token in range(len(m.tokens)) if m.start_seen >> token & 1}
    for number in range(lanes):
        move = m.moves[number] if number < len(m.moves) else None
        found = move.found if move else {}
        for token in (*seen, *found):
            pins[token] |= lane << _WIDTH * number
        if move is None:
            break
        seen |= {*found, *move.taken}
        seen -= {*move.lost}
        for token in move.lost:
            pins[token] |= lane << _WIDTH * (number + 1)
    return pins


def _true_marks(m: Movements) -> list[int]:
    """By token the marks that make a claim true."""
    marks = [0] * len(m.tokens)
    for number, lane in m.claim_lanes.items():
        rank = m.clues.claims[number].rank
        for token, card in enumerate(m.tokens):
            if card >> 3 == rank:
                marks[token] |= _MARK << _WIDTH * lane
    return marks


assert SEEN == 0, "an empty lane is one in which the card is seen"
