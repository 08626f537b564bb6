"""What a bot is to the game, and the dice it may throw."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from games.engine.history import EventDict
from games.engine.view import View

T = TypeVar("T")


class Agent(Protocol):
    """Chooses for a seat. The same view, events and seed give the same choice at any time."""

    def choose(self, view: View, events: Sequence[EventDict], seed: bytes) -> str:
        """An action for `view.seat`, in the notation of records or as `P:9x1`.

        `events` are all that the seat has seen since the deal.
        """
        ...


class Dice:
    """Chance from a decision's seed: a big number, used up from its low end."""

    def __init__(self, seed: bytes) -> None:
        self._left = int.from_bytes(seed, "big")

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1."""
        self._left, number = divmod(self._left, bound)
        return number

    def pick(self, choices: Sequence[T]) -> T:
        """One of several choices that are all the same to the bot."""
        return choices[self.below(len(choices))]

    def subset(self, mask: int) -> int:
        """Some of a set of cards, at least one."""
        return mask & self.below(1 << 120) or mask
