"""The account of the first organiser: there is no default password, but a link that works once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from config.demo import CLUB
from config.management.commands.account_link import link, made
from games.models import Player
from league.models import Membership

NAME = "organiser"


class Command(BaseCommand):
    """Called by `make up` at every start; prints the link until a password was chosen."""

    help = "Print the one-time link to the first organiser's account, if nobody has used it yet."

    def handle(self, *args: Any, **options: Any) -> None:
        """The account of the demo club's owner; none where people have accounts already."""
        if get_user_model()._default_manager.exclude(username=NAME).exists():
            return
        user = made(NAME)
        owners = Membership.objects.filter(club__slug=CLUB, role=Membership.Role.OWNER)
        Player.objects.filter(pk__in=owners.values("player"), user=None).update(user=user)
        if not user.has_usable_password():
            self.stdout.write(f"The organiser's account, by a link that works once: {link(user)}")
