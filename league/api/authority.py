"""Who asks as an organiser: of a competition, or of a club."""

from __future__ import annotations

from rest_framework.request import Request

from games.authentication import player_of
from games.models import Player, Token
from league.models import Club
from league.queries import roles, visible


def organiser(request: Request, competition_id: int) -> Player:
    """Who asks, if he runs the competition's club. Raises `NotOrganiserError`."""
    player = player_of(request, Token.Scope.ORGANISE)
    roles.require_organiser(visible.competition(competition_id, player.pk).club, player.pk)
    return player


def organised(request: Request, slug: str) -> tuple[Club, int]:
    """The club, and who asks, if he runs it. Raises `NotOrganiserError`."""
    player = player_of(request, Token.Scope.ORGANISE)
    club = visible.club(slug, player.pk)
    roles.require_organiser(club, player.pk)
    return club, player.pk
