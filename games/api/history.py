"""Finished games over the API: a list with filters, and the same in bulk, one JSON line a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request

from config.kit.operation import Operation
from config.kit.paging import MOST, USUAL
from config.kit.params import StrictSerializer
from config.kit.wire import dumps
from games.api.examples import RULES, gets
from games.api.shapes import RulesShape, Shape
from games.authentication import viewer_of
from games.engine import PRESETS, Ending
from games.engine.resigning import ENDING as RESIGNED
from games.models import GameRecord
from games.queries import history
from games.queries.history import Wanted

LINES = "application/x-ndjson"
BIGGEST_ID = 2**63 - 1
MOST_LINES = 10_000
MOST_SEATS = 6
AT_ONCE = 100


class FilterQuery(StrictSerializer):
    """Which finished games. Dates are those at which a game was made."""

    player = s.IntegerField(min_value=1, max_value=BIGGEST_ID, required=False)
    place = s.IntegerField(
        min_value=1, max_value=MOST_SEATS, required=False, help_text="Of `player`, from 1."
    )
    competition = s.IntegerField(min_value=1, max_value=BIGGEST_ID, required=False)
    preset = s.ChoiceField(
        sorted(PRESETS), required=False, help_text="Played exactly as this preset."
    )
    rules = s.RegexField(r"^[0-9a-f]{12}$", required=False, help_text="Hash of a rules card.")
    ending = s.ChoiceField([*(ending.value for ending in Ending), RESIGNED], required=False)
    since = s.DateTimeField(required=False)
    until = s.DateTimeField(required=False)
    cursor = s.UUIDField(required=False, help_text="Only what comes after this game.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """A place is somebody's; a preset has a hash."""
        if "place" in given and "player" not in given:
            raise s.ValidationError({"place": ["Name the `player` whose place it is."]})
        if "preset" in given and "rules" in given:
            raise s.ValidationError({"rules": ["Name a preset or a hash, not both."]})
        return given


class FinishedGamesQuery(FilterQuery):
    """Which finished games, and how many at once."""

    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class ExportQuery(FilterQuery):
    """Which finished games, how many lines, and whether with their records."""

    limit = s.IntegerField(min_value=1, max_value=MOST_LINES, default=MOST_LINES)
    records = s.BooleanField(
        default=False, help_text="Each line has `record` too, null while the deck is in play."
    )


class FinishedSeatShape(Shape):
    """Who sat there and how it ended for him."""

    player = s.IntegerField()
    name = s.CharField(allow_null=True)
    place = s.IntegerField()


class FinishedGameShape(Shape):
    """A finished game; its cards are in its record."""

    id = s.UUIDField()
    rules = RulesShape()
    dealer = s.IntegerField()
    seats = FinishedSeatShape(many=True)
    ending = s.CharField()
    rated = s.BooleanField()
    competition = s.IntegerField(allow_null=True)
    made_at = s.DateTimeField()
    started_at = s.DateTimeField(allow_null=True)
    ended_at = s.DateTimeField()


class FinishedGamesShape(Shape):
    """A page of finished games."""

    results = FinishedGameShape(many=True)
    next = s.CharField(allow_null=True)


EXAMPLE = {
    "id": "019ac3f5-0f2e-7b1c-9d55-0a4c3a5e1f00",
    "rules": RULES,
    "dealer": 0,
    "seats": [{"player": 1, "name": "Aino", "place": 1}, {"player": 2, "name": "B", "place": 2}],
    "ending": "over",
    "rated": False,
    "competition": None,
    "made_at": "2026-11-30T18:00:00Z",
    "started_at": "2026-11-30T18:00:20Z",
    "ended_at": "2026-11-30T18:09:00Z",
}


class Finished(Operation):
    """`/games/finished`"""

    query = FinishedGamesQuery

    @extend_schema(
        operation_id="list_finished_games",
        summary="List finished games",
        description="The newest first. One's own private games are listed with `player` = oneself.",
        tags=["games"],
        parameters=[FinishedGamesQuery],
        responses=FinishedGamesShape,
        examples=[gets({"results": [EXAMPLE], "next": None})],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """A page of them."""
        return self.listed(request, _wanted(request, self.params), "-id", history.wires)


class Export(Operation):
    """`/games/finished.ndjson`"""

    query = ExportQuery

    @extend_schema(
        operation_id="export_finished_games",
        summary="Export finished games",
        description="One JSON object a line; to read on, send the last line's `id` as `cursor`.",
        tags=["games"],
        parameters=[ExportQuery],
        responses={(200, LINES): FinishedGameShape},
        examples=[
            OpenApiExample("answer", EXAMPLE, response_only=True, media_type=LINES),
        ],
        auth=[],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Written as it is read."""
        records = _wanted(request, self.params)
        if self.params["records"]:
            records = records.select_related("deck")
        viewer = viewer_of(request)
        lines = _lines(
            history.in_turn(records, self.params.get("cursor"), self.params["limit"]),
            self.params["records"],
            None if viewer is None else viewer.pk,
        )
        return StreamingHttpResponse(lines, content_type=LINES)


def _wanted(request: Request, params: dict[str, Any]) -> QuerySet[GameRecord]:
    """The records, as the viewer may see them."""
    viewer = viewer_of(request)
    preset = params.get("preset")
    wanted = Wanted(
        player=params.get("player"),
        place=params.get("place"),
        competition=params.get("competition"),
        rules_hash=params.get("rules") if preset is None else PRESETS[preset].hash,
        ending=params.get("ending"),
        since=params.get("since"),
        until=params.get("until"),
    )
    return history.finished(wanted, None if viewer is None else viewer.pk)


def _lines(records: Iterator[GameRecord], whole: bool, viewer_id: int | None) -> Iterator[bytes]:
    while part := list(islice(records, AT_ONCE)):
        for record, wire in zip(part, history.wires(part), strict=True):
            if whole:
                wire["record"] = history.whole(record, viewer_id)
            yield dumps(wire) + b"\n"
