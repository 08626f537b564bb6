"""Links of a club over the API: made, ended, got back. What opens them is shown once."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from config.kit.throttle import Limit, count
from games.api.examples import asks, gets
from games.authentication import actor_of
from league.api.authority import organised
from league.api.examples import LINK, NEW_LINK
from league.api.shapes import LinksShape, NewLinkRequest, NewLinkShape, RecoveryRequest
from league.errors import LinkNotFoundError
from league.models import ClubLink
from league.queries import links as known
from league.services import links

ROLE = OpenApiParameter(
    "role", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(ClubLink.Role.values)
)
# As on the pages, and together with them.
MOST_TRIES, WITHIN_S = 100, 300


class Links(Operation):
    """`/clubs/{slug}/links`"""

    @extend_schema(
        operation_id="list_links",
        summary="List the links of a club",
        description="For its organisers. What opens a link is shown once, when it is made.",
        tags=["clubs"],
        responses=LinksShape,
        examples=[gets({"results": [LINK]})],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Those that can be opened."""
        club, _ = organised(request, slug)
        return etag.answer(request, {"results": [known.wire(row) for row in known.live(club)]})

    @extend_schema(
        operation_id="make_link",
        summary="Make a link of a club anew",
        description=(
            "Whoever opens the organiser link runs the club, without an account; the player link "
            "shows a private club. The one before ends, with all that was opened by it."
        ),
        tags=["clubs"],
        request=NewLinkRequest,
        responses={201: NewLinkShape},
        examples=[asks({"role": "organiser"}), gets(NEW_LINK)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make it."""
        club, by = organised(request, slug)
        role = ClubLink.Role(read_body(request, NewLinkRequest)["role"])
        draft = receipt_draft(request, actor_of(request))
        return _shown(request, links.renew(club.pk, role, by, draft))


class OneLink(Operation):
    """`/clubs/{slug}/links/{role}`"""

    @extend_schema(
        operation_id="end_link",
        summary="End a link of a club",
        tags=["clubs"],
        parameters=[ROLE],
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, role: str) -> Response:
        """End it."""
        club, by = organised(request, slug)
        if role not in ClubLink.Role.values:
            raise LinkNotFoundError("There is no such link.", known=list(ClubLink.Role.values))
        links.revoke(club.pk, ClubLink.Role(role), by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Recoveries(Operation):
    """`/link-recoveries`"""

    @extend_schema(
        operation_id="recover_link",
        summary="Get a fresh organiser link for a recovery code",
        description="The link that was lost ends, and the code with it: the answer has a new one.",
        tags=["clubs"],
        request=RecoveryRequest,
        responses={201: NewLinkShape},
        examples=[asks({"code": "K7QF-2M9X-ABCD-0123"}), gets(NEW_LINK)],
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Recover."""
        code = read_body(request, RecoveryRequest)["code"]
        address = str(request.META.get("REMOTE_ADDR", ""))
        limit = Limit("club_code", address, MOST_TRIES, WITHIN_S)
        count([limit])
        issued = links.recover(code)
        return _shown(request, issued)


def _shown(request: Request, issued: links.Issued) -> Response:
    secret = issued.secret
    issued.link.refresh_from_db(fields=["created_at"])
    wire: dict[str, Any] = {
        "club": issued.link.club.slug,
        **known.wire(issued.link),
        "url": request.build_absolute_uri(f"/k/{secret}/") if secret else None,
        "recovery_code": issued.recovery,
    }
    return Response(wire, status=status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})
