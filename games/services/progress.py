"""What a commit brought about, for the edge to follow up. Owns no rows and wakes nobody."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID


@dataclass(frozen=True)
class Progress:
    """What became true by a commit and concerns others.

    >>> (Progress(driven=True) + Progress()).driven
    True
    """

    over: tuple[UUID, ...] = ()
    """Games that have ended and are not settled."""
    turns: tuple[UUID, ...] = ()
    """Games of people in which an agent must act now."""
    driven: bool = False
    """A driven game came due."""
    letters: tuple[UUID, ...] = ()
    """Games by correspondence in which it is somebody else's turn now."""

    def __add__(self, other: Self) -> "Progress":
        return Progress(
            self.over + other.over,
            self.turns + other.turns,
            self.driven or other.driven,
            self.letters + other.letters,
        )

    def __bool__(self) -> bool:
        return bool(self.over or self.turns or self.driven or self.letters)
