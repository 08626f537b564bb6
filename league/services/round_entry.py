"""Many deals of a round entered at once by who keeps scores: each for itself, in one transaction.

What can not be taken is told by deal and the others stand; who sends it again changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db import transaction

from config.kit import receipts
from config.kit.errors import ServiceError
from league.formats.saying import Saying, Step
from league.models import Competition
from league.queries.locks import lock_competition
from league.services import typed
from league.services.due import Due
from league.services.typed_rows import follow
from league.services.typed_tables import By, Where, table_of, told_at


@dataclass(frozen=True)
class Line:
    """A deal and how it went; `seen` is the version known, None for none."""

    table: int
    deal: int
    places: Sequence[Sequence[int]]
    seen: int | None = None
    forfeits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """How many deals have changed, what was refused by (table, deal), and whom to wake."""

    changed: int
    refused: Mapping[tuple[int, int], ServiceError]
    due: Due


def enter(
    competition_id: int,
    round_number: int,
    lines: Iterable[Line],
    by: By,
    receipt: receipts.Draft | None = None,
) -> Outcome:
    """Enter them all. A receipt is kept where nothing was refused."""
    refused: dict[tuple[int, int], ServiceError] = {}
    changed, due = 0, Due()
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        before = receipts.repeated(receipt)
        if before is not None:
            return Outcome(before["changed"], {}, Due())
        ordered = sorted(lines, key=lambda line: (line.table, line.deal))
        for _, of_table in groupby(ordered, key=lambda line: line.table):
            done, more = _enter(competition, round_number, list(of_table), by, refused)
            changed, due = changed + done, due + more
        if not refused:
            receipts.keep(receipt, {"changed": changed})
    return Outcome(changed, refused, due)


def _enter(
    competition: Competition,
    round_number: int,
    lines: Sequence[Line],
    by: By,
    refused: dict[tuple[int, int], ServiceError],
) -> tuple[int, Due]:
    """The deals of one table; what follows from them is looked at once."""
    changed, table = 0, None
    for line in lines:
        where = Where(competition.pk, round_number, line.table, line.deal)
        try:
            table = table_of(competition, where)
            places = told_at(competition, table, line.places, by, line.forfeits)
            says = Saying(places, by.player_id, by.organiser, line.seen, line.forfeits)
            entered = typed.take(competition, table, line.deal, says, {})
        except ServiceError as error:
            refused[line.table, line.deal] = error
            continue
        if entered.step is not Step.NOTHING:
            typed.log(entered, where, by)
            changed += 1
    due = follow(competition, table) if table is not None and changed else Due()
    return changed, due
