"""Open a round (draw, tables, seats) and close it (places, who is out, the next one or the end).

Everything happens under the competition's lock, so however often and from wherever it is asked,
a round opens and closes once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from config.kit import acts, clock, receipts
from league.formats.field import Draw, Field, Outcome, TableDraw
from league.formats.printed import as_printed
from league.formats.registry import FORMATS
from league.formats.settings import NextRound, Results, Settings
from league.models import Competition, Entry, Format, LedgerRow, Round, Stage, Table, TableSeat
from league.queries.fields import draw_seed, field_of, still_in
from league.queries.locks import lock_competition
from league.queries.standings import standings
from league.queries.tables import kind_of, unfinished
from league.services import checkin, driven, entrants, ledger, tallies
from league.services.due import Due, each

# Tables whose deals are games of their own.
_BY_GAMES = (Table.Kind.DRIVEN, Table.Kind.EVENTED)


def open(
    competition_id: int,
    actor: str = "",
    receipt: receipts.Draft | None = None,
    printed: bool = False,
) -> Due:
    """Open the next round of a running competition, unless one is open. `actor` as the act log
    names him; "": nobody in particular. `printed`: as the sheet shows it that was printed ahead."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None:
            return Due()
        before = competition.ledger_seq
        due = open_if_none_inside(competition, printed)
        if actor and competition.ledger_seq > before:
            acts.log(actor, "round.opened", f"competition:{competition.pk}")
        receipts.keep(receipt, {})
        return due


def open_if_none_inside(competition: Competition, printed: bool = False) -> Due:
    """`open` for a service that holds the competition's lock."""
    playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING)
    if competition.state != Competition.State.RUNNING or playing.exists():
        return Due()
    return open_inside(competition, printed)


def go_on_inside(competition: Competition) -> Due:
    """Open the next round after a pause, where nobody is to open it by hand."""
    entered = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
    if _goes_on(competition.chosen) or entered.count() < 2:
        return open_if_none_inside(competition)
    return Due()


def close(round_id: int) -> Due:
    """Close a round whose tables are all done and go on; does nothing if one is not."""
    competition_id = Round.objects.values_list("competition", flat=True).get(pk=round_id)
    with transaction.atomic(durable=True):
        return close_inside(lock_competition(competition_id))


def close_overdue() -> Due:
    """Close rounds that have no table left to play: something died before it could."""
    left = unfinished().filter(round=OuterRef("pk"))
    overdue = Round.objects.filter(~Exists(left), state=Round.State.PLAYING)
    return each(close, overdue.order_by("pk").values_list("pk", flat=True)[:100])


def open_inside(competition: Competition, printed: bool = False) -> Due:
    """Draw and store the next round; with fewer than two left it is over. The caller holds the
    competition's lock."""
    stage = Stage.objects.filter(competition=competition).latest("number")
    number = Round.objects.filter(competition=competition).count() + 1
    settings = competition.chosen
    seed = draw_seed(competition, number)
    entries = still_in(competition)
    field = field_of(competition, stage, settings, entries)
    if len(field.entrants) < 2:
        alone = _left_alone(field)
        _leave(competition, number - 1, alone)
        _finish(competition, stage, alone)
        return Due()
    by_lot = printed and stage.format == Format.ROUNDS
    drawn = (as_printed if by_lot else FORMATS[stage.format].draw)(field, settings, seed)
    opened = Round.objects.create(
        competition=competition, stage=stage, number=number, draw=_draw_wire(drawn)
    )
    tables = _tables(competition, opened, drawn, entries)
    facts = {
        "round": number,
        "tables": [list(table.seats) for table in drawn.tables],
        **opened.draw,
    }
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ROUND_DRAWN, facts)])
    due = driven.begin([table for table in tables if table.kind in _BY_GAMES])
    house = any(table.kind == Table.Kind.HOUSE and not _is_bye(table) for table in tables)
    return due + Due(house=house)


def close_inside(competition: Competition) -> Due:
    """Close the open round if its tables are all done. The caller holds the competition's lock."""
    playing = Round.objects.filter(competition=competition, state=Round.State.PLAYING)
    opened = playing.select_related("stage").first()
    if opened is None or unfinished().filter(round=opened).exists():
        return Due()
    settings = competition.chosen
    field = field_of(competition, opened.stage, settings, still_in(competition))
    result = FORMATS[opened.stage.format].close(field, settings)
    opened.state = Round.State.CLOSED
    opened.closed_at = clock.now()
    opened.save(update_fields=["state", "closed_at"])
    _leave(competition, opened.number, result)
    if result.over:
        _finish(competition, opened.stage, result)
    elif competition.state == Competition.State.RUNNING and _goes_on(settings):
        return open_inside(competition)
    return Due()


