"""What a club calls its players: in its standings and on its pages, in place of their own names."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from league.models import Membership


def of(club_id: int) -> dict[int, str]:
    """By player; who is called by his own name is left out."""
    called = Membership.objects.filter(club=club_id).exclude(nickname="")
    return dict(called.values_list("player", "nickname"))


def give(club_id: int, players: Iterable[Player]) -> None:
    """Let these objects, which nobody may store, bear the names that the club calls them by."""
    called = of(club_id)
    for player in players:
        player.name = called.get(player.pk, player.name)
