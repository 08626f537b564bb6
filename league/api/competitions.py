"""Competitions over the API: open, list, start."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import clock, etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token
from league.api.clubs import viewer_id
from league.api.examples import COMPETITION, SETTINGS, listed
from league.api.shapes import (
    CompetitionShape,
    CompetitionsQuery,
    CompetitionsShape,
    NewCompetitionRequest,
    NothingRequest,
)
from league.api.shapes.asking import OPEN_FOR_ENTRIES
from league.models import Competition
from league.queries import documents, roles, visible
from league.services import competitions
from league.services.competitions import NewCompetition
from league.tasks import follow_up

PLAYER = OpenApiParameter("player_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class Competitions(Operation):
    """`/competitions`"""

    query = CompetitionsQuery

    @extend_schema(
        operation_id="list_competitions",
        summary="List competitions",
        tags=["competitions"],
        parameters=[CompetitionsQuery],
        responses=CompetitionsShape,
        examples=[gets(listed(COMPETITION))],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """The newest first."""
        given, viewer = self.params, viewer_id(request)
        state = given.get("state")
        rows = visible.competitions(viewer)
        if state == OPEN_FOR_ENTRIES:
            rows = visible.open_for_entries(viewer)
        elif state is not None:
            rows = rows.filter(state=state)
        if "club" in given:
            rows = rows.filter(club__slug=given["club"])
        return self.listed(
            request, rows, "-id", lambda page: [documents.competition(row) for row in page]
        )

    @extend_schema(
        operation_id="create_competition",
        summary="Open a competition",
        description="It takes entries until it starts: at `starts_at`, or when you start it.",
        tags=["competitions"],
        request=NewCompetitionRequest,
        responses={201: CompetitionShape},
        examples=[
            asks({"club": "kulma", "name": "Kulman kymppi", "settings": SETTINGS}),
            gets(COMPETITION),
        ],
    )
    def post(self, request: Request) -> Response:
        """Open it."""
        player = player_of(request, Token.Scope.ORGANISE)
        body = read_body(request, NewCompetitionRequest)
        club = visible.club(body.pop("club"), player.pk)
        roles.require_organiser(club, player.pk)
        draft = receipt_draft(request, actor_of(request))
        made = competitions.create(club.pk, _new(body), draft)
        answer = documents.competition(visible.competition(made.pk, player.pk))
        return Response(answer, status=status.HTTP_201_CREATED)


class OneCompetition(Operation):
    """`/competitions/{id}`"""

    @extend_schema(
        operation_id="get_competition",
        summary="Get a competition",
        tags=["competitions"],
        responses=CompetitionShape,
        examples=[gets(COMPETITION)],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The competition."""
        found = visible.competition(competition_id, viewer_id(request))
        return etag.answer(request, documents.competition(found))


class Start(Operation):
    """`/competitions/{id}/start`"""

    @extend_schema(
        operation_id="start_competition",
        summary="Close the entries and draw the first round",
        description="Starting again changes nothing.",
        tags=["competitions"],
        request=NothingRequest,
        responses=CompetitionShape,
        examples=[asks({}), gets(COMPETITION)],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Start it."""
        player = player_of(request, Token.Scope.ORGANISE)
        read_body(request, NothingRequest)
        competition = visible.competition(competition_id, player.pk)
        roles.require_organiser(competition.club, player.pk)
        follow_up(competitions.start(competition_id))
        return Response(documents.competition(visible.competition(competition_id, player.pk)))


def _new(body: dict[str, Any]) -> NewCompetition:
    starts_in_s = body.pop("starts_in_s", None)
    if starts_in_s is not None:
        body["starts_at"] = clock.now() + timedelta(seconds=starts_in_s)
    secret = body.pop("secret", None)
    return NewCompetition(
        **{**body, "kind": Competition.Kind(body["kind"])},
        secret=bytes.fromhex(secret) if secret else None,
    )