def _goes_on(settings: Settings) -> bool:
    return settings.next_round == NextRound.AT_ONCE


def _left_alone(field: Field) -> Outcome:
    return Outcome(dict.fromkeys(field.numbers, 1), field.numbers, over=True)


def _draw_wire(drawn: Draw) -> dict[str, Any]:
    return {**asdict(drawn.cost), "proof": drawn.proof.value}


def _tables(
    competition: Competition, opened: Round, drawn: Draw, entries: Sequence[Entry]
) -> list[Table]:
    known = {entry.number: entry for entry in entries}
    gone = entrants.absent([entry.plays for entry in entries])
    gone |= {entry.plays.pk for entry in checkin.absent(competition, entries)}
    tables = Table.objects.bulk_create(
        _table(opened, number, table, known, competition.chosen)
        for number, table in enumerate(drawn.tables, start=1)
    )
    TableSeat.objects.bulk_create(
        TableSeat(
            round=opened,
            table=table,
            index=index,
            entry=known[number],
            stand_in=known[number].plays.pk in gone,
        )
        for table, seats in zip(tables, drawn.tables, strict=True)
        for index, number in enumerate(seats.seats)
    )
    return tables


def _table(
    opened: Round, number: int, drawn: TableDraw, known: dict[int, Entry], settings: Settings
) -> Table:
    table = Table(round=opened, number=number, advance=drawn.advance, deals_planned=0)
    if len(drawn.seats) == 1:
        table.kind, table.state = Table.Kind.HOUSE, Table.State.DONE
        table.places, table.done_at = [list(drawn.seats)], clock.now()
        return table
    table.kind = Table.Kind.TYPED
    if settings.results == Results.ENGINE:
        table.kind = kind_of(known[seat].plays.agent_ref for seat in drawn.seats)
    table.deals_planned = settings.deals_per_table
    if table.kind == Table.Kind.HOUSE:
        table.due_at = Now()
    else:
        table.state = Table.State.PLAYING
    return table


def _is_bye(table: Table) -> bool:
    return table.deals_planned == 0


def _leave(competition: Competition, round_number: int, result: Outcome) -> None:
    places = dict(result.places)
    if result.over:
        places.update(final_places(competition, result))
    places.update(_unplaced(competition, result, places))
    entries = list(Entry.objects.filter(competition=competition, number__in=places))
    for entry in entries:
        entry.place = places[entry.number]
        if entry.state == Entry.State.ENTERED and entry.number not in result.still_in:
            entry.state = Entry.State.OUT
    Entry.objects.bulk_update(entries, ["place", "state"])
    leaving = sorted(
        (place, number) for number, place in places.items() if number not in result.still_in
    )
    if leaving:
        out = {"round": round_number, "entries": [[n, place] for place, n in leaving]}
        (row,) = ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ELIMINATION, out)])
        tallies.eliminate(competition, row)


def _unplaced(
    competition: Competition, result: Outcome, places: Mapping[int, int]
) -> dict[int, int]:
    """Who has dropped, or when it is over is in without having been seated: behind all others."""
    states = [Entry.State.DROPPED, *([Entry.State.ENTERED] if result.over else [])]
    found = Entry.objects.filter(
        competition=competition, state__in=states, place=None, tally__isnull=False
    )
    left = set(found.values_list("number", flat=True)) - set(places) - set(result.still_in)
    return dict.fromkeys(left, len(set(places) | set(result.still_in)) + 1)


def final_places(competition: Competition, result: Outcome) -> dict[int, int]:
    """Who is still in at the end is placed by the standings, unless the format has done it."""
    left = [number for number in result.still_in if number not in result.places]
    ranked = [row for row in standings(competition) if row.entry.number in left]
    ranks = sorted(row.ranked.rank for row in ranked)
    return {row.entry.number: ranks.index(row.ranked.rank) + 1 for row in ranked}


def _finish(competition: Competition, stage: Stage, result: Outcome) -> None:
    competition.state = Competition.State.FINISHED
    competition.finished_at = stage.finished_at = clock.now()
    competition.save(update_fields=["state", "finished_at"])
    stage.save(update_fields=["finished_at"])
    first = Entry.objects.filter(competition=competition, place=1).order_by("number")
    winners = list(first.values_list("number", flat=True))
    finished = {"state": Competition.State.FINISHED, "winners": winners}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, finished)])
