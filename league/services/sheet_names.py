"""Who is meant by the names of a sheet, among the entries of a competition.

A name that only looks like somebody's is a fault, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable

from config.kit import names
from league.models import Competition, Entry
from league.spreadsheets.cells import Cell, Fault


class Who:
    """The entries of a competition by name; or by number, where the sheet tells those."""

    def __init__(self, competition: Competition, by_number: bool, faults: list[Fault]) -> None:
        rows = Entry.objects.filter(competition=competition, tally__isnull=False)
        self._numbers: set[int] = set()
        self._names: dict[str, list[int]] = {}
        self._alike: dict[str, str] = {}
        for number, name in rows.order_by("number").values_list("number", "player__name"):
            self._numbers.add(number)
            self._names.setdefault(_plain(name), []).append(number)
            self._alike.setdefault(names.folded(name), name)
        self._by_number = by_number
        self._faults = faults

    def of(self, cell: Cell) -> int | None:
        """The entry a cell names; None, and a fault, where it names nobody or two."""
        said = cell.text
        if self._by_number and said.isascii() and said.isdecimal() and len(said) < 8:
            if int(said) in self._numbers:
                return int(said)
            self._fault(cell, "no_such_player", f"There is no entry {said}.")
            return None
        found = self._names.get(_plain(said), [])
        if len(found) == 1:
            return found[0]
        like = self._alike.get(names.folded(said))
        if found:
            told = ", ".join(map(str, found))
            why = f"{len(found)} players are called “{said}”: tell the entry ({told}) instead."
            self._fault(cell, "several_players", why)
        elif like is not None:
            why = f"“{said}” looks like “{like}”, but is written otherwise."
            self._fault(cell, "looks_like", why)
        else:
            self._fault(cell, "no_such_player", f"Nobody called “{said}” has entered.")
        return None

    def all_of(self, cells: Iterable[Cell]) -> list[int] | None:
        """The same for some cells; None if one names nobody."""
        found = [self.of(cell) for cell in cells]
        numbers = [number for number in found if number is not None]
        return numbers if len(numbers) == len(found) else None

    def _fault(self, cell: Cell, code: str, why: str) -> None:
        self._faults.append(Fault(cell.at, code, why))


def _plain(name: str) -> str:
    """Upper and lower case and spaces are no difference."""
    return " ".join(name.split()).casefold()
