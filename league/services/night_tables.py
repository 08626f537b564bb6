"""The tables of a night's round: what is open there, how they end, who plays where.

Works under the competition's lock. At tables of people a deal that was reported counts when the
round is ended; online a deal that is being played is played to its end.
"""

from django.db import transaction

from config.kit import acts, clock, receipts
from games.models import Game
from games.services.endings import LIVE, void_game
from league.errors import BadSeatError
from league.formats.deals import next_deal, table_order
from league.formats.saying import Step
from league.models import Competition, DealResult, LedgerRow, Round, Table
from league.queries import tables as queries
from league.queries.locks import lock_competition
from league.queries.tables import unfinished
from league.services import driven, ledger, results, tallies
from league.services.due import Due
from league.services.typed_rows import write
from league.services.typed_tables import Where, places_in, wire

State = DealResult.State
Kind = Table.Kind


def left_open(drawn: Round) -> list[str]:
    """What would be cut short if the round ended now: `table 2: deal 3 disputed`."""
    found = []
    told: dict[int, list[DealResult]] = {}
    for row in DealResult.objects.filter(table__round=drawn).exclude(state=State.VOID):
        told.setdefault(row.table_id, []).append(row)
    for table in unfinished().filter(round=drawn).order_by("number"):
        rows = sorted(told.get(table.pk, ()), key=lambda row: row.deal)
        by_state = [f"deal {r.deal} {r.state}" for r in rows if r.state != State.CONFIRMED]
        missing = table.deals_planned - (len(rows) or table.deals_done)
        by_state += [f"{missing} of {table.deals_planned} deals to play"] if missing > 0 else []
        found.append(f"table {table.number}: {', '.join(by_state) or 'open'}")
    return found


def end(competition: Competition, drawn: Round) -> Due:
    """End the tables of a round with the deals there are; the caller closes the round."""
    due, confirmed = Due(), False
    open_tables = list(unfinished().filter(round=drawn).order_by("number"))
    for table in open_tables:
        if table.kind == Kind.TYPED:
            confirmed |= _confirm(competition, table)
    if confirmed:
        tallies.recompute_inside(competition, write=True)
    for table in open_tables:
        if table.kind == Kind.TYPED:
            _end_typed(competition, table)
        else:
            due += _end_played(competition, table)
    return due


def call_off_waiting(drawn: Round) -> None:
    """Call off the games of a round that nobody has begun. Raises nothing: whether one has begun,
    who takes the round back asks."""
    tables = Table.objects.filter(round=drawn).values("pk")
    waiting = Game.objects.filter(table_ref__in=tables, state__in=LIVE, ply=0).order_by("pk")
    for pk in list(waiting.values_list("pk", flat=True)):
        void_game(pk, "redrawn")


def play_as(
    where: Where, kind: Table.Kind, actor: str, receipt: receipts.Draft | None = None
) -> tuple[Table, Due]:
    """Play a table on the site (`evented`), or at a table of wood (`typed`), before its first deal
    has begun. Raises `BadSeatError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(where.competition_id)
        table = table_at(competition, where)
        if receipts.repeated(receipt) is not None or table.kind == kind:
            return table, Due()
        games = Game.objects.filter(table_ref=table.pk)
        begun = games.filter(ply__gt=0).exists() or DealResult.objects.filter(table=table).exists()
        if begun or table.deals_done or kind not in (Kind.TYPED, Kind.EVENTED):
            raise BadSeatError("The table has begun.", why="begun")
        for pk in list(games.filter(state__in=LIVE).values_list("pk", flat=True)):
            void_game(pk, "typed")
        table.kind, table.due_at = kind, None
        table.save(update_fields=["kind", "due_at"])
        due = _deal(table) if kind == Kind.EVENTED else Due()
        target = f"competition:{competition.pk}/{where.round}/{where.table}"
        acts.log(actor, "table.kind", target, kind=kind.value)
        receipts.keep(receipt, {})
        return table, due


def table_at(competition: Competition, where: Where) -> Table:
    """A table of the round that is played. Raises `BadSeatError`."""
    tables = unfinished().filter(
        round__competition=competition,
        round__number=where.round,
        round__state=Round.State.PLAYING,
        number=where.table,
    )
    table = tables.select_related("round").first()
    if table is None:
        raise BadSeatError("The table is not being played.", why="not_playing")
    return table


def _deal(table: Table) -> Due:
    (view,) = queries.views(Table.objects.filter(pk=table.pk))
    deal = next_deal(view.plan, queries.played(view))
    assert deal is not None
    return driven.make_game(view, deal)


def _confirm(competition: Competition, table: Table) -> bool:
    rows = DealResult.objects.filter(table=table, state=State.REPORTED).order_by("deal")
    found = list(rows)
    for row in found:
        row.confirms_at = None
        write(competition, table, row, Step.CONFIRM)
    return bool(found)


def _end_typed(competition: Competition, table: Table) -> None:
    rows = DealResult.objects.filter(table=table, state=State.CONFIRMED).exclude(places=[])
    counted = [places_in(row) for row in rows]
    table.deals_done, table.done_at = len(counted), clock.now()
    table.state = Table.State.DONE if counted else Table.State.VOID
    table.places = wire(table_order(counted)) if counted else None
    table.save(update_fields=["deals_done", "done_at", "state", "places"])
    if not counted:
        _void(competition, table)


def _void(competition: Competition, table: Table) -> None:
    body = {
        "round": table.round.number,
        "table": table.number,
        "version": 1,
        "reason": "unplayed",
    }
    fact = ledger.Fact(LedgerRow.Kind.RESULT_VOIDED, body, table.pk)
    ledger.append(competition, [fact])


def _end_played(competition: Competition, table: Table) -> Due:
    games = Game.objects.filter(table_ref=table.pk, state__in=LIVE)
    if games.filter(ply__gt=0).exists():
        # What is being played counts: the round closes when it is over.
        Table.objects.filter(pk=table.pk).update(deals_planned=table.deals_done + 1)
        return Due()
    for pk in list(games.values_list("pk", flat=True)):
        void_game(pk, "night_over")
    if not table.deals_done:
        table.state, table.due_at = Table.State.VOID, None
        table.save(update_fields=["state", "due_at"])
        _void(competition, table)
        return Due()
    Table.objects.filter(pk=table.pk).update(deals_planned=table.deals_done)
    (view,) = queries.views(Table.objects.filter(pk=table.pk))
    return results.go_on(competition, view)
