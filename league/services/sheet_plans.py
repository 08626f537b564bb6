"""What a sheet would enter, cell by cell, beside what stands: nothing is written here.

Deals go to tables of rounds that are drawn. Chips of nights that were played elsewhere are chips by
hand, each known by the code of its column, so that the same sheet again changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

from config.kit.errors import ServiceError
from league.errors import SheetRefusedError
from league.formats.saying import SayingError, only_last
from league.models import Competition, DealResult, LedgerRow, Round, Table
from league.services.chips import BY_HAND
from league.services.sheet_names import Who
from league.services.typed_tables import By, Where, table_of, told_at, wire
from league.spreadsheets import reading, telling
from league.spreadsheets.cells import Cell, Fault, SheetError
from league.spreadsheets.telling import Chips, Deal, Sheet

MOST_CHANGES: Final = 1000
MOST_FAULTS: Final = 100
SOURCE: Final = "import"


class Taken(StrEnum):
    """As what a sheet is taken: deals of drawn rounds, or chips of nights played elsewhere."""

    AUTO = "auto"
    RESULTS = "results"
    CHIPS = "chips"


class What(StrEnum):
    """What becomes of a cell."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"


@dataclass(frozen=True)
class Result:
    """A deal that would be entered at a table; `seen` is the version that stands."""

    cell: str
    what: What
    where: Where
    places: tuple[tuple[int, ...], ...]
    before: list[list[int]] | None
    seen: int | None


@dataclass(frozen=True)
class Given:
    """Chips of an entry on a night: so many, where so many stand."""

    cell: str
    what: What
    entry: int
    night: str
    chips: int
    before: int


@dataclass(frozen=True)
class Plan:
    """All that would be entered, and all that is wrong; with a fault nothing is."""

    results: tuple[Result, ...]
    chips: tuple[Given, ...]
    faults: tuple[Fault, ...]

    @property
    def changes(self) -> int:
        """How many cells would change anything."""
        results = sum(one.what is not What.SAME for one in self.results)
        return results + sum(one.what is not What.SAME for one in self.chips)


def read(data: bytes) -> Sheet:
    """What a file tells. Raises `SheetRefusedError`."""
    try:
        return telling.told(reading.lines(data))
    except SheetError as error:
        raise refused([error.fault]) from None


def refused(faults: Sequence[Fault]) -> SheetRefusedError:
    """The refusal of a sheet: its faults by cell."""
    told = [fault._asdict() for fault in faults[:MOST_FAULTS]]
    return SheetRefusedError("Nothing was entered.", faults=told, number=len(faults))


def plan(competition: Competition, sheet: Sheet, by: By, taken: Taken) -> Plan:
    """Look at every cell. The caller holds the competition's lock, or has it read once."""
    faults = list(sheet.faults)
    who = Who(competition, sheet.entries, faults)
    results: list[Result] = []
    if taken is Taken.RESULTS and sheet.chips:
        faults.append(Fault(sheet.chips[0].cell.at, "no_deals", "It tells chips, no deals."))
    if taken is Taken.CHIPS and sheet.deals:
        sheet = sheet._replace(deals=(), chips=tuple(_counted(sheet.deals, faults)))
    elif sheet.deals:
        results = list(_Deals(competition, who, by, faults).planned(sheet.deals))
    chips = list(_chips(competition, who, sheet.chips))
    found = Plan(tuple(results), tuple(chips), tuple(faults))
    if found.changes > MOST_CHANGES:
        why = f"At most {MOST_CHANGES} cells are entered at once."
        return Plan(found.results, found.chips, (*faults, Fault("", "too_many_changes", why)))
    return found


