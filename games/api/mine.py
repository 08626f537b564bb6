"""What is one's own over the API: games and invitations, what one has chosen, holidays."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import clock, etag
from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games import queries
from games.api.examples import LISTED, asks, gets
from games.api.lobby import listed_games
from games.api.shapes import (
    GamesShape,
    HolidayRequest,
    HolidaysShape,
    MyGamesQuery,
    SettingsRequest,
    SettingsShape,
)
from games.authentication import actor_of, player_of
from games.models import Player, Token
from games.queries.holidays import holidays_wire
from games.services import holidays, players

SETTINGS = {"language": "fi", "mute_phrases": False, "mail_turns": True}
HOLIDAYS = {
    "holidays": [{"id": 3, "first": "2026-12-24", "last": "2026-12-27"}],
    "days_a_year": 28,
    "days_left": 24,
}
_COLUMNS = {"mute_phrases": "mutes_phrases", "mail_turns": "mails_turns", "language": "language"}


class MyGames(Operation):
    """`/me/games`"""

    query = MyGamesQuery

    @extend_schema(
        operation_id="list_my_games",
        summary="List your games and invitations",
        description="The newest first. Games that ended long ago are in `/games/finished`.",
        tags=["players"],
        parameters=[MyGamesQuery],
        responses=GamesShape,
        examples=[gets({"results": [LISTED], "next": None})],
    )
    def get(self, request: Request) -> HttpResponse:
        """Those in which one has a seat, or one is kept."""
        player = player_of(request, Token.Scope.READ)
        games = queries.by_player(player.pk)
        if (state := self.params.get("state")) is not None:
            games = games.filter(state=state)
        return self.listed(request, games, "-id", listed_games)


class MySettings(Operation):
    """`/me/settings`"""

    @extend_schema(
        operation_id="get_my_settings",
        summary="Get what you have chosen",
        tags=["players"],
        responses=SettingsShape,
        examples=[gets(SETTINGS)],
    )
    def get(self, request: Request) -> HttpResponse:
        """An empty language is the browser's."""
        player = player_of(request, Token.Scope.READ)
        return etag.answer(request, _chosen(player.pk))

    @extend_schema(
        operation_id="change_my_settings",
        summary="Choose language, phrases and mail",
        description=(
            "`mute_phrases`: streams and pages tell you none. `mail_turns`: a letter when it is "
            "your turn in a game by correspondence, if your account has an address."
        ),
        tags=["players"],
        request=SettingsRequest,
        responses=SettingsShape,
        examples=[asks({"mute_phrases": True}), gets({**SETTINGS, "mute_phrases": True})],
    )
    def patch(self, request: Request) -> Response:
        """Change what is given."""
        player = player_of(request)
        body = read_body(request, SettingsRequest)
        players.choose(player.pk, {_COLUMNS[name]: value for name, value in body.items()})
        return Response(_chosen(player.pk))


class MyHolidays(Operation):
    """`/me/holidays`"""

    @extend_schema(
        operation_id="list_my_holidays",
        summary="List your holidays",
        description="Days (UTC) on which your clocks by correspondence stand still.",
        tags=["players"],
        responses=HolidaysShape,
        examples=[gets(HOLIDAYS)],
    )
    def get(self, request: Request) -> HttpResponse:
        """And how many days of this year are left."""
        return etag.answer(request, _days(player_of(request, Token.Scope.READ)))

    @extend_schema(
        operation_id="take_holiday",
        summary="Take days off",
        description="From today on, both days included, at most 28 in a year.",
        tags=["players"],
        request=HolidayRequest,
        responses={201: HolidaysShape},
        examples=[asks({"first": "2026-12-24", "last": "2026-12-27"}), gets(HOLIDAYS)],
    )
    def post(self, request: Request) -> Response:
        """Answers with all of them."""
        player = player_of(request)
        body = read_body(request, HolidayRequest)
        draft = receipt_draft(request, actor_of(request))
        holidays.take(player, body["first"], body["last"], draft)
        return Response(_days(player), status=status.HTTP_201_CREATED)


class MyHoliday(Operation):
    """`/me/holidays/{id}`"""

    @extend_schema(
        operation_id="end_holiday",
        summary="End a holiday",
        description="One that has begun ends with today; one to come is called off.",
        tags=["players"],
        responses={204: None},
    )
    def delete(self, request: Request, holiday_id: int) -> Response:
        """Its days can be taken again."""
        holidays.end(player_of(request), holiday_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _chosen(player_id: int) -> dict[str, Any]:
    row = Player.objects.get(pk=player_id)
    return {name: getattr(row, column) for name, column in _COLUMNS.items()}


def _days(player: Player) -> dict[str, Any]:
    return holidays_wire(player.pk, clock.now().astimezone(UTC).date())
