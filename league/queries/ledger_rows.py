"""Rows of a ledger, the newest first: all of them, of a player, of a night, of a kind.

A night is the rounds that were drawn on one date in the club's zone; what is drawn before six in
the morning belongs to the evening before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import BooleanField, F, Func, Q, QuerySet, Value

from config.kit.paging import Page, page
from league.models import Competition, LedgerRow, Round

Kind = LedgerRow.Kind
NIGHT_ENDS: Final = timedelta(hours=6)
A_PAGE: Final = 50


class Group(StrEnum):
    """What rows are about."""

    RESULTS = "results"
    CORRECTIONS = "corrections"
    CHIPS = "chips"
    PEOPLE = "people"
    ROUNDS = "rounds"


KINDS: Final[Mapping[Group, tuple[Kind, ...]]] = {
    Group.RESULTS: (Kind.RESULT_REPORTED, Kind.RESULT_CONFIRMED),
    Group.CORRECTIONS: (
        Kind.RESULT_DISPUTED,
        Kind.RESULT_RULED,
        Kind.RESULT_AMENDED,
        Kind.RESULT_VOIDED,
    ),
    Group.CHIPS: (Kind.CHIP, Kind.ADJUSTMENT, Kind.ELIMINATION),
    Group.PEOPLE: (Kind.ENTRY_ADDED, Kind.ENTRY_DROPPED, Kind.ENTRY_SUBSTITUTED, Kind.CHECKIN),
    Group.ROUNDS: (
        Kind.ROUND_DRAWN,
        Kind.ROUND_REDRAWN,
        Kind.TABLE_STARTED,
        Kind.COMPETITION_STATE,
        Kind.RATINGS_UPDATED,
    ),
}


@dataclass(frozen=True)
class Wanted:
    """What to show: an entry by number, a night, a group; all of it where nothing is said."""

    entry: int = 0
    night: date | None = None
    group: Group | None = None
    before: int = 0


def rows(competition: Competition, wanted: Wanted) -> Page:
    """A page of them; `next` is the number to go on before. Two queries at most."""
    found = LedgerRow.objects.filter(competition=competition)
    if wanted.group is not None:
        found = found.filter(kind__in=KINDS[wanted.group])
    if wanted.night is not None:
        numbers = dict(nights(competition)).get(wanted.night, [])
        found = found.filter(body__round__in=numbers)
    if wanted.entry:
        found = _about(found, wanted.entry)
    return page(found, "-seq", wanted.before or None, A_PAGE, lambda cursor: cursor)


def nights(competition: Competition) -> list[tuple[date, list[int]]]:
    """The nights, the newest first, each with the rounds drawn on it."""
    zone = ZoneInfo(competition.club.zone)
    found: dict[date, list[int]] = {}
    drawn = Round.objects.filter(competition=competition).order_by("-number")
    for number, at in drawn.values_list("number", "created_at"):
        found.setdefault((at.astimezone(zone) - NIGHT_ENDS).date(), []).append(number)
    return list(found.items())


def newest_versions(shown: list[LedgerRow]) -> dict[int, int]:
    """By row of a result: the row that tells its deal, or its whole table, as it stands now."""
    tables = {row.table_ref for row in shown if row.table_ref is not None}
    if not tables:
        return {}
    told = LedgerRow.objects.filter(table_ref__in=tables, kind__startswith="result.")
    newest: dict[tuple[int | None, int | None], int] = {}
    for table, deal, seq in told.order_by("seq").values_list("table_ref", "body__deal", "seq"):
        newest[table, deal] = seq
    return {
        row.seq: newest[row.table_ref, row.body.get("deal")]
        for row in shown
        if (row.table_ref, row.body.get("deal")) in newest and row.kind.startswith("result.")
    }


def _about(found: QuerySet[LedgerRow], entry: int) -> QuerySet[LedgerRow]:
    """Rows that name the entry: in places and seats it stands in groups, so a group that holds it
    is looked for; of those who have left, the number stands before the place."""
    alone = [[entry]]
    left = Func(
        F("body"),
        Value(f"$.entries[*][0] ? (@ == {int(entry)})"),
        template="%(function)s(%(expressions)s::jsonpath)",
        function="jsonb_path_exists",
        output_field=BooleanField(),
    )
    return found.annotate(left=left).filter(
        Q(body__entry=entry)
        | Q(body__places__contains=alone)
        | Q(body__contested__contains=alone)
        | Q(body__deals__contains=[alone])
        | Q(body__tables__contains=alone)
        | Q(body__revoked__contains=[entry])
        | Q(left=True)
    )
