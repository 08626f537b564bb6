"""Members of a club over the API."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token
from league.api.clubs import viewer_id
from league.api.entries import PLAYER
from league.api.examples import MEMBER, listed
from league.api.shapes import (
    ChangeMemberRequest,
    MemberShape,
    MembersShape,
    NewMemberRequest,
    PageQuery,
)
from league.models import Club, Membership
from league.queries import members as found
from league.queries import visible
from league.queries.wires import MemberWire
from league.services import members, renaming


class Members(Operation):
    """`/clubs/{slug}/members`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_members",
        summary="List the members of a club",
        description="`looks_like` names players whose names could be taken for this one.",
        tags=["clubs"],
        parameters=[PageQuery],
        responses=MembersShape,
        examples=[gets(listed(MEMBER))],
        auth=[],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Those who have been members longest first."""
        club = visible.club(slug, viewer_id(request))
        rows = found.of_club(club)
        return self.listed(request, rows, "id", lambda page: found.wires(page, found.alike(club)))

    @extend_schema(
        operation_id="add_member",
        summary="Add a member to a club",
        description=(
            "By `name` a new guest, who needs no account; by `player` somebody who is known. "
            "Organisers add members and scorekeepers, owners anybody."
        ),
        tags=["clubs"],
        request=NewMemberRequest,
        responses={201: MemberShape},
        examples=[asks({"name": "Aino", "role": "member"}), gets(MEMBER)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add."""
        by = player_of(request, Token.Scope.ORGANISE)
        club = visible.club(slug, by.pk)
        body = read_body(request, NewMemberRequest)
        role = Membership.Role(body["role"])
        draft = receipt_draft(request, actor_of(request))
        if "player" in body:
            member = members.add_player(club.pk, body["player"], by.pk, role, draft)
        else:
            member = members.add_guest(club.pk, body["name"], by.pk, role, draft)
        return Response(_shown(club, member), status=status.HTTP_201_CREATED)


class OneMember(Operation):
    """`/clubs/{slug}/members/{player_id}`"""

    @extend_schema(
        operation_id="change_member",
        summary="Change a member's role, or what he is called",
        description=(
            "Only owners make and unmake owners and organisers. A club keeps an owner. A guest's "
            "`name` that was written wrong is put right: results stay his, the new name stands "
            "everywhere at once, the act log refers to the old one, which goes when the guest is "
            "anonymised. A `nickname` stands on the club's pages and in its standings; members "
            "give themselves one, organisers anybody."
        ),
        tags=["clubs"],
        parameters=[PLAYER],
        request=ChangeMemberRequest,
        responses=MemberShape,
        examples=[asks({"role": "scorekeeper"}), gets({**MEMBER, "role": "scorekeeper"})],
    )
    def patch(self, request: Request, slug: str, player_id: int) -> Response:
        """Change it."""
        by = player_of(request, Token.Scope.ORGANISE)
        club = visible.club(slug, by.pk)
        body = read_body(request, ChangeMemberRequest)
        if "name" in body:
            draft = receipt_draft(request, actor_of(request))
            member = renaming.rename(club.pk, player_id, body["name"], by.pk, draft)
        elif "nickname" in body:
            member = members.call(club.pk, player_id, body["nickname"], by.pk)
        else:
            role = Membership.Role(body["role"])
            member = members.change_role(club.pk, player_id, role, by.pk)
        return Response(_shown(club, member))

    @extend_schema(
        operation_id="remove_member",
        summary="Remove a member, or leave the club",
        description="Results stay. The last owner can't go.",
        tags=["clubs"],
        parameters=[PLAYER],
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, player_id: int) -> Response:
        """Remove."""
        by = player_of(request, Token.Scope.ORGANISE)
        members.remove(visible.club(slug, by.pk).pk, player_id, by.pk)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(club: Club, member: Membership) -> MemberWire:
    (wire,) = found.wires([member], found.alike(club))
    return wire
