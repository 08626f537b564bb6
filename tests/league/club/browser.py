"""Phones for the tests of clubs: each a browser of its own, with or without a player."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from games.authentication import SESSION_KEY
from games.models import Player
from league.models import Club, Membership
from tests.league import cast


def phone(player: Player | None = None) -> Client:
    """A browser; with a player it is his."""
    client = Client()
    if player is not None:
        session = client.session
        session[SESSION_KEY] = player.pk
        session.save()
    return client


def organiser_of(club: Club, role: str = "owner", name: str = "Oskari") -> tuple[Client, Player]:
    """A phone of somebody who runs the club."""
    player = cast.person(name)
    Membership.objects.create(club=club, player=player, role=role)
    return phone(player), player


def secret_in(answer: Any, what: str = "link") -> str:
    """What a page shows once: the address of a link, or its recovery code."""
    (found,) = re.findall(rf'id="{what}">([^<]+)<', answer.content.decode())
    return str(found)


def open_link(client: Client, address: str) -> Any:
    """Open a link as a browser does; the page where it ends."""
    return client.get(address.removeprefix("http://testserver"), follow=True)
