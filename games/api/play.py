"""One game over the API: look, move, legal actions, events, record, proof."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework.request import Request

from config.kit import etag
from config.kit.operation import Operation
from config.kit.params import read_body
from config.kit.wire import dumps
from games.api.examples import EVENTS, GAME, MOVE, PROOF, RECORD, STREAM, asks, gets
from games.api.shapes import (
    EventsQuery,
    EventsShape,
    GameQuery,
    GameShape,
    LegalShape,
    MoveRequest,
    MoveShape,
    ProofShape,
    RecordShape,
    VerdictShape,
)
from games.authentication import player_of, viewer_of
from games.engine import IllegalAction
from games.errors import NotYourSeatError
from games.looking import glance, look
from games.models import Player, Token
from games.queries.objects import game_wire, game_wire_at
from games.queries.played import Played, load
from games.queries.proofs import proof_wire, record_wire, verdict
from games.queries.views import numbered
from games.services import moves
from games.services.moves import Acted
from games.tasks import follow_up

FOLLOWING = (
    "Numbers have no gaps and are the same for everybody; `after` reads on from the last one you "
    "have. Asked for `text/event-stream` it stays open until the game ends: an `event` for all "
    "that happens, with its number as `id`; a `view`, the game as `GET /games/{id}` shows it to "
    "you, whenever that has changed; an `end`. `Last-Event-ID` or `after` resume. A comment comes "
    "every 10 seconds. `events_gone` (410) names the `snapshot` to start from. Browsers open it "
    "with a ticket: `?ticket=` (`POST /stream-tickets`)."
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Of streams: go on after this number. Browsers send it by themselves.",
)


def current(game_id: UUID, viewer: Player | None) -> Played:
    """The game as it stands for this viewer."""
    return look(game_id, _id(viewer))


class OneGame(Operation):
    """`/games/{id}`"""

    query = GameQuery

    @extend_schema(
        operation_id="get_game",
        summary="Look at a game",
        description=(
            "Who sits there sees the seat's own view, everybody else the public one: of rated "
            "games between bots one lap late. `ply` looks back at how it stood."
        ),
        tags=["games"],
        parameters=[GameQuery],
        responses=GameShape,
        examples=[gets(GAME)],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Cheap to poll with `If-None-Match`."""
        viewer, ply = _id(viewer_of(request)), self.params.get("ply")
        if ply is not None:
            played = look(game_id, viewer)
            return etag.answer(request, game_wire_at(played, played.seat_of(viewer), ply))
        found = glance(game_id, viewer)
        return etag.answer_tagged(request, found.body, found.tag)


class Moves(Operation):
    """`/games/{id}/moves`"""

    @extend_schema(
        operation_id="make_move",
        summary="Make a move",
        description=(
            "`move_number` numbers your decisions from 1 (the game shows it). The same number "
            "with the same action gets the same answer; another action gets `stale_move`."
        ),
        tags=["games"],
        request=MoveRequest,
        responses=MoveShape,
        examples=[asks({"move_number": 2, "action": "P:7C7D"}), gets(MOVE)],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """The straight line of docs/architecture.md."""
        player = player_of(request)
        body = read_body(request, MoveRequest)
        try:
            acted = moves.act(game_id, player.pk, body["move_number"], body["action"])
        except IllegalAction as error:
            error.data["legal"] = _legal(game_id, player)
            raise
        follow_up(acted.progress)
        return HttpResponse(dumps(move_wire(acted)), content_type="application/json")


class Legal(Operation):
    """`/games/{id}/legal`"""

    @extend_schema(
        operation_id="list_legal_actions",
        summary="List what your seat may do now",
        tags=["games"],
        responses=LegalShape,
        examples=[gets({"seat": 0, "move_number": 2, "legal": ["P:4x1", "P:7x1", "P:7x2"]})],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Empty while it is not your turn."""
        player = player_of(request, Token.Scope.READ)
        played = current(game_id, player)
        seat = played.seat_of(player.pk)
        if seat is None:
            raise NotYourSeatError("You have no seat in this game.")
        wire = game_wire(played, seat)
        return etag.answer(request, {k: wire[k] for k in ("seat", "move_number", "legal")})


class Events(Operation):
    """`/games/{id}/events`"""

    query = EventsQuery

    @extend_schema(
        operation_id="list_events",
        summary="List what has happened, as you may know it",
        description=FOLLOWING,
        tags=["games"],
        parameters=[EventsQuery, LAST_EVENT_ID],
        responses={
            (200, "application/json"): EventsShape,
            (200, "text/event-stream"): OpenApiTypes.STR,
            204: OpenApiResponse(description="The stream is over and you have all of it."),
        },
        examples=[
            OpenApiExample("list", EVENTS, response_only=True, media_type="application/json"),
            OpenApiExample("stream", STREAM, response_only=True, media_type="text/event-stream"),
        ],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """From the deal on, or after a number."""
        viewer = viewer_of(request)
        played = current(game_id, viewer)
        after, seat = self.params["after"], played.seat_of(_id(viewer))
        shown = played.shown(seat)
        events = [] if shown is None else numbered(shown, seat, after, played.story)
        last = events[-1]["number"] if events else after
        wire = {"events": events, "last": last, "state": played.row.state}
        response = etag.answer(request, wire)
        response["Vary"] += ", Accept"
        return response


class GameRecord(Operation):
    """`/games/{id}/record`"""

    @extend_schema(
        operation_id="get_record",
        summary="Download the record of a finished game",
        description="`deck_in_play` until every game from its deck is over.",
        tags=["games"],
        responses=RecordShape,
        examples=[gets(RECORD)],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The whole game, replayable anywhere."""
        return etag.answer(request, record_wire(current(game_id, viewer_of(request))))


class Proof(Operation):
    """`/games/{id}/proof`"""

    @extend_schema(
        operation_id="get_proof",
        summary="Download the proof that a deal was honest",
        description="`deck_in_play` until every game from its deck is over.",
        tags=["games"],
        responses=ProofShape,
        examples=[gets(PROOF)],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Seed, entropies, times and the head of the chain."""
        return etag.answer(request, proof_wire(current(game_id, viewer_of(request))))


class Verdict(Operation):
    """`/games/{id}/verdict`"""

    @extend_schema(
        operation_id="verify_game",
        summary="Verify a deal on the server",
        description=(
            "What the verifier says of the proof. The server checks itself here: to trust nobody, "
            "get the proof and run `housu.pyz verify`."
        ),
        tags=["games"],
        responses=VerdictShape,
        examples=[
            gets({"ok": True, "plies": 61, "ending": "over", "places": [[1], [0]], "proof": True})
        ],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """`deck_in_play` until every game from its deck is over."""
        return etag.answer(request, verdict(current(game_id, viewer_of(request))))


def move_wire(acted: Acted) -> dict[str, Any]:
    """The answer to a move as JSON."""
    return {
        "game": str(acted.game_id),
        "seat": acted.seat,
        "move_number": acted.move_number,
        "action": acted.action,
        "by": acted.by.word,
        "waiting": acted.waiting,
        "ply": acted.ply,
        "link": None if acted.link is None else acted.link.hex(),
        "view": acted.view,
    }


def _id(viewer: Player | None) -> int | None:
    return None if viewer is None else viewer.pk


def _legal(game_id: UUID, player: Player) -> list[str]:
    played = load(game_id, player.pk)
    seat = played.seat_of(player.pk)
    return [] if played.game is None or seat is None else played.game.legal(seat)
