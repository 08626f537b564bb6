"""`/account/`: one's tokens and language. A token is shown in the answer that makes it, only."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.accounts.adapter import speak
from config.kit.errors import ServiceError
from config.kit.receipts import Draft
from games.authentication import session_player
from games.models import Player, Token
from games.services import keys, players
from games.services.keys import Wanted

SCOPES = [scope.value for scope in Token.Scope]


@require_safe
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Settings and tokens of whoever is here."""
    player = session_player(request)
    return redirect("account_login") if player is None else _page(request, player)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Choose the language; "" for the browser's."""
    chosen = request.POST.get("language", "")
    response = redirect("account")
    if chosen and chosen not in dict(settings.LANGUAGES):
        return response
    player = session_player(request)
    if player is not None:
        players.speak(player.pk, chosen)
    if chosen:
        speak(response, chosen)
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    return response


@require_POST
@never_cache
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it once."""
    scopes = tuple(scope for scope in SCOPES if scope in request.POST.getlist("scopes"))
    if not scopes:
        messages.error(request, "Choose what the token may do.")
        return redirect("account")
    wanted = Wanted(scopes, request.POST.get("label", "").replace("\0", "")[:80].strip())
    return _made(request, lambda player, draft: keys.make(player, wanted, SCOPES, draft))


@require_POST
@never_cache
def rotate_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Replace a token and show the new one once."""
    return _made(request, lambda player, draft: keys.rotate(player, token_id, SCOPES, draft))


@require_POST
def end_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token at once."""
    player = session_player(request)
    if player is not None:
        try:
            keys.end(player, token_id)
        except ServiceError as error:
            messages.error(request, str(error))
    return redirect("account")


def _made(request: HttpRequest, make: Any) -> HttpResponse:
    player = session_player(request)
    if player is None:
        return redirect("account_login")
    # A page that is loaded again sends its form again: that makes no second token.
    once = request.POST.get("once", "")[:40] or uuid4().hex
    draft = Draft.of(f"player:{player.pk}", f"form-{once}", request.path, b"")
    try:
        made = make(player, draft)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("account")
    return _page(request, player, made)


def _page(request: HttpRequest, player: Player, made: Any = None) -> HttpResponse:
    context = {
        "player": player,
        "made": made,
        "tokens": keys.live(player.pk),
        "scopes": SCOPES,
        "languages": settings.LANGUAGES,
        "once": uuid4().hex,
    }
    return render(request, "account/account.html", context)
