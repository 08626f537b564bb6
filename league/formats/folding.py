"""What a ledger comes to: sums and eliminations of every entry, from its rows in order.

Knows rows as (seq, event, body); the one meaning of each event for tallies stands here. A row tells
a whole table at once (`deals` and its order, `places`: played by machines), or one deal of it
(`deal` and `places`: typed in).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from league.formats.deals import table_order
from league.formats.field import Places
from league.formats.settings import AfterOut, Settings
from league.formats.tallying import Sums, table_sums, total

_COUNTS = frozenset({"result.confirmed", "result.amended", "result.ruled"})
_COUNTS_NOT = frozenset({"result.voided", "result.disputed", "result.reported"})


@dataclass
class TableResult:
    """The deals of a table that count, newest versions, and the row by which it first had one."""

    since: int
    deals: dict[int, Places] = field(default_factory=dict)
    places: Places | None = None

    def order(self) -> Places:
        """The order of the table."""
        return table_order(list(self.deals.values())) if self.places is None else self.places


@dataclass
class Fold:
    """Fed with the rows of one ledger in order; `sums` says what they come to."""

    settings: Settings
    tables: dict[tuple[int, int], TableResult] = field(default_factory=dict)
    """By round and table."""
    out: dict[int, int] = field(default_factory=dict)
    """By entry: the row that put it out."""
    _chips: Counter[int] = field(default_factory=Counter)

    def add(self, seq: int, event: str, body: Mapping[str, Any]) -> None:
        """Take in the next row."""
        if event in _COUNTS:
            self._count(seq, body)
        elif event in _COUNTS_NOT:
            self._forget(body)
        elif event == "elimination":
            for number, _ in body["entries"]:
                self.out.setdefault(number, seq)
            for number in body.get("revoked", ()):
                self.out.pop(number, None)
        elif event == "chip":
            self._chips[body["entry"]] += body["chips"]

    def sums(self) -> dict[int, Sums]:
        """By entry number; who has none of anything is left out."""
        parts = [self._counted(round_, table) for (round_, _), table in self.tables.items()]
        extra = {number: Sums(chips=chips) for number, chips in self._chips.items()}
        return total([*parts, extra])

    def _count(self, seq: int, body: Mapping[str, Any]) -> None:
        table = self.tables.setdefault((body["round"], body["table"]), TableResult(seq))
        if "deal" in body:
            table.deals[body["deal"]] = _places(body["places"])
        else:
            table.deals = {at: _places(deal) for at, deal in enumerate(body["deals"], start=1)}
            table.places = _places(body["places"])

    def _forget(self, body: Mapping[str, Any]) -> None:
        table = self.tables.get((body["round"], body["table"]))
        if table is not None and "deal" in body:
            table.deals.pop(body["deal"], None)
        elif table is not None:
            table.deals, table.places = {}, None

    def _counted(self, round_number: int, table: TableResult) -> dict[int, Sums]:
        if not table.deals:
            return {}
        added = table_sums(table.deals, table.order(), round_number, self.settings)
        out = {number for number, seq in self.out.items() if seq < table.since}
        return without_chips(added, out, self.settings)


def without_chips(added: Mapping[int, Sums], out: set[int], settings: Settings) -> dict[int, Sums]:
    """The same sums where who is out already plays on without chips."""
    plays_on = settings.after_out == AfterOut.PLAYS_ON
    return {
        number: sums.free() if plays_on and number in out else sums
        for number, sums in added.items()
    }


def _places(wire: Any) -> Places:
    return tuple(tuple(group) for group in wire)
