"""What a ledger comes to: sums and eliminations of every entry, from its rows in order.

Knows rows as (seq, event, body); the one meaning of each event for tallies stands here. A row tells
a whole table at once (`deals` and its order, `places`: played by machines), one deal of it (`deal`
and `places`: typed in), or its order alone (`places`: closed because too few were left).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from league.formats.deals import table_order
from league.formats.field import Places
from league.formats.meetings import Meetings, meetings_of
from league.formats.settings import AfterOut, Settings
from league.formats.tallying import Sums, table_sums, total

_COUNTS = frozenset({"result.confirmed", "result.amended", "result.ruled"})
_BY_HAND = frozenset({"chip", "adjustment"})
_COUNTS_NOT = frozenset({"result.voided", "result.disputed", "result.reported"})


@dataclass
class TableResult:
    """The deals of a table that count, newest versions, and its order where that was told."""

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
    _chips: dict[int, Counter[int]] = field(default_factory=dict)
    """Given by hand, by the round before whose deals they count."""

    def add(self, seq: int, event: str, body: Mapping[str, Any]) -> None:
        """Take in the next row."""
        if event in _COUNTS:
            self._count(body)
        elif event in _COUNTS_NOT:
            self._forget(body)
        elif event == "elimination":
            for number, _ in body["entries"]:
                self.out.setdefault(number, seq)
            for number in body.get("revoked", ()):
                self.out.pop(number, None)
        elif event in _BY_HAND:
            given = self._chips.setdefault(body.get("round", 0), Counter())
            given[body["entry"]] += body["chips"]

    def sums(self) -> dict[int, Sums]:
        """By entry number; who has none of anything is left out."""
        rounds = [sums for _, sums in self.history()]
        return rounds[-1] if rounds else {}

    def history(self) -> Iterator[tuple[int, dict[int, Sums]]]:
        """The sums after each round, in their order."""
        so_far: dict[int, Sums] = {}
        tables = self._by_round()
        for round_number in sorted(tables.keys() | self._chips.keys()):
            so_far = total([so_far, self._given(round_number)])
            out = reached(so_far, self.settings)
            added = total(self._counted(round_number, t) for t in tables.get(round_number, ()))
            so_far = total([so_far, without_chips(added, out, self.settings)])
            yield round_number, so_far

    def meetings(self) -> Meetings:
        """Who has met whom in the deals that count, and who was ahead."""
        return meetings_of(deal for table in self.tables.values() for deal in table.deals.values())

    def _by_round(self) -> dict[int, list[TableResult]]:
        found: dict[int, list[TableResult]] = {}
        for (round_number, _), table in self.tables.items():
            found.setdefault(round_number, []).append(table)
        return found

    def _given(self, round_number: int) -> dict[int, Sums]:
        given = self._chips.get(round_number, Counter())
        return {number: Sums(chips=chips) for number, chips in given.items()}

    def _count(self, body: Mapping[str, Any]) -> None:
        table = self.tables.setdefault((body["round"], body["table"]), TableResult())
        if "deal" in body:
            table.deals[body["deal"]] = _places(body["places"])
            table.places = None
            return
        if "deals" in body:
            table.deals = {at: _places(deal) for at, deal in enumerate(body["deals"], start=1)}
        table.places = _places(body["places"])

    def _forget(self, body: Mapping[str, Any]) -> None:
        table = self.tables.get((body["round"], body["table"]))
        if table is not None and "deal" in body:
            table.deals.pop(body["deal"], None)
            table.places = None
        elif table is not None:
            table.deals, table.places = {}, None

    def _counted(self, round_number: int, table: TableResult) -> dict[int, Sums]:
        if not table.deals:
            return {}
        return table_sums(table.deals, table.order(), round_number, self.settings)


def reached(sums: Mapping[int, Sums], settings: Settings) -> set[int]:
    """Who has reached the limit, if there is one."""
    return {number for number, one in sums.items() if settings.puts_out(one.chips)}


def without_chips(added: Mapping[int, Sums], out: set[int], settings: Settings) -> dict[int, Sums]:
    """The same sums where who is out already plays on without chips."""
    plays_on = settings.after_out == AfterOut.PLAYS_ON
    return {
        number: sums.free() if plays_on and number in out else sums
        for number, sums in added.items()
    }


def _places(wire: Any) -> Places:
    return tuple(tuple(group) for group in wire)
