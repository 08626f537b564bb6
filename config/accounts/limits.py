"""How often a password may be tried, and an account made."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest

from config.kit import throttle
from config.kit.throttle import Limit


def log_in(request: HttpRequest, name: str) -> Sequence[Limit]:
    """Of one name from one address; of one name; of one address."""
    name, where = name.casefold(), _address(request)
    return (
        _limit("log_in", f"{name}\0{where}"),
        _limit("log_in_name", name),
        _limit("log_in_address", where),
    )


def sign_up(request: HttpRequest) -> Sequence[Limit]:
    """Of one address."""
    return (_limit("sign_up", _address(request)),)


def own_password(user_id: object) -> Sequence[Limit]:
    """Of the password that one types again to change it."""
    return (_limit("own_password", str(user_id)),)


def right(request: HttpRequest, name: str) -> None:
    """The password was right: this name from this address begins anew, but for the others."""
    throttle.forgive(log_in(request, name)[0])


def _limit(kind: str, key: str) -> Limit:
    return Limit(kind, key, *settings.TRIES[kind])


def _address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
