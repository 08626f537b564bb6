"""Who opens a stream, and whether he still may: by ticket, token or the session of a page.

Asked when the stream opens and every minute after; in between nothing of it is held.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest, parse_cookie
from rest_framework.request import Request

from games.authentication import TokenAuthentication, player_in
from games.models import Player, Token
from games.services import tickets


class Viewer(NamedTuple):
    """A player, or anybody (None), and what speaks for him: a token, or a session."""

    player_id: int | None = None
    token_id: int | None = None
    session: str | None = None


ANYBODY = Viewer()


def viewer(request: HttpRequest, ticket: str) -> Viewer:
    """Who asks. Raises `BadTicketError`, `BadTokenError`."""
    if ticket:
        taken = tickets.take(ticket, request.path)
        return Viewer(taken.player_id, taken.token_id)
    found = TokenAuthentication().authenticate(Request(request))
    if found is not None:
        player, token = found
        return Viewer(player.pk, token.pk)
    return _by_session(request)


def still(who: Viewer) -> bool:
    """Whether what spoke for the viewer still does."""
    if who.player_id is None:
        return True
    if who.session is not None and _player_in(who.session) != who.player_id:
        return False
    if who.token_id is not None:
        live = Q(expires_at=None) | Q(expires_at__gt=Now())
        return Token.objects.filter(live, pk=who.token_id, revoked_at=None).exists()
    return Player.objects.filter(pk=who.player_id, anonymised_at=None).exists()


def _by_session(request: HttpRequest) -> Viewer:
    cookies = parse_cookie(request.META.get("HTTP_COOKIE", ""))
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    player_id = _player_in(key) if key else None
    return ANYBODY if player_id is None else Viewer(player_id, session=key)


def _player_in(session_key: str) -> int | None:
    session: Any = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    player = player_in(session)
    return None if player is None else player.pk
