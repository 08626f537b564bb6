"""Entries over the API: enter, withdraw, check in."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from league.api.clubs import viewer_id
from league.api.examples import ENTRY, listed
from league.api.shapes import EntriesShape, EntryShape, NewEntryRequest, NothingRequest, PageQuery
from league.models import Club
from league.queries import documents, roles, visible
from league.services import checkin, entries

PLAYER = OpenApiParameter("player_id", OpenApiTypes.INT64, OpenApiParameter.PATH)


class Entries(Operation):
    """`/competitions/{id}/entries`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_entries",
        summary="List the entries",
        tags=["competitions"],
        parameters=[PageQuery],
        responses=EntriesShape,
        examples=[gets(listed(ENTRY))],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """By number."""
        found = visible.competition(competition_id, viewer_id(request))
        rows = found.entries.select_related("player", "substitute")
        return self.listed(
            request, rows, "number", lambda page: [documents.entry(row) for row in page]
        )

    @extend_schema(
        operation_id="enter_competition",
        summary="Enter a competition",
        description="Yourself or your own bot; organisers enter anybody, and house bots.",
        tags=["competitions"],
        request=NewEntryRequest,
        responses={201: EntryShape},
        examples=[asks({"player": 12}), gets(ENTRY)],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Enter."""
        by, club = _authorised(request, competition_id)
        who = read_body(request, NewEntryRequest)["player"]
        roles.require_enterer(club, by, who)
        if isinstance(who, int):
            visible.player(who, by)
        draft = receipt_draft(request, actor_of(request))
        entry = entries.enter(competition_id, who, draft)
        return Response(documents.entry(entry), status=status.HTTP_201_CREATED)


class OneEntry(Operation):
    """`/competitions/{id}/entries/{player_id}`"""

    @extend_schema(
        operation_id="withdraw_entry",
        summary="Withdraw an entry before the start",
        tags=["competitions"],
        parameters=[PLAYER],
        responses={204: None},
    )
    def delete(self, request: Request, competition_id: int, player_id: int) -> Response:
        """Withdraw."""
        by, club = _authorised(request, competition_id)
        roles.require_enterer(club, by, player_id)
        entries.withdraw(competition_id, player_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Checkin(Operation):
    """`/competitions/{id}/entries/{player_id}/checkin`"""

    @extend_schema(
        operation_id="check_in",
        summary="Check in: the entry is there",
        description=(
            "By the player, the bot's owner, an organiser or a scorekeeper, from "
            "`checkin_opens_at` on. After the start it ends what a stand-in plays for you. "
            "Again changes nothing."
        ),
        tags=["competitions"],
        parameters=[PLAYER],
        request=NothingRequest,
        responses=EntryShape,
        examples=[asks({}), gets(ENTRY)],
    )
    def post(self, request: Request, competition_id: int, player_id: int) -> Response:
        """Check in."""
        by, club = _authorised(request, competition_id)
        read_body(request, NothingRequest)
        keeps = roles.keeps_scores(club, by)
        if not keeps:
            roles.require_enterer(club, by, player_id)
        actor = actor_of(request)
        who = checkin.By.CLUB if keeps and by != player_id else checkin.By.SELF
        draft = receipt_draft(request, actor)
        return Response(
            documents.entry(checkin.check_in(competition_id, player_id, who, actor, draft))
        )


def _authorised(request: Request, competition_id: int) -> tuple[int, Club]:
    player = player_of(request)
    return player.pk, visible.competition(competition_id, player.pk).club
