"""Clubs and their schedules over the API."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of, viewer_of
from games.models import Token
from league.api.authority import organised
from league.api.examples import CLUB, SCHEDULE, SETTINGS, listed
from league.api.shapes import (
    ChangeClubRequest,
    ClubShape,
    ClubsShape,
    NewClubRequest,
    NewScheduleRequest,
    PageQuery,
    ScheduleShape,
    SchedulesShape,
)
from league.queries import documents, roles, visible
from league.services import clubs, schedules
from league.services.schedules import NewSchedule


class Clubs(Operation):
    """`/clubs`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_clubs",
        summary="List clubs",
        description="Public ones, and those you belong to.",
        tags=["clubs"],
        parameters=[PageQuery],
        responses=ClubsShape,
        examples=[gets(listed(CLUB))],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """The oldest first."""
        rows = visible.clubs(viewer_id(request))
        return self.listed(request, rows, "id", lambda page: [documents.club(row) for row in page])

    @extend_schema(
        operation_id="create_club",
        summary="Open a club",
        description="You are its owner.",
        tags=["clubs"],
        request=NewClubRequest,
        responses={201: ClubShape},
        examples=[asks({"slug": "kulma", "name": "Kahvila Kulma"}), gets(CLUB)],
    )
    def post(self, request: Request) -> Response:
        """Open it."""
        player = player_of(request, Token.Scope.ORGANISE)
        body = read_body(request, NewClubRequest)
        draft = receipt_draft(request, actor_of(request))
        club = clubs.create(body["slug"], body["name"], player.pk, body["private"], draft)
        return Response(documents.club(club), status=status.HTTP_201_CREATED)


class OneClub(Operation):
    """`/clubs/{slug}`"""

    @extend_schema(
        operation_id="get_club",
        summary="Get a club",
        tags=["clubs"],
        responses=ClubShape,
        examples=[gets(CLUB)],
        auth=[],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The club."""
        return etag.answer(request, documents.club(visible.club(slug, viewer_id(request))))

    @extend_schema(
        operation_id="change_club",
        summary="Change a club",
        description="`polite`: its pages, letters and feeds don't use the vulgar name of the game.",
        tags=["clubs"],
        request=ChangeClubRequest,
        responses=ClubShape,
        examples=[asks({"polite": True}), gets({**CLUB, "polite": True})],
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what is given."""
        club, by = organised(request, slug)
        body = read_body(request, ChangeClubRequest)
        return Response(documents.club(clubs.change(club.pk, by, body)))


class Schedules(Operation):
    """`/schedules`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_schedules",
        summary="List schedules with their next slots",
        tags=["schedules"],
        parameters=[PageQuery],
        responses=SchedulesShape,
        examples=[gets(listed(SCHEDULE))],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """The oldest first."""
        rows = visible.schedules(viewer_id(request))
        return self.listed(
            request, rows, "id", lambda page: [documents.schedule(row) for row in page]
        )

    @extend_schema(
        operation_id="create_schedule",
        summary="Open competitions by schedule",
        description="At each slot the template becomes a competition and its players enter.",
        tags=["schedules"],
        request=NewScheduleRequest,
        responses={201: ScheduleShape},
        examples=[
            asks(
                {
                    "club": "kulma",
                    "name": "Kulman kymppi",
                    "cron": "*/10 * * * *",
                    "zone": "Europe/Helsinki",
                    "template": {"settings": SETTINGS, "players": ["house:lowest", 12]},
                }
            ),
            gets(SCHEDULE),
        ],
    )
    def post(self, request: Request) -> Response:
        """Store it; it is tried out first."""
        player = player_of(request, Token.Scope.ORGANISE)
        body = read_body(request, NewScheduleRequest)
        club = visible.club(body.pop("club"), player.pk)
        roles.require_organiser(club, player.pk)
        draft = receipt_draft(request, actor_of(request))
        schedule = schedules.create(club.pk, NewSchedule(**body), draft)
        return Response(documents.schedule(schedule), status=status.HTTP_201_CREATED)


def viewer_id(request: Request) -> int | None:
    """The player who looks, None for anybody."""
    viewer = viewer_of(request)
    return viewer.pk if viewer is not None else None
