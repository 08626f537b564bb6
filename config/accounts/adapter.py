"""What allauth asks us: how often a password may be tried, and which player an account is."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.accounts import limits
from config.kit import names, throttle
from config.kit.throttle import TooManyTriesError
from games.authentication import SESSION_KEY
from games.models import Player
from games.services import players


class AccountAdapter(DefaultAccountAdapter):
    """Log-ins are counted by our own throttle; who logs in is a player."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """The account of name and password, None if they don't fit. Raises `ValidationError`.

        A try is counted before the password is looked at, so that no number of parallel ones
        gets more than the limit.
        """
        name = str(credentials.get("username", ""))
        counted(limits.log_in(request, name))
        user: AbstractBaseUser | None = authenticate(request, **credentials)
        if user is not None:
            limits.right(request, name)
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name that may stand at a table."""
        try:
            names.checked(username)
        except names.BadNameError as error:
            raise ValidationError(str(error)) from None
        return str(super().clean_username(username, shallow))

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log in; the guest who has used this browser becomes the player of a new account."""
        guest_id = request.session.get(SESSION_KEY)
        super().login(request, user)
        name = user.get_username()
        player = players.of_account(user.pk, _playable(name, user.pk), guest_id)
        request.session[SESSION_KEY] = player.pk

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Go on, in the language that the player has chosen."""
        response: HttpResponse = super().post_login(request, user, **more)
        language = Player.objects.get(user=user).language
        if language:
            speak(response, language)
        return response


def counted(tries: Any) -> None:
    """Count a try. Raises `ValidationError`, for a form to show."""
    try:
        throttle.count(tries)
    except TooManyTriesError as error:
        minutes = -(-int(error.wait) // 60)
        text = _("Too many tries. Wait %(minutes)d min and try again.") % {"minutes": minutes}
        raise ValidationError(text, code="too_many_tries") from None


def speak(response: HttpResponse, language: str) -> None:
    """Let the browser ask for this language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=365 * 24 * 3600,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _playable(username: str, user_id: int) -> str:
    """Accounts that were made on the command line may have any name."""
    try:
        return names.checked(username)
    except names.BadNameError:
        return f"Player {user_id}"
