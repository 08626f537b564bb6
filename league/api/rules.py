"""What a competition is played by, in sentences; and settings tried before they are chosen."""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation
from config.kit.params import read_body
from games.api.examples import asks, gets
from league import polite
from league.api.clubs import viewer_id
from league.api.examples import FORECAST, LEAGUE_RULES
from league.api.shapes import LeagueRulesShape, SettingsCheckRequest, SettingsCheckShape
from league.formats.forecast import forecast
from league.formats.sentences import sentences
from league.formats.settings import Settings
from league.queries import visible
from league.services.competitions import checked_settings


class LeagueRules(Operation):
    """`/competitions/{id}/rules`"""

    @extend_schema(
        operation_id="get_league_rules",
        summary="Get a competition's rules in sentences",
        tags=["competitions"],
        responses=LeagueRulesShape,
        examples=[gets(LEAGUE_RULES)],
        auth=[],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The rules."""
        found = visible.competition(competition_id, viewer_id(request))
        told = _told(found.format, found.chosen)
        return etag.answer(request, polite.told(told) if found.club.polite else told)


class SettingsCheck(Operation):
    """`/competition-settings/check`"""

    @extend_schema(
        operation_id="check_settings",
        summary="Try settings: what they mean, and how long it would take",
        description="Nothing is stored. The time is that of players of equal strength.",
        tags=["competitions"],
        request=SettingsCheckRequest,
        responses=SettingsCheckShape,
        examples=[
            asks({"format": "rounds", "entries": 11, "settings": LEAGUE_RULES["settings"]}),
            gets({**LEAGUE_RULES, "forecast": FORECAST}),
        ],
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Try them."""
        body = read_body(request, SettingsCheckRequest)
        settings = checked_settings(body["settings"], body["format"])
        told = forecast(body["entries"], settings, body["format"], body["away"])
        wire = {**asdict(told), "warning": told.warning}
        return Response({**_told(body["format"], settings), "forecast": wire})


def _told(format: str, settings: Settings) -> dict[str, object]:
    return {
        "format": format,
        "settings": settings.to_json(),
        "sentences": [sentence._asdict() for sentence in sentences(settings, format)],
    }
