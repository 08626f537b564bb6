"""Decks that fit all that a seat knows, each as likely as any other (games without bluff).

Cards are dealt to the sources they may have come from, then exchanged pair by pair at random: a
chain that visits all fitting ways to deal equally often.
"""

import random
from collections.abc import Sequence
from typing import Final

from games.engine.cards import BIT, JOKER, renumbered
from games.players.clues import Claim, Clues, Shown
from games.players.matching import placed

_MIXING: Final = 6
"""Exchanges tried between two samples, for each hidden card."""
_WORSE: Final = 0.05
"""How often an exchange is kept that leads a card further from that."""
_REPAIRS: Final = 200
"""Exchanges tried for each hidden card until play would begin with the right seat."""


class NoSampleError(Exception):
    """No way was found to deal the hidden cards; says that what was read contradicts itself."""


class Sampler:
    """The chain: `next` moves on, `deck` tells where it is."""

    def __init__(self, clues: Clues, rng: random.Random) -> None:
        self._clues, self._rng = clues, rng
        self._cards, shown = _hidden_cards(clues)
        self._may = [_allowed(clues, c, s) for c, s in zip(self._cards, shown, strict=True)]
        self._seen = [showing is not None for showing in shown]
        """By card: whether it has been shown since."""
        self._at = _placed(clues, self._may)
        """By card: the source it came from."""
        self._decides = 0 if clues.first is None else 8 * (clues.deciding or JOKER) + 8
        """Below this, cards may tell who plays first."""
        self._repair()

    def next(self) -> None:
        """Move on so far that nothing of the last sample is left but chance."""
        self._mix(_MIXING * len(self._cards))

    def deck(self) -> tuple[int, ...]:
        """The deck as it may have been shuffled."""
        clues = self._clues
        deck = [clues.fixed.get(position, 0) for position in range(clues.size)]
        for source, cards in zip(clues.sources, self._by_source(), strict=True):
            for position in source.positions:
                deck[position] = cards.pop(self._rng.randrange(len(cards)))
        return renumbered(deck)

    def unseen(self) -> list[int]:
        """By seat the cards in its hand that nothing has shown, as masks (one pack)."""
        masks = [0] * self._clues.view.players
        for card, source, seen in zip(self._cards, self._at, self._seen, strict=True):
            seat = self._clues.sources[source].seat
            if seat is not None and not seen:
                masks[seat] |= BIT[card]
        return masks

    def cards(self, claim: Claim) -> list[int]:
        """Nobody claims here."""
        raise NoSampleError

    def _by_source(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self._clues.sources]
        for card, source in zip(self._cards, self._at, strict=True):
            found[source].append(card)
        return found

    def _mix(self, tries: int) -> None:
        at, may, chance = self._at, self._may, self._rng.random
        number = len(at)
        for _ in range(tries if number > 1 else 0):
            one, other = int(chance() * number), int(chance() * number)
            a, b = at[one], at[other]
            if a == b or not (may[one] >> b & 1 and may[other] >> a & 1):
                continue
            at[one], at[other] = b, a
            if min(self._cards[one], self._cards[other]) < self._decides and not self._begins_so():
                at[one], at[other] = a, b

    def _repair(self) -> None:
        """Exchange cards, seldom for the worse, until play begins with the right seat; raises
        `NoSampleError`."""
        misfit = 0 if self._clues.first is None else self._clues.misfit(self._dealt_hands())
        tries = _REPAIRS * len(self._cards)
        while misfit:
            if not tries:
                raise NoSampleError
            tries -= 1
            misfit = self._towards_fit(misfit)

    def _towards_fit(self, misfit: int) -> int:
        """Try one exchange; the misfit after it, or as it was."""
        at, may, rng = self._at, self._may, self._rng
        one, other = rng.randrange(len(at)), rng.randrange(len(at))
        a, b = at[one], at[other]
        if a == b or not (may[one] >> b & 1 and may[other] >> a & 1):
            return misfit
        at[one], at[other] = b, a
        then = self._clues.misfit(self._dealt_hands())
        if then <= misfit or rng.random() < _WORSE ** (then - misfit):
            return then
        at[one], at[other] = a, b
        return misfit

    def _begins_so(self) -> bool:
        return self._clues.begins_so(self._dealt_hands())

    def _dealt_hands(self) -> list[int]:
        clues = self._clues
        hands, me = [0] * clues.view.players, clues.view.seat
        assert me is not None
        for card, source in zip(self._cards, self._at, strict=True):
            origin = clues.sources[source]
            if origin.at == 0 and origin.seat is not None:
                hands[origin.seat] = with_card(hands[origin.seat], card)
        for card in clues.dealt:
            hands[me] = with_card(hands[me], card)
        return hands


def with_card(mask: int, card: int) -> int:
    """A set with one more card, as its second copy if need be."""
    return mask | (BIT[card] << 1 if mask & BIT[card] else BIT[card])


def _hidden_cards(clues: Clues) -> tuple[list[int], list[Shown | None]]:
    """The cards that came from the sources, and how they were shown since, if they were."""
    left = list(clues.pack)
    for card in clues.fixed.values():
        left.remove(card)
    for shown in clues.shown:
        left.remove(shown.card)
    seen: list[Shown | None] = list(clues.shown)
    return [s.card for s in clues.shown] + left, seen + [None] * len(left)


def _allowed(clues: Clues, card: int, shown: Shown | None) -> int:
    """The sources, as a set, that a card may have come from."""
    allowed = 0
    for number, source in enumerate(clues.sources):
        if _may_come(clues, card, shown, source.seat, source.at):
            allowed |= 1 << number
    return allowed


def _may_come(clues: Clues, card: int, shown: Shown | None, seat: int | None, at: int) -> bool:
    if shown is not None and (seat != shown.seat or at > shown.at):
        return False
    until = clues.size * 1000 if shown is None else shown.at
    return not any(
        stuck.seat == seat and at < stuck.at < until and stuck.fits >> card & 1
        for stuck in clues.stuck
    )


def _placed(clues: Clues, may: Sequence[int]) -> list[int]:
    """Some fitting way to deal."""
    room = [len(source.positions) for source in clues.sources]
    choosy = sorted(range(len(may)), key=lambda card: may[card].bit_count())
    at = placed(may, room, choosy) if sum(room) == len(may) else None
    if at is None:
        raise NoSampleError
    return at
