"""What a ledger comes to: sums and eliminations of every entry, from its rows in order.

Knows rows as (seq, event, body); the one meaning of each event for tallies stands here.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from league.formats.field import Places
from league.formats.settings import AfterOut, Settings
from league.formats.tallying import Sums, table_sums, total

_COUNTS = frozenset({"result.confirmed", "result.amended", "result.ruled"})
_COUNTS_NOT = frozenset({"result.voided", "result.disputed", "result.reported"})


@dataclass(frozen=True)
class Result:
    """The newest version of a table's result, and the row by which the table was first done."""

    deals: tuple[Places, ...]
    places: Places
    since: int


@dataclass
class Fold:
    """Fed with the rows of one ledger in order; `sums` says what they come to."""

    settings: Settings
    results: dict[tuple[int, int], Result] = field(default_factory=dict)
    """By round and table; a result that counts nowhere is not there."""
    out: dict[int, int] = field(default_factory=dict)
    """By entry: the row that put it out."""
    _since: dict[tuple[int, int], int] = field(default_factory=dict)
    _chips: Counter[int] = field(default_factory=Counter)

    def add(self, seq: int, event: str, body: Mapping[str, Any]) -> None:
        """Take in the next row."""
        if event in _COUNTS:
            key = (body["round"], body["table"])
            since = self._since.setdefault(key, seq)
            deals = tuple(_places(deal) for deal in body["deals"])
            self.results[key] = Result(deals, _places(body["places"]), since)
        elif event in _COUNTS_NOT:
            self.results.pop((body["round"], body["table"]), None)
        elif event == "elimination":
            for number, _ in body["entries"]:
                self.out.setdefault(number, seq)
            for number in body.get("revoked", ()):
                self.out.pop(number, None)
        elif event == "chip":
            self._chips[body["entry"]] += body["chips"]

    def sums(self) -> dict[int, Sums]:
        """By entry number; who has none of anything is left out."""
        parts = [self._counted(round_, result) for (round_, _), result in self.results.items()]
        extra = {number: Sums(chips=chips) for number, chips in self._chips.items()}
        return total([*parts, extra])

    def _counted(self, round_number: int, result: Result) -> dict[int, Sums]:
        added = table_sums(result.deals, result.places, round_number, self.settings)
        return without_chips(
            added, {n for n, seq in self.out.items() if seq < result.since}, self.settings
        )


def without_chips(added: Mapping[int, Sums], out: set[int], settings: Settings) -> dict[int, Sums]:
    """The same sums where who is out already plays on without chips."""
    plays_on = settings.after_out == AfterOut.PLAYS_ON
    return {
        number: sums.free() if plays_on and number in out else sums
        for number, sums in added.items()
    }


def _places(wire: Any) -> Places:
    return tuple(tuple(group) for group in wire)
