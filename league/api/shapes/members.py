"""Members and links of a club: what is asked and what is answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from config.kit.params import StrictSerializer
from games.api.shapes import PlayerShape
from league.api.shapes.asking import BIGGEST_ID
from league.models import ClubLink, Membership

Shape = s.Serializer[Any]


class NewMemberRequest(StrictSerializer):
    """Either the name of a new guest, or the id of a player who is known."""

    name = s.CharField(max_length=200, required=False)
    player = s.IntegerField(min_value=1, max_value=BIGGEST_ID, required=False)
    role = s.ChoiceField(Membership.Role.choices, default=Membership.Role.MEMBER)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if ("name" in attrs) == ("player" in attrs):
            raise s.ValidationError({"name": ["Give either a name or a player."]})
        return attrs


class ChangeMemberRequest(StrictSerializer):
    """Another role, a guest's name put right, or another name in this club ("": his own)."""

    role = s.ChoiceField(Membership.Role.choices, required=False)
    name = s.CharField(max_length=80, required=False)
    nickname = s.CharField(max_length=200, allow_blank=True, required=False)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """One of both."""
        if len(attrs) != 1:
            raise s.ValidationError({"name": ["Give a role, a name or a nickname."]})
        return attrs


class MemberShape(Shape):
    """A member of a club."""

    player = PlayerShape()
    role = s.ChoiceField(Membership.Role.choices)
    nickname = s.CharField()
    since = s.DateTimeField()
    looks_like = s.ListField(child=s.IntegerField())


class MembersShape(Shape):
    """A page of members."""

    results = MemberShape(many=True)
    next = s.CharField(allow_null=True)


class NewLinkRequest(StrictSerializer):
    """Which link."""

    role = s.ChoiceField(ClubLink.Role.choices)


class RecoveryRequest(StrictSerializer):
    """A recovery code, however it was typed."""

    code = s.CharField(max_length=60)


class LinkShape(Shape):
    """A link of a club, without what opens it."""

    role = s.ChoiceField(ClubLink.Role.choices)
    created_at = s.DateTimeField()
    opened_at = s.DateTimeField(allow_null=True)


class LinksShape(Shape):
    """The links of a club."""

    results = LinkShape(many=True)


class NewLinkShape(LinkShape):
    """A link just made; null where a request is repeated, or for players' links."""

    club = s.CharField()
    url = s.CharField(allow_null=True)
    recovery_code = s.CharField(allow_null=True)


class ClaimCodeShape(Shape):
    """A code, shown this once."""

    code = s.CharField()


class GuestShape(Shape):
    """A player after what was done."""

    player = PlayerShape()


class MergeRequest(StrictSerializer):
    """Who the guest really is: a member's id."""

    into = s.IntegerField(min_value=1, max_value=BIGGEST_ID)


class MergeShape(Shape):
    """A merge: whose entries (so many) have become whose."""

    id = s.IntegerField()
    gone = PlayerShape()
    kept = PlayerShape()
    entries = s.IntegerField()
    undone_at = s.DateTimeField(allow_null=True)


class NewPlacesRequest(StrictSerializer):
    """So many tables."""

    tables = s.IntegerField(min_value=1, max_value=60)


class PlaceShape(Shape):
    """A table of a club: its code, and where that leads."""

    number = s.IntegerField()
    code = s.CharField()
    url = s.CharField()


class PlacesShape(Shape):
    """The places of a club."""

    results = PlaceShape(many=True)
