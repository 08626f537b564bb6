"""What a commit of the league brought due, for the edge to wake. Owns no rows, wakes nobody."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Due:
    """Kinds of tables that wait to be played.

    >>> Due(house=True) + Due(driven=True)
    Due(house=True, driven=True)
    """

    house: bool = False
    driven: bool = False

    def __add__(self, other: "Due") -> "Due":
        return Due(self.house or other.house, self.driven or other.driven)
