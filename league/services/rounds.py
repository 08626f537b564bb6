"""Open a round (draw, tables, seats) and close it (places, who is out, the next one or the end).

Everything happens under the competition's lock, so however often and from wherever it is asked,
a round opens and closes once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from config.kit import acts, clock, receipts
from league.errors import TooFewHereError
from league.formats.field import Draw, Field, Outcome, TableDone, TableDraw
from league.formats.playoff import decided
from league.formats.printed import as_printed
from league.formats.registry import FORMATS
from league.formats.settings import NextRound, Results, Settings
from league.models import (
    Competition,
    Entry,
    Format,
    LedgerRow,
    Night,
    Round,
    Stage,
    Table,
    TableSeat,
)
from league.queries import nights
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
    if _goes_on(competition) or entered.count() < 2:
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
    """Draw and store the next round, of who is there where a night is open; with fewer than two
    left it is over. The caller holds the competition's lock."""
    stage = Stage.objects.filter(competition=competition).latest("number")
    number = Round.objects.filter(competition=competition).count() + 1
    settings = competition.chosen
    entries = still_in(competition)
    field = field_of(competition, stage, settings, entries)
    if len(field.entrants) < 2:
        alone = _left_alone(field)
        _leave(competition, number - 1, alone)
        _finish(competition, stage, alone)
        return Due()
    told: dict[str, Any] = {"printed": True} if printed and stage.format == Format.ROUNDS else {}
    gathered = nights.gathered(competition, clock.now())
    if gathered is None:
        return _draw(competition, stage, field, entries, told)
    if len(gathered.there) < 2:
        raise TooFewHereError("Two must be there at least.", there=len(gathered.there))
    told |= {
        "night": gathered.night.number,
        "here": list(gathered.there),
        "late": list(gathered.late),
    }
    return _draw(competition, stage, field.on_a_night(gathered.there, gathered.late), entries, told)


def _draw(
    competition: Competition,
    stage: Stage,
    field: Field,
    entries: Sequence[Entry],
    told: Mapping[str, Any],
) -> Due:
    """Seat a field and store the round; `told` is what the draw was told beside the field."""
    number = Round.objects.filter(competition=competition).count() + 1
    draw = as_printed if "printed" in told else FORMATS[stage.format].draw
    drawn = draw(field, competition.chosen, draw_seed(competition, number))
    opened = Round.objects.create(
        competition=competition, stage=stage, number=number, draw={**_draw_wire(drawn), **told}
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
    opened.state = Round.State.CLOSED
    opened.closed_at = clock.now()
    opened.save(update_fields=["state", "closed_at"])
    if "tied" in opened.draw:
        return _play_off(competition, opened)
    settings = competition.chosen
    field = field_of(competition, opened.stage, settings, still_in(competition))
    result = FORMATS[opened.stage.format].close(field, settings)
    _leave(competition, opened.number, result)
    if result.over:
        return _end(competition, opened.stage, result)
    if competition.state != Competition.State.RUNNING:
        return Due()
    if after_the_last_night(competition):
        return end_inside(competition)
    return open_inside(competition) if _goes_on(competition) else Due()


def after_the_last_night(competition: Competition) -> bool:
    """Whether so many nights are closed as a season has: then it ends with the last table."""
    closed = nights.of(competition).filter(state=Night.State.CLOSED).count()
    over = competition.state in (Competition.State.FINISHED, Competition.State.VOID)
    return 0 < competition.chosen.nights <= closed and not over


def end_inside(competition: Competition) -> Due:
    """The end of a season, by hand: who is in is placed by the standings. No round is open, and the
    caller holds the competition's lock."""
    stage = Stage.objects.filter(competition=competition).latest("number")
    numbers = tuple(entry.number for entry in still_in(competition))
    result = Outcome({}, numbers, over=True)
    _leave(competition, Round.objects.filter(competition=competition).count(), result)
    return _end(competition, stage, result)


def _end(competition: Competition, stage: Stage, result: Outcome) -> Due:
    """It is over, unless who shares the win plays for it."""
    tied = _first(competition)
    if competition.chosen.playoff and len(tied) > 1:
        return _open_play_off(competition, stage, tied)
    _finish(competition, stage, result)
    return Due()


def _open_play_off(competition: Competition, stage: Stage, tied: Sequence[int]) -> Due:
    entries = Entry.objects.filter(competition=competition, number__in=tied)
    playing = list(entries.select_related("player", "substitute").order_by("number"))
    field = field_of(competition, stage, competition.chosen, playing)
    return _draw(competition, stage, field, playing, {"tied": list(tied)})


def _play_off(competition: Competition, played: Round) -> Due:
    """A play-off deal is over: who has won, or who plays on for it."""
    tied = played.draw["tied"]
    tables = Table.objects.filter(round=played, state=Table.State.DONE)
    done = [TableDone(tuple(tuple(g) for g in table.places or ())) for table in tables]
    behind = [[n, place] for n, place in decided(tied, done).items() if place > 1]
    for number, place in behind:
        Entry.objects.filter(competition=competition, number=number).update(place=place)
    if behind:
        out = {"round": played.number, "entries": behind}
        (row,) = ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ELIMINATION, out)])
        tallies.eliminate(competition, row)
    left = _first(competition)
    # A deal that was abandoned decides nothing: they share the win.
    if behind and len(left) > 1:
        return _open_play_off(competition, played.stage, left)
    _finish(competition, played.stage, Outcome())
    return Due()


