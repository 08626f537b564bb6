"""Guests and places of a club over the API: claim, merge, make nameless; codes of tables."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation
from config.kit.params import read_body
from config.kit.throttle import Limit, count
from games.api.examples import asks, gets
from games.authentication import player_of
from games.models import Token
from league.api.authority import organised
from league.api.entries import PLAYER
from league.api.examples import MEMBER, MERGE, PLACE
from league.api.links import MOST_TRIES, WITHIN_S
from league.api.shapes import (
    ClaimCodeShape,
    GuestShape,
    MergeRequest,
    MergeShape,
    NewPlacesRequest,
    NothingRequest,
    PlacesShape,
    RecoveryRequest,
)
from league.models import Merge, Place
from league.queries import documents
from league.services import guests, places

MERGE_ID = OpenApiParameter("merge_id", OpenApiTypes.INT64, OpenApiParameter.PATH)
GUEST: dict[str, Any] = {"player": MEMBER["player"]}


class ClaimCode(Operation):
    """`/clubs/{slug}/members/{player_id}/claim-code`"""

    @extend_schema(
        operation_id="make_claim_code",
        summary="Make a code by which somebody becomes a guest",
        description="It is shown once, is used once and holds for two weeks.",
        tags=["clubs"],
        parameters=[PLAYER],
        request=NothingRequest,
        responses={201: ClaimCodeShape},
        examples=[asks({}), gets({"code": "K7QF-2M9X-ABCD"})],
    )
    def post(self, request: Request, slug: str, player_id: int) -> Response:
        """Make it."""
        club, by = organised(request, slug)
        read_body(request, NothingRequest)
        code = guests.offer(club.pk, player_id, by)
        headers = {"Cache-Control": "no-store"}
        return Response({"code": code}, status=status.HTTP_201_CREATED, headers=headers)


class Claims(Operation):
    """`/claims`"""

    @extend_schema(
        operation_id="claim_guest",
        summary="Claim what you have played as a guest",
        description="With the code of an organiser; the guest is merged into you.",
        tags=["players"],
        request=RecoveryRequest,
        responses={201: GuestShape},
        examples=[asks({"code": "K7QF-2M9X-ABCD"}), gets(GUEST)],
    )
    def post(self, request: Request) -> Response:
        """Claim."""
        player = player_of(request, Token.Scope.PLAY)
        code = read_body(request, RecoveryRequest)["code"]
        address = str(request.META.get("REMOTE_ADDR", ""))
        count([Limit("club_code", address, MOST_TRIES, WITHIN_S)])
        kept = guests.claim(code, player.pk)
        return Response({"player": documents.player(kept)}, status=status.HTTP_201_CREATED)


class Merging(Operation):
    """`/clubs/{slug}/members/{player_id}/merge`"""

    @extend_schema(
        operation_id="merge_guest",
        summary="Merge a guest into another member",
        description=(
            "Entries become those of `into`, results stay. Refused where both sat in one deal: "
            "`deals` names where."
        ),
        tags=["clubs"],
        parameters=[PLAYER],
        request=MergeRequest,
        responses={201: MergeShape},
        examples=[asks({"into": 12}), gets(MERGE)],
    )
    def post(self, request: Request, slug: str, player_id: int) -> Response:
        """Merge."""
        club, by = organised(request, slug)
        into = read_body(request, MergeRequest)["into"]
        made = guests.merge(club.pk, player_id, into, by)
        return Response(_merge(made), status=status.HTTP_201_CREATED)


class MergeUndo(Operation):
    """`/clubs/{slug}/merges/{merge_id}/undo`"""

    @extend_schema(
        operation_id="undo_merge",
        summary="Undo a merge: they are two after all",
        tags=["clubs"],
        parameters=[MERGE_ID],
        request=NothingRequest,
        responses=MergeShape,
        examples=[asks({}), gets({**MERGE, "undone_at": "2026-11-30T17:00:00Z"})],
    )
    def post(self, request: Request, slug: str, merge_id: int) -> Response:
        """Undo it."""
        club, by = organised(request, slug)
        read_body(request, NothingRequest)
        return Response(_merge(guests.unmerge(club.pk, merge_id, by)))


class Anonymise(Operation):
    """`/clubs/{slug}/members/{player_id}/anonymise`"""

    @extend_schema(
        operation_id="anonymise_guest",
        summary="Take a guest's name away for good",
        description="The results stay. There is no way back.",
        tags=["clubs"],
        parameters=[PLAYER],
        request=NothingRequest,
        responses=GuestShape,
        examples=[
            asks({}),
            gets({"player": {"id": 31, "name": "Nameless 31", "kind": "guest"}}),
        ],
    )
    def post(self, request: Request, slug: str, player_id: int) -> Response:
        """Take it away."""
        club, by = organised(request, slug)
        read_body(request, NothingRequest)
        return Response({"player": documents.player(guests.anonymise(club.pk, player_id, by))})


class Places(Operation):
    """`/clubs/{slug}/places`"""

    @extend_schema(
        operation_id="list_places",
        summary="List the places of a club with their codes",
        description="For organisers: a code is the key to the results of its table.",
        tags=["clubs"],
        responses=PlacesShape,
        examples=[gets({"results": [PLACE]})],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """By number."""
        club, _ = organised(request, slug)
        rows = Place.objects.filter(club=club).order_by("number")
        return etag.answer(request, {"results": [_place(request, row) for row in rows]})

    @extend_schema(
        operation_id="make_places",
        summary="Make codes for so many tables",
        description="Those there are keep theirs: a code is printed once and holds for good.",
        tags=["clubs"],
        request=NewPlacesRequest,
        responses={201: PlacesShape},
        examples=[asks({"tables": 3}), gets({"results": [PLACE]})],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make them."""
        club, by = organised(request, slug)
        made = places.upto(club.pk, read_body(request, NewPlacesRequest)["tables"], by)
        answer = {"results": [_place(request, row) for row in made]}
        return Response(answer, status=status.HTTP_201_CREATED)


def _merge(row: Merge) -> dict[str, Any]:
    return {
        "id": row.pk,
        "gone": documents.player(row.gone),
        "kept": documents.player(row.kept),
        "entries": len(row.entries),
        "undone_at": row.undone_at,
    }


def _place(request: Request, row: Place) -> dict[str, Any]:
    return {
        "number": row.number,
        "code": row.code,
        "url": request.build_absolute_uri(f"/t/{row.code}/"),
    }
