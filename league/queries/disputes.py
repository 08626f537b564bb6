"""What is in dispute, and what the standings would say if the one or the other were right."""

from collections.abc import Mapping

from league.formats.folding import Fold
from league.formats.tallying import Sums
from league.models import Competition, DealResult, PenaltyTally
from league.queries.standings import folded
from league.queries.wires import DisputeWire, VersionWire


def disputes(competition: Competition) -> list[DisputeWire]:
    """All of them, by round, table and deal. One query where there are none, else three."""
    rows = DealResult.objects.filter(
        table__round__competition=competition, state=DealResult.State.DISPUTED
    )
    order = ("table__round__number", "table__number", "deal")
    found = list(rows.select_related("table__round").order_by(*order))
    if not found:
        return []
    fold, names = folded(competition), _names(competition)
    return [_dispute(fold, names, row) for row in found]


def _dispute(fold: Fold, names: Mapping[int, str], row: DealResult) -> DisputeWire:
    where = {"round": row.table.round.number, "table": row.table.number, "deal": row.deal}
    versions = [_version(fold, where, places) for places in (row.places, row.contested or [])]
    told = "; ".join(_if(version, names) for version in versions)
    at = f"round {row.table.round.number}, table {row.table.number}, deal {row.deal}"
    return {
        "round": row.table.round.number,
        "table": row.table.number,
        "deal": row.deal,
        "version": row.version,
        "versions": versions,
        "text": f"One deal in dispute ({at}): {told}.",
    }


def _version(fold: Fold, where: Mapping[str, int], places: list[list[int]]) -> VersionWire:
    """The chips of the table's seats if these were the places of the deal; the fold, in which what
    is in dispute counts nowhere, is left as it was."""
    if places:
        fold.add(0, "result.ruled", {**where, "places": places})
    sums = fold.sums()
    fold.add(0, "result.disputed", where)
    concerned = sorted({number for group in places for number in group})
    return {
        "places": places,
        "chips": {str(number): sums.get(number, Sums()).chips for number in concerned},
    }


def _if(version: VersionWire, names: Mapping[int, str]) -> str:
    if len(version["places"]) < 2:
        return "if nobody lost it, nobody takes a chip for it"
    last = version["places"][-1]
    who = " and ".join(names[number] for number in last)
    chips = ", ".join(f"{names[n]} has {_chips(version['chips'][str(n)])}" for n in last)
    return f"if {who} lost it, {chips}"


def _chips(number: int) -> str:
    return "one chip" if number == 1 else f"{number} chips"


def _names(competition: Competition) -> dict[int, str]:
    rows = PenaltyTally.objects.filter(competition=competition)
    return dict(rows.values_list("entry__number", "player__name"))
