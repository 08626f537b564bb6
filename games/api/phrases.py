"""Ready-made phrases over the API."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.api.play import current
from games.api.shapes import PhraseRequest, PhraseShape, PhrasesQuery, PhrasesShape
from games.authentication import actor_of, player_of, viewer_of
from games.queries import phrases
from games.services.phrases import say

SAID = {"id": 12, "seat": 1, "phrase": "nice_one", "said_at": "2026-11-29T17:04:00Z"}


class Phrases(Operation):
    """`/games/{id}/phrases`"""

    query = PhrasesQuery

    @extend_schema(
        operation_id="list_phrases",
        summary="List what was said at the table",
        description="The last twenty, for who may look. Streams send each as a `phrase`, no `id`.",
        tags=["games"],
        parameters=[PhrasesQuery],
        responses=PhrasesShape,
        examples=[gets({"results": [SAID], "phrases": list(phrases.PHRASES)})],
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Said or not, `phrases` has all there are."""
        current(game_id, viewer_of(request))
        said = phrases.phrases(game_id, self.params["after"])
        return etag.answer(request, {"results": said, "phrases": list(phrases.PHRASES)})

    @extend_schema(
        operation_id="say_phrase",
        summary="Say a phrase",
        description="One in three seconds, fifty a game.",
        tags=["games"],
        request=PhraseRequest,
        responses={201: PhraseShape},
        examples=[asks({"phrase": "nice_one"}), gets(SAID)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Of those who sit there."""
        player = player_of(request)
        body = read_body(request, PhraseRequest)
        phrase = say(game_id, player, body["phrase"], receipt_draft(request, actor_of(request)))
        return Response(phrases.phrase_wire(phrase), status=status.HTTP_201_CREATED)
