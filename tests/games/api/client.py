"""A JSON client that speaks for one player, on Django's test client."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.test import Client

from games.models import Player, Token
from games.services import tokens

API = "/api/v1"


class Api:
    """Requests with a token; `answer` holds the last response."""

    def __init__(self, player: Player | None = None, **headers: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = dict(headers)
        if player is not None:
            text = tokens.issue(player, [Token.Scope.PLAY, Token.Scope.READ]).text
            self.headers["authorization"] = f"Bearer {text}"

    def get(self, path: str, **headers: str) -> Any:
        self.answer = self.client.get(API + path, headers={**self.headers, **headers})
        return self._json()

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        return self.raw(path, json.dumps({} if body is None else body).encode(), **headers)

    def raw(self, path: str, body: bytes, kind: str = "application/json", **headers: str) -> Any:
        self.answer = self.client.post(
            API + path, data=body, content_type=kind, headers={**self.headers, **headers}
        )
        return self._json()

    @property
    def status(self) -> int:
        return self.answer.status_code

    def move(self, game_id: UUID, number: int, action: str) -> Any:
        return self.post(f"/games/{game_id}/moves", {"move_number": number, "action": action})

    def _json(self) -> Any:
        return json.loads(self.answer.content) if self.answer.content else None
