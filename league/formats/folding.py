"""What a ledger comes to: sums and eliminations of every entry, from its rows in order.

Knows rows as (seq, event, body); the one meaning of each event for tallies stands here. A row tells
a whole table at once (`deals` and its order, `places`: played by machines), one deal of it (`deal`
and `places`: typed in), or its order alone (`places`: closed because too few were left). A round's
draw says which night it belongs to, and whether it is a play-off, which counts for nothing here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from league.formats.deals import table_order
from league.formats.field import Places
from league.formats.meetings import Meetings, meetings_of
from league.formats.settings import AfterOut, Settings
from league.formats.tallying import UNIT, Sums, table_sums, total, total_of

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
    playoffs: set[int] = field(default_factory=set)
    """Rounds that decide who of those who share the win has won, and nothing else."""
    nights: dict[int, int] = field(default_factory=dict)
    """By round: its night."""
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
        elif event == "round.drawn":
            self._drawn(body)
        elif event in _BY_HAND:
            given = self._chips.setdefault(body.get("round", 0), Counter())
            given[body["entry"]] += body["chips"]

    def sums(self) -> dict[int, Sums]:
        """By entry number, of the deals that count; who has none of anything is left out."""
        if self.settings.best_of:
            return self._best_nights()
        rounds = [sums for _, sums in self.history()]
        return rounds[-1] if rounds else {}

    def history(self) -> Iterator[tuple[int, dict[int, Sums]]]:
        """The sums after each round, in their order, all nights counted."""
        so_far: dict[int, Sums] = {}
        tables = self._by_round()
        for round_number in sorted(tables.keys() | self._chips.keys()):
            so_far = total([so_far, self._given(round_number)])
            out = reached(so_far, self.settings)
            added = total(self._counted(round_number, t) for t in tables.get(round_number, ()))
            so_far = total([so_far, without_chips(added, out, self.settings)])
            yield round_number, so_far

    def round_sums(self, number: int) -> dict[int, Sums]:
        """What the deals of one round come to, by entry number."""
        return total(self._counted(number, table) for table in self._by_round().get(number, ()))

    def meetings(self) -> Meetings:
        """Who has met whom in the deals that count, and who was ahead."""
        return meetings_of(
            deal
            for (number, _), table in self.tables.items()
            if number not in self.playoffs
            for deal in table.deals.values()
        )

    def offered(self) -> int:
        """The most deals that anybody could have played: of each round those of its longest
        table."""
        most: Counter[int] = Counter()
        for (number, _), table in self.tables.items():
            if number not in self.playoffs:
                most[number] = max(most[number], len(table.deals))
        return sum(most.values())

    def nights_of(self) -> dict[int, int]:
        """By entry number: on how many nights it has played a deal."""
        played: dict[int, set[int]] = {}
        for (number, _), table in self.tables.items():
            for deal in table.deals.values() if number not in self.playoffs else ():
                for entry in (one for group in deal for one in group):
                    played.setdefault(entry, set()).add(self._night(number))
        return {entry: len(nights) for entry, nights in played.items()}

    def _best_nights(self) -> dict[int, Sums]:
        """Of each entry its best nights alone: few chips, then few losses for the deals played."""
        nights: dict[int, dict[int, Sums]] = {}
        for number, tables in self._by_round().items():
            for entry, sums in total(self._counted(number, table) for table in tables).items():
                mine, night = nights.setdefault(entry, {}), self._night(number)
                mine[night] = mine.get(night, Sums()) + sums
        by_hand = total(self._given(number) for number in self._chips)
        kept = {entry: total_of(self._best(mine.values())) for entry, mine in nights.items()}
        return total([by_hand, kept])

    def _best(self, nights: Iterable[Sums]) -> list[Sums]:
        return sorted(nights, key=lambda one: (one.chips, one.losses * UNIT - one.fair_losses))[
            : self.settings.best_of
        ]

    def _night(self, number: int) -> int:
        """The night of a round; a round without one is a night of its own."""
        return self.nights.get(number, -number)

    def _drawn(self, body: Mapping[str, Any]) -> None:
        if "tied" in body:
            self.playoffs.add(body["round"])
        if "night" in body:
            self.nights[body["round"]] = body["night"]

    def _by_round(self) -> dict[int, list[TableResult]]:
        found: dict[int, list[TableResult]] = {}
        for (round_number, _), table in self.tables.items():
            if round_number not in self.playoffs:
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
