"""Who asks: the player behind a token or behind the session of a page.

`request.user` is a `games.models.Player` in the API, or None; `request.auth` the token, or None
for a session. Scopes are asked for by the views.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth import SESSION_KEY as ACCOUNT_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
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
    return player_in(request.session)


def player_in(session: SessionBase) -> Player | None:
    """The player of a session; one with an account only while the account is logged in there.

    A password that is changed elsewhere ends the session, as everywhere in Django.
    """
    player_id = session.get(SESSION_KEY)
    if player_id is None:
        return None
    found = Player.objects.filter(pk=player_id, anonymised_at=None).select_related("user").first()
    return found if found is None or found.user is None or _logged_in(session, found.user) else None


def _logged_in(session: SessionBase, user: AbstractBaseUser) -> bool:
    held = str(session.get(HASH_SESSION_KEY, ""))
    mine = session.get(ACCOUNT_KEY) == str(user.pk) and user.is_active
    return mine and constant_time_compare(held, user.get_session_auth_hash())


def viewer_of(request: Request) -> Player | None:
    """The player who asks, None for anybody."""
    user: object = request.user
    return user if isinstance(user, Player) else None


def player_of(request: Request, scope: Token.Scope = Token.Scope.PLAY) -> Player:
    """The player who asks and may do this. Raises `NotAuthenticated`, `PermissionDenied`.

    Whoever may do something may read, so every token has the scope `read`.
    """
    player = viewer_of(request)
    if player is None:
        raise exceptions.NotAuthenticated("This needs a player's token.")
    token: object = request.auth
    held = {*token.scopes, Token.Scope.READ.value} if isinstance(token, Token) else set(Token.Scope)
    if scope.value not in held:
        raise exceptions.PermissionDenied(f"The token lacks the scope “{scope.value}”.")
    return player


def actor_of(request: Request) -> str:
    """Whose receipts these are: the player's, or the address's of somebody unknown."""
    player = viewer_of(request)
    address = request.META.get("REMOTE_ADDR", "")
    return f"player:{player.pk}" if player is not None else f"address:{address}"


def rate_key(request: HttpRequest, who: object) -> tuple[str, str]:
    """By which policy a request is counted, and together with which others."""
    if isinstance(who, Token):
        return ("bot" if who.player.kind == Player.Kind.BOT else "token"), f"token:{who.pk}"
    if isinstance(who, Player):
        return "token", f"player:{who.pk}"
    return "address", str(request.META.get("REMOTE_ADDR", ""))


def rate_holder(request: HttpRequest) -> Token | None:
    """Whose stream this opens, as far as its header tells; None: counted for the address."""
    try:
        found = TokenAuthentication().authenticate(Request(request))
    except BadTokenError:
        return None
    return None if found is None else found[1]


def _enforce_csrf(request: HttpRequest) -> None:
    check = CSRFCheck(lambda _: HttpResponse())
    check.process_request(request)
    reason = check.process_view(request, lambda _: HttpResponse(), (), {})
    if reason is not None:
        raise exceptions.PermissionDenied("The CSRF token is missing or wrong.")
