"""A competition from its exported JSON, over the API: for the organisers of a club."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.wire import LONGEST_DOCUMENT, StrictJSONParser
from games.api.examples import asks, gets
from games.authentication import actor_of
from league.api.authority import organised
from league.api.examples import COMPETITION
from league.api.shapes import CompetitionShape
from league.models import Membership
from league.queries import documents, roles, visible
from league.services import restoring

FORMAT = "housuliiga-competition"


class DocumentParser(StrictJSONParser):
    """Some thousands of games; a bigger document goes by `manage.py restore_competition`."""

    longest: ClassVar = LONGEST_DOCUMENT


class ImportRequest(s.Serializer[Any]):
    """An export `competition.json`, as it is."""

    format = s.CharField()
    competition = s.DictField()
    ledger = s.ListField(child=s.DictField())


class Imports(Operation):
    """`/clubs/{slug}/imports`"""

    parser_classes = (DocumentParser,)

    @extend_schema(
        operation_id="import_competition",
        summary="Import a competition",
        description="All of an export `competition.json` of a competition that is over, at most 8 "
        "MiB. It must check; then it is made anew in this club, or found if it is there already.",
        tags=["clubs"],
        request=ImportRequest,
        responses={201: CompetitionShape},
        examples=[asks({"format": FORMAT, "competition": {}, "ledger": []}), gets(COMPETITION)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make it, or find it."""
        club, by = organised(request, slug)
        document = request.data if isinstance(request.data, dict) else {}
        # A document begins with its format; who has read and written it may have moved that.
        text = json.dumps({"format": document.get("format"), **document})
        draft = receipt_draft(request, actor_of(request))
        owns = roles.role_in(club, by) == Membership.Role.OWNER
        made = restoring.restore(club.pk, text, draft, keeps_roles=owns)
        answer = documents.competition(visible.competition(made.pk, by))
        return Response(answer, status=status.HTTP_201_CREATED)
