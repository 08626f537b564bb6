"""A link by which somebody chooses the password of an account: for the first one, or a lost one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import default_token_generator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode


class Command(BaseCommand):
    """`manage.py account_link NAME`: it works once, and for three days."""

    help = "Print a one-time link to choose the password of an account; --new makes the account."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose."""
        parser.add_argument("name")
        parser.add_argument("--new", action="store_true", help="make it if there is none")

    def handle(self, *, name: str, new: bool, **_: Any) -> None:
        """Print it."""
        user = made(name) if new else account(name)
        if user is None:
            raise CommandError(f"There is no account “{name}”; --new makes it.")
        self.stdout.write(link(user))


def account(name: str) -> Any:
    """The account of that name, None without."""
    return get_user_model()._default_manager.filter(username=name).first()


def made(name: str) -> Any:
    """The same, made if need be; nobody gets in before a password is chosen."""
    user: Any = account(name)
    if user is None:
        user = get_user_model()(username=name)
        user.set_unusable_password()
        user.save()
    return user


def link(user: Any) -> str:
    """The address; it ends with the next password or log-in."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return f"{settings.PUBLIC_URL}{reverse('account_first', args=[uid, token])}"
