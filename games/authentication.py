"""Who asks: the player behind a token or behind the session of a page.

`request.user` is a `games.models.Player` in the API, or None; `request.auth` the token, or None
for a session. Scopes are asked for by the views.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from games.errors import BadTokenError
from games.models import Player, Token
from games.services import tokens

SESSION_KEY: Final = "player"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer hlp_...`."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """The player and the token; None without the header. Raises `BadTokenError`."""
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return None
        if scheme.lower() != "bearer":
            raise BadTokenError("Only bearer tokens are accepted.")
        token = tokens.find(text.strip())
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="housuliiga"'


class SessionAuthentication(BaseAuthentication):
    """The player of a page's session; unsafe requests need the CSRF token."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """The player; None if the session has none."""
        player = session_player(request._request)
        if player is None:
            return None
        _enforce_csrf(request._request)
        return player, None


def session_player(request: HttpRequest) -> Player | None:
    """The player who uses this browser, as a guest or by account."""
    player_id = request.session.get(SESSION_KEY)
    if player_id is None:
        return None
    return Player.objects.filter(pk=player_id, anonymised_at=None).first()


def viewer_of(request: Request) -> Player | None:
    """The player who asks, None for anybody."""
    user: object = request.user
    return user if isinstance(user, Player) else None


def player_of(request: Request, scope: Token.Scope = Token.Scope.PLAY) -> Player:
    """The player who asks and may do this. Raises `NotAuthenticated`, `PermissionDenied`."""
    player = viewer_of(request)
    if player is None:
        raise exceptions.NotAuthenticated("This needs a player's token.")
    token: object = request.auth
    if isinstance(token, Token) and scope.value not in token.scopes:
        raise exceptions.PermissionDenied(f"The token lacks the scope “{scope.value}”.")
    return player


def actor_of(request: Request) -> str:
    """Whose receipts these are: the player's, or the address's of somebody unknown."""
    player = viewer_of(request)
    address = request.META.get("REMOTE_ADDR", "")
    return f"player:{player.pk}" if player is not None else f"address:{address}"


def _enforce_csrf(request: HttpRequest) -> None:
    check = CSRFCheck(lambda _: HttpResponse())
    check.process_request(request)
    reason = check.process_view(request, lambda _: HttpResponse(), (), {})
    if reason is not None:
        raise exceptions.PermissionDenied("The CSRF token is missing or wrong.")