def _first(competition: Competition) -> list[int]:
    first = Entry.objects.filter(competition=competition, place=1).order_by("number")
    return list(first.values_list("number", flat=True))


def _goes_on(competition: Competition) -> bool:
    """Whether the next round follows at once: not by hand, and a night has so many."""
    if competition.chosen.next_round != NextRound.AT_ONCE:
        return False
    gathered = nights.gathered(competition, clock.now())
    if gathered is None:
        return not nights.of(competition).exclude(state=Night.State.OFF).exists()
    more = len(nights.rounds_of(gathered.night)) < gathered.night.rounds
    return more and len(gathered.there) > 1


def _left_alone(field: Field) -> Outcome:
    return Outcome(dict.fromkeys(field.numbers, 1), field.numbers, over=True)


def _draw_wire(drawn: Draw) -> dict[str, Any]:
    return {**drawn.cost.to_json(), "proof": drawn.proof.value}


def _tables(
    competition: Competition, opened: Round, drawn: Draw, entries: Sequence[Entry]
) -> list[Table]:
    known = {entry.number: entry for entry in entries}
    gone = entrants.absent([entry.plays for entry in entries])
    gone |= {entry.plays.pk for entry in checkin.absent(competition, entries)}
    late = set(opened.draw.get("late", ()))
    night = nights.of(competition).filter(number=opened.draw.get("night")).first()
    online = night is not None and night.online
    tables = Table.objects.bulk_create(
        _table(opened, number, table, known, competition.chosen, online=online)
        for number, table in enumerate(drawn.tables, start=1)
    )
    TableSeat.objects.bulk_create(
        TableSeat(
            round=opened,
            table=table,
            index=index,
            entry=known[number],
            stand_in=known[number].plays.pk in gone,
            away=number in late,
        )
        for table, seats in zip(tables, drawn.tables, strict=True)
        for index, number in enumerate(seats.seats)
    )
    return tables


def _table(
    opened: Round,
    number: int,
    drawn: TableDraw,
    known: dict[int, Entry],
    settings: Settings,
    *,
    online: bool,
) -> Table:
    table = Table(round=opened, number=number, advance=drawn.advance, deals_planned=0)
    if len(drawn.seats) == 1:
        table.kind, table.state = Table.Kind.HOUSE, Table.State.DONE
        table.places, table.done_at = [list(drawn.seats)], clock.now()
        return table
    table.kind = Table.Kind.TYPED
    if settings.results == Results.ENGINE or online:
        table.kind = kind_of(known[seat].plays.agent_ref for seat in drawn.seats)
    table.deals_planned = 1 if "tied" in opened.draw else settings.deals_per_table
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
    finished = {"state": Competition.State.FINISHED, "winners": _first(competition)}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, finished)])
