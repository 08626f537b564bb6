"""What there is to see of a competition over the API: bracket, tables, standings, ledger."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request

from config.kit import etag
from config.kit.operation import Operation
from config.kit.paging import page
from config.kit.wire import dumps
from games.api.examples import gets
from games.api.play import LAST_EVENT_ID
from league.api.clubs import viewer_id
from league.api.examples import (
    DASHBOARD,
    DEAL,
    DISPUTE,
    LEDGER_ROW,
    ROUND,
    STANDING,
    TABLE,
    TALLY,
    all_of,
)
from league.api.shapes import (
    DashboardShape,
    LedgerQuery,
    LedgerShape,
    OneTableShape,
    RoundsShape,
    StandingsShape,
    TalliesShape,
)
from league.models import Competition, LedgerRow, PenaltyTally
from league.queries import brackets, documents, visible
from league.queries.dashboards import dashboard
from league.queries.disputes import disputes
from league.queries.standings import standings, steps_of

FOLLOWING = (
    "The ledger's rows after `after`, the same for every viewer, from row 1, for ever. Asked for "
    "`text/event-stream` it stays open: each row is an event with its number as `id` and its "
    "`event` as type. In passing, without `id`: `standings.changed` and `table.live` (rows that "
    "changed, at most once a second; all of them at first), `progress`, `queue` (bots that have "
    "turns waiting for room) and `disputes`, as in the dashboard document. `Last-Event-ID` or "
    "`after` resume. A comment comes every 10 seconds. Browsers open "
    "a private club's with a ticket: `?ticket=` (`POST /stream-tickets`)."
)
LIST = {**all_of(LEDGER_ROW), "next": None}
STREAM = f"id: 2\nevent: entry.added\ndata: {dumps(LEDGER_ROW).decode()}\n\n"


class Rounds(Operation):
    """`/competitions/{id}/rounds`"""

    @extend_schema(
        operation_id="get_rounds",
        summary="Get the bracket: rounds, tables, seats",
        tags=["competitions"],
        responses=RoundsShape,
        examples=[gets(all_of(ROUND))],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """All rounds that are drawn."""
        found = _seen(request, competition_id)
        answer = {"results": brackets.rounds(found), "ledger_seq": found.ledger_seq}
        return etag.answer(request, answer)


class OneTable(Operation):
    """`/competitions/{id}/rounds/{round}/tables/{table}`"""

    @extend_schema(
        operation_id="get_table",
        summary="Get a table with its deals",
        tags=["competitions"],
        responses=OneTableShape,
        examples=[gets({**TABLE, "deals": [DEAL]})],
        auth=[],
    )
    def get(
        self, request: Request, competition_id: int, round_number: int, table_number: int
    ) -> HttpResponse:
        """The table, its deals and where their games and records are."""
        found = _seen(request, competition_id)
        table = brackets.table(found, round_number, table_number)
        deals = [
            {**deal, "links": _links(deal["game"], deal["state"])} for deal in brackets.deals(table)
        ]
        return etag.answer(request, {**brackets.table_wire(table), "deals": deals})


class Standings(Operation):
    """`/competitions/{id}/standings`"""

    @extend_schema(
        operation_id="get_standings",
        summary="Get the standings, each row with its reason",
        tags=["competitions"],
        responses=StandingsShape,
        examples=[gets({"steps": ["place", "chips"], "disputes": [DISPUTE], **all_of(STANDING)})],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """Best first."""
        found = _seen(request, competition_id)
        answer = {
            "steps": steps_of(found),
            "disputes": disputes(found),
            "results": documents.standings(standings(found)),
            "ledger_seq": found.ledger_seq,
        }
        return etag.answer(request, answer)


class Tallies(Operation):
    """`/competitions/{id}/tallies`"""

    @extend_schema(
        operation_id="get_tallies",
        summary="Get the penalty tallies",
        tags=["competitions"],
        responses=TalliesShape,
        examples=[gets(all_of(TALLY))],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """By entry number."""
        found = _seen(request, competition_id)
        rows = PenaltyTally.objects.filter(competition=found).select_related("entry", "player")
        tallies = [documents.tally(row) for row in rows.order_by("entry__number")]
        return etag.answer(request, {"results": tallies, "ledger_seq": found.ledger_seq})


class Ledger(Operation):
    """`/competitions/{id}/ledger`"""

    query = LedgerQuery

    @extend_schema(
        operation_id="get_ledger",
        summary="Read the ledger",
        description="Numbered from 1 without gaps, chained, never changed.",
        tags=["competitions"],
        parameters=[LedgerQuery],
        responses=LedgerShape,
        examples=[gets({**all_of(LEDGER_ROW), "next": None})],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """Rows with a number above `after`."""
        return etag.answer(request, _ledger(request, competition_id, self.params))


class Events(Operation):
    """`/competitions/{id}/events`"""

    query = LedgerQuery

    @extend_schema(
        operation_id="get_competition_events",
        summary="Follow a competition, by polling or as a stream",
        description=FOLLOWING,
        tags=["competitions"],
        parameters=[LedgerQuery, LAST_EVENT_ID],
        responses={
            (200, "application/json"): LedgerShape,
            (200, "text/event-stream"): OpenApiTypes.STR,
        },
        examples=[
            OpenApiExample("list", LIST, response_only=True, media_type="application/json"),
            OpenApiExample("stream", STREAM, response_only=True, media_type="text/event-stream"),
        ],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The same for every viewer, from row 1, for ever."""
        response = etag.answer(request, _ledger(request, competition_id, self.params))
        response["Vary"] += ", Accept"
        return response


class Dashboard(Operation):
    """`/competitions/{id}/dashboard`"""

    @extend_schema(
        operation_id="get_dashboard",
        summary="Get all of a competition in one document",
        tags=["competitions"],
        responses=DashboardShape,
        examples=[gets(DASHBOARD)],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """Poll it with `If-None-Match`: 304 while nothing has changed."""
        return etag.answer(request, dashboard(_seen(request, competition_id)))


def _seen(request: Request, competition_id: int) -> Competition:
    return visible.competition(competition_id, viewer_id(request))


def _ledger(request: Request, competition_id: int, params: dict[str, int]) -> dict[str, object]:
    found = _seen(request, competition_id)
    rows = LedgerRow.objects.filter(competition=found)

    def address(cursor: str) -> str:
        return f"{request.path}?{urlencode({'after': cursor, 'limit': params['limit']})}"

    rows_page = page(rows, "seq", params["after"], params["limit"], address)
    return {
        "results": [documents.ledger_row(row) for row in rows_page.rows],
        "next": rows_page.next,
        "ledger_seq": found.ledger_seq,
    }


def _links(game: str, state: str) -> dict[str, str]:
    address = f"/api/v1/games/{game}"
    return {"record": f"{address}/record"} if state == "over" else {"game": address}
