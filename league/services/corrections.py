"""Corrections: a result that stood is changed, and what follows from it is put right.

`preview` does all of it and takes it back, so it says exactly what `amend` would do. Later rounds
are kept as played; the next one is drawn anew where that is asked for and nothing of it has begun.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from config.kit import acts, receipts
from games.models import Game, GameRecord
from league.errors import (
    BadResultError,
    NoDealError,
    ResultChangedError,
    RoundBegunError,
    TableNotFoundError,
)
from league.formats.deals import Played, order
from league.formats.field import Entrant, Field, Outcome, Places
from league.formats.folding import Fold
from league.formats.registry import FORMATS
from league.formats.saying import SayingError, places_of
from league.models import Competition, DealResult, Entry, LedgerRow, Round, Table
from league.queries.fields import rounds_of
from league.queries.locks import lock_competition
from league.queries.standings import standings
from league.queries.tables import views
from league.services import ledger, rounds, tallies
from league.services.due import Due


@dataclass(frozen=True)
class Correction:
    """A table's deals as they should have been, `reason` a code. `seen` is the version the caller
    knows."""

    competition_id: int
    round: int
    table: int
    deals: Sequence[Sequence[Sequence[int]]]
    reason: str
    seen: int
    redraw: bool = False


@dataclass(frozen=True)
class Change:
    """An entry before and after: rank, chips, place, whether it is in."""

    entry: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def preview(correction: Correction) -> list[Change]:
    """What a correction would change. Raises what `amend` does."""
    with transaction.atomic(durable=True):
        competition = lock_competition(correction.competition_id)
        before = _shown(competition)
        trial = transaction.savepoint()
        _amend(competition, correction)
        after = _shown(competition)
        transaction.savepoint_rollback(trial)
    return [
        Change(number, before.get(number, {}), row)
        for number, row in after.items()
        if before.get(number) != row
    ]


def amend(
    correction: Correction, actor: str, receipt: receipts.Draft | None = None
) -> tuple[int, Due]:
    """Write a new version of a table's result; the old one stays readable in the ledger.

    Raises `TableNotFoundError`, `NoDealError`, `BadResultError`, `ResultChangedError`,
    `RoundBegunError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return outcome["version"], Due()
        competition = lock_competition(correction.competition_id)
        version, due = _amend(competition, correction)
        target = f"competition:{competition.pk}/{correction.round}/{correction.table}"
        acts.log(actor, "result.amended", target, version=version, redraw=correction.redraw)
        receipts.keep(receipt, {"version": version})
        return version, due


def undo(
    competition_id: int, round_number: int, table_number: int, actor: str, seen: int
) -> tuple[int, Due]:
    """Write the version before the newest one again, as another version."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        table = _table(competition, round_number, table_number)
        rows = _versions(table)
        if len(rows) < 2:
            raise NoDealError("There is nothing to undo.")
        correction = Correction(
            competition_id, round_number, table_number, rows[-2].body["deals"], "undo", seen
        )
        version, due = _amend(competition, correction)
        target = f"competition:{competition.pk}/{round_number}/{table_number}"
        acts.log(actor, "result.undone", target, version=version)
        return version, due


def reconsider(competition: Competition, changed: Round, *, redraw: bool) -> Due:
    """Put right what follows from a changed result of a closed round: who left it and where.

    Who has played on since stays in. With `redraw` the next round, if nothing of it has begun, is
    drawn anew from the new result. The caller holds the competition's lock.
    """
    if changed.state != Round.State.CLOSED:
        return Due()
    outcome = _outcome(competition, changed)
    following = Round.objects.filter(competition=competition, number__gt=changed.number)
    following = following.exclude(state=Round.State.VOID)
    if competition.state == Competition.State.FINISHED and not redraw:
        return _finished_anew(competition, changed, list(following.order_by("number")))
    if redraw:
        _take_back(competition, list(following))
        return _leave_anew(competition, changed, outcome, set()) + rounds.open_inside(competition)
    played_on = set(following.values_list("tables__seats__entry__number", flat=True))
    return _leave_anew(competition, changed, outcome, played_on)


def _finished_anew(competition: Competition, changed: Round, later: Sequence[Round]) -> Due:
    """Places after a correction of what is over: nobody comes back in, and nobody has none."""
    last = later[-1] if later else changed
    final = _outcome(competition, last)
    final = replace(final, places={**final.places, **rounds.final_places(competition, final)})
    due = Due()
    if later:
        seats = Entry.objects.filter(seats__round__in=later)
        played_on = set(seats.values_list("number", flat=True))
        outcome = _outcome(competition, changed)
        # Who should have gone on, but has not, stands right behind who has.
        back = set(outcome.still_in) - played_on
        places = {**outcome.places, **dict.fromkeys(back, len(outcome.still_in) + 1)}
        stay = tuple(n for n in outcome.still_in if n not in back)
        due = _leave_anew(
            competition, changed, replace(outcome, places=places, still_in=stay), played_on
        )
    return due + _leave_anew(competition, last, final, set())


def _amend(competition: Competition, correction: Correction) -> tuple[int, Due]:
    table = _table(competition, correction.round, correction.table)
    newest = _versions(table)[-1].body
    if correction.seen != newest["version"]:
        raise ResultChangedError(
            "The result has changed since.", version=newest["version"], deals=newest["deals"]
        )
    deals = _checked(table, correction.deals)
    places = _order(table, deals)
    body = {
        **newest,
        "version": newest["version"] + 1,
        "deals": [[list(group) for group in deal] for deal in deals],
        "places": places,
        "reason": correction.reason,
    }
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.RESULT_AMENDED, body, table.pk)])
    table.places, table.deals_done = places, len(deals)
    table.save(update_fields=["places", "deals_done"])
    tallies.recompute_inside(competition, write=True)
    due = reconsider(competition, table.round, redraw=correction.redraw)
    tallies.recompute_inside(competition, write=True)
    return body["version"], due


def _checked(table: Table, deals: Sequence[Sequence[Sequence[int]]]) -> list[Places]:
    sat = list(table.seats.order_by("index").values_list("entry__number", flat=True))
    try:
        checked = [places_of(deal, sat, []) for deal in deals if deal]
    except SayingError as error:
        raise BadResultError(str(error), field="deals") from error
    # Only sudden deaths are played by some of the table.
    for deal in checked[: table.deals_planned]:
        if sum(len(group) for group in deal) != len(sat):
            raise BadResultError("Everybody at the table played this deal.", field="deals")
    return checked


def _order(table: Table, deals: Sequence[Places]) -> list[list[int]]:
    """The order of the table, sudden deaths and seeds as when it was played."""
    (view,) = views(Table.objects.filter(pk=table.pk))
    played = [Played(number, 0, deal, "over") for number, deal in enumerate(deals, start=1)]
    return [[number] for number in order(view.plan, played)]


def _versions(table: Table) -> list[LedgerRow]:
    kinds = [LedgerRow.Kind.RESULT_CONFIRMED, LedgerRow.Kind.RESULT_AMENDED]
    rows = LedgerRow.objects.filter(table_ref=table.pk, kind__in=kinds)
    found = [row for row in rows.order_by("seq") if "deals" in row.body]
    if not found:
        raise NoDealError("The table has no result yet that could be corrected.")
    return found


def _table(competition: Competition, round_number: int, table_number: int) -> Table:
    tables = Table.objects.select_related("round__stage").filter(
        round__competition=competition, round__number=round_number, number=table_number
    )
    table = tables.first()
    if table is None:
        raise TableNotFoundError("There is no such table.")
    return table


def _outcome(competition: Competition, closed: Round) -> Outcome:
    """What the round comes to with the results as they stand now."""
    settings = competition.chosen
    stage = closed.stage
    earlier = Round.objects.filter(stage=stage, number__lte=closed.number)
    played = rounds_of(stage)[: earlier.exclude(state=Round.State.VOID).count()]
    seated = Entry.objects.filter(seats__round=closed).exclude(state=Entry.State.DROPPED)
    chips = _chips_after(competition, closed.number)
    entrants = tuple(
        Entrant(entry.number, entry.seed or entry.number, chips=chips.get(entry.number, 0))
        for entry in seated.order_by("number")
    )
    return FORMATS[stage.format].close(Field(entrants, played), settings)


def _chips_after(competition: Competition, round_number: int) -> dict[int, int]:
    fold = Fold(competition.chosen)
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    for seq, kind, body in rows.values_list("seq", "kind", "body").iterator():
        if body.get("round", 0) <= round_number:
            fold.add(seq, kind, body)
    return {number: sums.chips for number, sums in fold.sums().items()}


def _leave_anew(
    competition: Competition, closed: Round, outcome: Outcome, played_on: set[int]
) -> Due:
    """Set who has left in the round, and with which place, but for those who have played on."""
    here = set(closed.tables.values_list("seats__entry__number", flat=True)) - played_on
    changed, entered, revoked = [], [], []
    for entry in Entry.objects.filter(competition=competition, number__in=here):
        leaves = entry.number not in outcome.still_in
        place = outcome.places.get(entry.number)
        state = _state(entry, leaves=leaves, over=outcome.over)
        if (entry.place, entry.state) == (place, state):
            continue
        if leaves and place is not None:
            entered.append([entry.number, place])
        elif entry.state == Entry.State.OUT:
            revoked.append(entry.number)
        entry.place, entry.state = place, state
        changed.append(entry)
    if not changed:
        return Due()
    Entry.objects.bulk_update(changed, ["place", "state"])
    body = {"round": closed.number, "entries": sorted(entered), "revoked": sorted(revoked)}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ELIMINATION, body)])
    return Due()


def _state(entry: Entry, *, leaves: bool, over: bool) -> Entry.State:
    if entry.state == Entry.State.DROPPED:
        return Entry.State.DROPPED
    return Entry.State.OUT if leaves else Entry.State.ENTERED


def _take_back(competition: Competition, following: Sequence[Round]) -> None:
    """Void the one round that follows. Raises `RoundBegunError` if anything of it has begun."""
    if len(following) != 1 or competition.state != Competition.State.RUNNING:
        raise RoundBegunError("Only the next round can be drawn anew, while it runs.")
    (drawn,) = following
    tables = Table.objects.filter(round=drawn)
    begun = tables.filter(deals_planned__gt=0).exclude(deals_done=0, lease_owner="")
    if drawn.state != Round.State.PLAYING or begun.exists() or _has_play(drawn):
        raise RoundBegunError("The next round has begun: keep it as it is.", round=drawn.number)
    tables.update(state=Table.State.VOID, due_at=None)
    drawn.state = Round.State.VOID
    drawn.save(update_fields=["state"])
    body = {"round": drawn.number}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ROUND_REDRAWN, body)])


def _has_play(drawn: Round) -> bool:
    """Whether anything was played or typed at a table of the round."""
    tables = Table.objects.filter(round=drawn).values("pk")
    played = GameRecord.objects.filter(table_ref__in=tables).exists()
    begun = Game.objects.filter(table_ref__in=tables, ply__gt=0).exists()
    return played or begun or DealResult.objects.filter(table__in=tables).exists()


def _shown(competition: Competition) -> dict[int, dict[str, Any]]:
    return {
        row.entry.number: {
            "rank": row.ranked.rank,
            "chips": row.tally.chips,
            "losses": row.tally.losses,
            "place": row.entry.place,
            "state": row.entry.state,
        }
        for row in standings(competition)
    }