class _Deals:
    """The tables of a competition, as the deals of a sheet find them."""

    def __init__(self, competition: Competition, who: Who, by: By, faults: list[Fault]) -> None:
        self._competition, self._who, self._by, self._faults = competition, who, by, faults
        rounds = Round.objects.filter(competition=competition).exclude(state=Round.State.VOID)
        self._rounds = list(rounds.order_by("number"))
        tables = Table.objects.filter(round__in=self._rounds, deals_planned__gt=0)
        self._seats: dict[tuple[int, int], list[int]] = {
            (table.round.number, table.number): [seat.entry.number for seat in table.seats.all()]
            for table in tables.select_related("round").prefetch_related("seats__entry")
        }
        stand = DealResult.objects.filter(table__in=tables).select_related("table__round")
        self._stand = {(row.table.round.number, row.table.number, row.deal): row for row in stand}
        self._told: dict[tuple[int, int, int], str] = {}
        self._next: dict[tuple[int, int], int] = {}

    def planned(self, deals: Sequence[Deal]) -> Iterator[Result]:
        """What each would enter; those that can't be are faults."""
        for deal in deals:
            groups = [self._who.all_of(group) for group in deal.groups]
            players = self._who.all_of(deal.players)
            named = [number for group in groups if group for number in group]
            if players is None or not all(groups) or not named:
                continue
            at = self._table(deal, [*named, *players])
            if at is not None:
                yield from self._result(deal, at, [g for g in groups if g], players)

    def _result(
        self, deal: Deal, at: tuple[int, int], groups: list[list[int]], players: list[int]
    ) -> Iterator[Result]:
        number = deal.deal if deal.deal is not None else self._next.get(at, 1)
        self._next[at] = number + 1
        where = Where(self._competition.pk, *at, number)
        if (*at, number) in self._told:
            before = self._told[*at, number]
            self._fault(deal, "deal_twice", f"That deal is told in {before} already.")
            return
        self._told[*at, number] = deal.at.at
        try:
            if deal.only_last:
                groups = wire(only_last(groups[0], players or self._seats[at]))
            table = table_of(self._competition, where)
            places = told_at(self._competition, table, groups, self._by, ())
        except SayingError as error:
            self._fault(deal, "bad_result", str(error))
            return
        except ServiceError as error:
            self._fault(deal, error.code, error.detail)
            return
        row = self._stand.get((*at, number))
        what = _what(row, wire(places))
        before_ = None if row is None else row.places
        version = None if row is None else row.version
        yield Result(deal.at.at, what, where, places, before_, version)

    def _table(self, deal: Deal, named: list[int]) -> tuple[int, int] | None:
        """The table that is told, or the one of that round where all who are named sit."""
        rounds = [row.number for row in self._rounds if self._meant(deal, row)]
        if not rounds:
            told = f"round {deal.round}" if deal.round is not None else "such round"
            self._fault(deal, "no_round", f"No {told} was drawn.")
            return None
        found = [
            at
            for at, seats in sorted(self._seats.items())
            if at[0] in rounds
            and (at[1] == deal.table if deal.table is not None else set(named) <= set(seats))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            self._fault(deal, "several_tables", "It can be several tables: tell round and table.")
        else:
            why = "They sit at no table together." if deal.table is None else "No such table."
            self._fault(deal, "no_table", why)
        return None

    def _meant(self, deal: Deal, row: Round) -> bool:
        if deal.round is not None:
            return row.number == deal.round
        if deal.day is None:
            return row.state == Round.State.PLAYING
        zone = ZoneInfo(self._competition.club.zone)
        return deal.day.fits(row.created_at.astimezone(zone).date())

    def _fault(self, deal: Deal, code: str, why: str) -> None:
        self._faults.append(Fault(deal.at.at, code, why))


def _what(row: DealResult | None, places: list[list[int]]) -> What:
    if row is None or (row.state == DealResult.State.VOID and not row.places):
        return What.NEW
    same = row.places == places and row.state == DealResult.State.CONFIRMED
    return What.SAME if same else What.CHANGED


def _chips(competition: Competition, who: Who, told: Sequence[Chips]) -> Iterator[Given]:
    rows = LedgerRow.objects.filter(competition=competition, kind__in=BY_HAND, body__source=SOURCE)
    stand: dict[tuple[int, str], int] = {}
    bodies: Any = rows.values_list("body", flat=True)
    for body in bodies:
        at = body["entry"], body["night"]
        stand[at] = stand.get(at, 0) + body["chips"]
    known: dict[Cell, int | None] = {}
    for one in told:
        if one.who not in known:
            known[one.who] = who.of(one.who)
        entry = known[one.who]
        if entry is None:
            continue
        before = stand.get((entry, one.night))
        what = What.NEW if before is None else What.CHANGED
        if one.chips == (before or 0):
            what = What.SAME
        yield Given(one.cell.at, what, entry, one.night, one.chips, before or 0)


def _counted(deals: Sequence[Deal], faults: list[Fault]) -> Iterator[Chips]:
    """Deals of nights that were played elsewhere: a chip for who was last in each."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for deal in deals:
        said = repr(tuple(deal.day)) if deal.day else deal.round and f"round {deal.round}"
        if not said:
            faults.append(Fault(deal.at.at, "no_round", "On which day or in which round?"))
            continue
        night = hashlib.sha256(said.encode()).hexdigest()[:12]
        for loser in deal.groups[-1]:
            found.setdefault((night, loser.text.casefold()), []).append(loser)
    for (night, _), cells in found.items():
        yield Chips(cells[0], cells[0], night, len(cells))
