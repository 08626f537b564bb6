"""What the plainest Django view must do for a move: find the token, lock, rewrite, insert."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Player, Token
from tests.benchmarks.floor.models import Board, Move


class PlainToken(BaseAuthentication):
    """One look-up by the hash, no checks besides."""

    def authenticate(self, request: Request) -> tuple[Player, Token]:
        text = request.headers["Authorization"].partition(" ")[2]
        digest = hashlib.sha256(text.encode()).digest()
        token = Token.objects.select_related("player").filter(digest=digest).first()
        if token is None:
            raise AuthenticationFailed
        return token.player, token


class BoardMove(APIView):
    """Lock one row, rewrite its 3 kB of JSON, insert one row."""

    authentication_classes = (PlainToken,)

    def post(self, request: Request, board_id: int) -> Response:
        body: Any = request.data
        with transaction.atomic():
            board = Board.objects.select_for_update().get(pk=board_id)
            board.state = {**board.state, "ply": body["move_number"]}
            board.save()
            Move.objects.create(board=board, number=body["move_number"])
        return Response({"board": board_id, "number": body["move_number"]})


def constant(request: HttpRequest) -> JsonResponse:
    """The same answer for ever."""
    return JsonResponse({"answer": 42})
