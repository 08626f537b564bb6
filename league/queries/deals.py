"""One deal of a competition: how it stands, all versions of it, and where else its players sat."""

from collections.abc import Iterable
from dataclasses import dataclass

from league.errors import NoDealError
from league.models import Competition, DealResult, Entry, LedgerRow, Round, Table
from league.queries import nicknames
from league.queries.sitting import sitting

Kind = LedgerRow.Kind
Places = list[list[int]]
_STATES = {
    Kind.RESULT_REPORTED: DealResult.State.REPORTED,
    Kind.RESULT_DISPUTED: DealResult.State.DISPUTED,
    Kind.RESULT_VOIDED: DealResult.State.VOID,
}


@dataclass(frozen=True)
class Told:
    """A row of the ledger that tells a version of the deal."""

    seq: int
    kind: str
    version: int
    places: Places
    row: LedgerRow


@dataclass(frozen=True)
class Story:
    """A deal. `names`: everybody of the competition; `seats`: who sat at the table; `versions`:
    oldest first, without those of which nothing stands."""

    table: Table
    deal: int
    names: dict[int, str]
    seats: tuple[int, ...]
    state: str
    version: int
    places: Places
    forfeits: list[int]
    contested: Places | None
    by: str
    contested_by: str
    versions: tuple[Told, ...]

    @property
    def typed(self) -> bool:
        """Whether it was typed in; others were played here, and their whole table has versions."""
        return self.table.kind == Table.Kind.TYPED


def story(competition: Competition, round_number: int, table_number: int, deal: int) -> Story:
    """The deal. Raises `NoDealError` where nothing was ever told of it."""
    rounds = Round.objects.filter(competition=competition, number=round_number)
    tables = Table.objects.select_related("round__stage", "round__competition__club")
    table = tables.filter(round__in=rounds, number=table_number).first()
    if table is None:
        raise NoDealError("There is no such deal.")
    here = sitting(table)
    rows = LedgerRow.objects.filter(table_ref=table.pk, kind__startswith="result.")
    told = tuple(_versions(rows.order_by("seq"), deal))
    if not told:
        raise NoDealError("Nothing is told of this deal.")
    row = next((one for one in here.results if one.deal == deal), None)
    newest = told[-1]
    return Story(
        table=table,
        deal=deal,
        names=names(competition) | here.names,
        seats=here.numbers,
        state=row.state if row else _STATES.get(Kind(newest.kind), DealResult.State.CONFIRMED),
        version=row.version if row else newest.version,
        places=row.places if row else newest.places,
        forfeits=row.forfeits if row else [],
        contested=row.contested if row else None,
        by=row.entered_by.name if row and row.entered_by else "",
        contested_by=row.contested_by.name if row and row.contested_by else "",
        versions=told,
    )


def names(competition: Competition) -> dict[int, str]:
    """Everybody who has an entry, by number."""
    entries = Entry.objects.filter(competition=competition).select_related("player")
    called = nicknames.of(competition.club_id)
    return {entry.number: called.get(entry.player_id, entry.player.name) for entry in entries}


def counted_twice(told: Story) -> list[int]:
    """Who of the deal is told in the deal of the same number of another table of the round."""
    others = DealResult.objects.filter(
        table__round=told.table.round, deal=told.deal, state=DealResult.State.CONFIRMED
    ).exclude(table=told.table)
    elsewhere = {n for places in others.values_list("places", flat=True) for g in places for n in g}
    return sorted(elsewhere & {number for group in told.places for number in group})


def same_again(told: Story) -> list[int]:
    """The deals of the table that were told exactly alike, the order known: one too many?"""
    if len(told.places) < 2:
        return []
    others = DealResult.objects.filter(table=told.table, state=DealResult.State.CONFIRMED)
    rows = others.exclude(deal=told.deal).order_by("deal").values_list("deal", "places")
    return [deal for deal, places in rows if places == told.places]


def _versions(rows: Iterable[LedgerRow], deal: int) -> list[Told]:
    found = []
    for row in rows:
        body, version = row.body, row.body.get("version", 1)
        if body.get("deal") == deal:
            found.append(Told(row.seq, row.kind, version, body.get("places", []), row))
        elif "deals" in body and 1 <= deal <= len(body["deals"]):
            found.append(Told(row.seq, row.kind, version, body["deals"][deal - 1], row))
        elif "deal" not in body and row.kind == Kind.RESULT_VOIDED:
            found.append(Told(row.seq, row.kind, version, [], row))
    return found
