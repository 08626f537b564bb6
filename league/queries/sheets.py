"""A competition as tables of cells: entries, standings, results, ledger. For CSV and XLSX."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from league import polite
from league.models import Competition, Entry
from league.queries import archive
from league.queries.standings import folded, standings

Cell = str | int | None
Sheet = Iterator[Sequence[Cell]]

# A spreadsheet takes a cell that begins with one of these for a formula.
_HOT: Final = ("=", "+", "-", "@", "\t", "\r")
_CONTROL: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32)])


def inert(cell: Any) -> Cell:
    """A cell that no spreadsheet carries out.

    >>> inert("=1+1"), inert("Aino"), inert(-3), inert("\\t=1")
    ("'=1+1", 'Aino', -3, "'\\t=1")
    """
    if cell is None or isinstance(cell, int):
        return cell
    text = str(cell).translate(_CONTROL)
    return f"'{text}" if text.startswith(_HOT) else text


def rows(sheet: str, competition: Competition) -> Iterator[list[Cell]]:
    """One table with its heads, all cells inert."""
    for row in SHEETS[sheet](competition):
        cells = [inert(cell) for cell in row]
        if competition.club.polite and sheet != "ledger":
            cells = [polite.text(cell) if isinstance(cell, str) else cell for cell in cells]
        yield cells


def _entries(competition: Competition) -> Sheet:
    yield ("entry", "player", "name", "kind", "state", "seed", "place", "version")
    found = Entry.objects.filter(competition=competition).select_related("player")
    for row in found.order_by("number"):
        who = row.player
        yield (row.number, who.pk, who.name, who.kind, row.state, row.seed, row.place, row.version)


def _standings(competition: Competition) -> Sheet:
    yield ("rank", "entry", "name", "state", "place", "chips", "losses", "deals", "first_places")
    for row in standings(competition):
        sums, entry = row.ranked.line.sums, row.entry
        head = (row.ranked.rank, entry.number, row.player.name, entry.state, entry.place)
        yield (*head, sums.chips, sums.losses, sums.deals, sums.first_places)


def _results(competition: Competition) -> Sheet:
    """A row for each seat of each deal that counts, as the newest version has it."""
    yield ("round", "table", "deal", "place", "entry", "name")
    fold = folded(competition)
    entries = Entry.objects.filter(competition=competition)
    names = dict(entries.values_list("number", "player__name"))
    for (round_number, table), result in sorted(fold.tables.items()):
        for deal, places in sorted(result.deals.items()):
            for place, number in _placed(places):
                yield (round_number, table, deal, place, number, names[number])


def _ledger(competition: Competition) -> Sheet:
    yield (
        "ledger_seq",
        "at",
        "event",
        "round",
        "table",
        "deal",
        "entry",
        "version",
        "body",
        "hash",
    )
    for row in archive.ledger(competition):
        parents = (row["round"], row["table"], row["deal"], row["entry"])
        at, body = row["at"].isoformat(), json.dumps(row["body"], ensure_ascii=False)
        yield (row["ledger_seq"], at, row["event"], *parents, row["version"], body, row["hash"])


def _placed(places: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    place = 1
    for group in places:
        yield from ((place, number) for number in group)
        place += len(group)


SHEETS: Final[dict[str, Callable[[Competition], Sheet]]] = {
    "standings": _standings,
    "entries": _entries,
    "results": _results,
    "ledger": _ledger,
}
