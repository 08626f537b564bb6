"""Results into the ledger: one row for a table when all its deals are played.

A table is done once: whoever finds it done already, or not to be his, changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction

from config.kit import clock
from games.models import Game, Seat
from league.formats.deals import Played, next_deal, order, standing
from league.formats.settings import Settings
from league.formats.tallying import Sums, table_sums, total
from league.models import Competition, LedgerRow, Table
from league.queries import tables as queries
from league.queries.locks import lock_competition
from league.queries.tables import TableView
from league.services import driven, ledger, rounds, tallies
from league.services.due import Due

# Who has played what a result says.
SOURCES = {Table.Kind.EVENTED: "online"}
BOTS = "bots"
_CHANGED = ["state", "places", "done_at", "deals_done", "due_at"]
_CHANGED += ["lease_owner", "lease_until", "attempts"]


@dataclass(frozen=True)
class TableDone:
    """A table with all its deals. `marks`: what happened to seats, by deal, for the result."""

    view: TableView
    played: Sequence[Played]
    marks: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def settle_deal(game_id: UUID) -> Due:
    """Go on after a game of a table: the next deal, or the table's result.

    Safe to repeat: what comes next follows from the records alone.
    """
    game = Game.objects.filter(pk=game_id).first()
    if game is None or game.table_ref is None or game.competition_ref is None:
        return Due()
    with transaction.atomic(durable=True):
        competition = lock_competition(game.competition_ref)
        (view,) = queries.views(Table.objects.filter(pk=game.table_ref))
        return go_on(competition, view)


def go_on(competition: Competition, view: TableView) -> Due:
    """What comes next at a table of games; nothing new while the competition is paused. The caller
    holds the lock."""
    if view.table.state != Table.State.PLAYING:
        return Due()
    played = queries.played(view)
    deal = next_deal(view.plan, played)
    if deal is None:
        record(competition, [TableDone(view, played, _marks(view))])
        return rounds.close_inside(competition)
    Table.objects.filter(pk=view.table.pk).update(deals_done=len(standing(played)))
    if competition.state == Competition.State.PAUSED:
        return Due()
    return driven.make_game(view, deal)


def record(competition: Competition, done: Sequence[TableDone]) -> None:
    """Write the results of tables. The caller holds the lock and knows that none is done yet."""
    facts = [_fact(table) for table in done]
    ledger.append(competition, facts)
    settings = competition.chosen
    if settings.recounts:
        tallies.recompute_inside(competition, write=True)
    else:
        tallies.apply(competition, total(_sums(fact.body, settings) for fact in facts))
    now = clock.now()
    for table, fact in zip(done, facts, strict=True):
        row = table.view.table
        row.state, row.places, row.done_at = Table.State.DONE, fact.body["places"], now
        row.deals_done, row.due_at = len(fact.body["deals"]), None
        row.lease_owner, row.lease_until, row.attempts = "", None, 0
    Table.objects.bulk_update([table.view.table for table in done], _CHANGED)


def _fact(done: TableDone) -> ledger.Fact:
    counted = standing(done.played)
    odd = {
        str(deal.number): [deal.redeal, deal.ending]
        for deal in counted
        if deal.redeal or deal.ending != "over"
    }
    body: dict[str, Any] = {
        "round": done.view.round.number,
        "table": done.view.table.number,
        "version": 1,
        "source": SOURCES.get(Table.Kind(done.view.table.kind), BOTS),
        "deals": [[list(group) for group in deal.places] for deal in counted],
        "places": [[number] for number in order(done.view.plan, done.played)],
    }
    # Redeals and endings only of deals that had them; faults and stand-ins likewise.
    if odd:
        body["odd"] = odd
    if done.marks:
        body["marks"] = list(done.marks)
    return ledger.Fact(LedgerRow.Kind.RESULT_CONFIRMED, body, done.view.table.pk)


def _sums(body: Mapping[str, Any], settings: Settings) -> dict[int, Sums]:
    deals = dict(enumerate(body["deals"], start=1))
    return table_sums(deals, body["places"], body["round"], settings)


def _marks(view: TableView) -> list[dict[str, Any]]:
    seats = Seat.objects.filter(game__table_ref=view.table.pk).select_related("game")
    marked = seats.filter(faults__gt=0) | seats.filter(stand_in_at__isnull=False)
    return [
        {
            "deal": seat.game.deal_number,
            "redeal": seat.game.redeal,
            "entry": seat.entrant,
            "faults": seat.faults,
            "stand_in": seat.stand_in_at is not None,
        }
        for seat in marked.order_by("game__deal_number", "game__redeal", "entrant")
    ]
