"""What organisers do while a competition runs, over the API; each safe to repeat."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token
from league.api.authority import organiser
from league.api.entries import PLAYER
from league.api.examples import ACT, COMPETITION, ENTRY, listed
from league.api.shapes import (
    ActsShape,
    CompetitionShape,
    EntryShape,
    NextSeasonRequest,
    NothingRequest,
    PageQuery,
    SubstitutionRequest,
)
from league.models import Competition
from league.queries import documents, roles, visible
from league.services import conduct, rehearsals, rounds, seasons, substitution
from league.services.notes import Prose
from league.services.substitution import ChipsGo, Swap
from league.tasks import follow_up


class Pause(Operation):
    """`/competitions/{id}/pause`"""

    @extend_schema(
        operation_id="pause_competition",
        summary="Pause a competition",
        description="No round and no deal begins; what is being played ends and counts.",
        tags=["competitions"],
        request=NothingRequest,
        responses=CompetitionShape,
        examples=[asks({}), gets({**COMPETITION, "state": "paused"})],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Pause it."""
        actor = _organiser(request, competition_id)
        conduct.pause(competition_id, actor, receipt_draft(request, actor))
        return _shown(request, competition_id)


class Resume(Operation):
    """`/competitions/{id}/resume`"""

    @extend_schema(
        operation_id="resume_competition",
        summary="Go on with a paused competition",
        tags=["competitions"],
        request=NothingRequest,
        responses=CompetitionShape,
        examples=[asks({}), gets(COMPETITION)],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Go on."""
        actor = _organiser(request, competition_id)
        follow_up(conduct.resume(competition_id, actor, receipt_draft(request, actor)))
        return _shown(request, competition_id)


class NextSeason(Operation):
    """`/competitions/{id}/next-season`"""

    @extend_schema(
        operation_id="open_next_season",
        summary="Open the next season",
        description="The same people, rules and settings; the ledger begins empty.",
        tags=["competitions"],
        request=NextSeasonRequest,
        responses={201: CompetitionShape},
        examples=[asks({"name": "Maanantai 2027"}), gets({**COMPETITION, "state": "open"})],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Open it."""
        organiser(request, competition_id)
        actor = actor_of(request)
        body = read_body(request, NextSeasonRequest)
        draft = receipt_draft(request, actor)
        made = seasons.follow(competition_id, body["name"], actor, body["starts_at"], draft)
        answer = _shown(request, made.pk)
        answer.status_code = status.HTTP_201_CREATED
        return answer


class Void(Operation):
    """`/competitions/{id}/void`"""

    @extend_schema(
        operation_id="void_competition",
        summary="Call a competition off",
        description="Its tables end without a result. There is no way back.",
        tags=["competitions"],
        request=NothingRequest,
        responses=CompetitionShape,
        examples=[asks({}), gets({**COMPETITION, "state": "void"})],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Call it off."""
        actor = _organiser(request, competition_id)
        conduct.void(competition_id, actor, receipt_draft(request, actor))
        return _shown(request, competition_id)


class NextRound(Operation):
    """`/competitions/{id}/rounds/next`"""

    @extend_schema(
        operation_id="open_round",
        summary="Draw and open the next round",
        description="Where `next_round` is `by_hand`. While a round is open nothing happens.",
        tags=["competitions"],
        request=NothingRequest,
        responses=CompetitionShape,
        examples=[asks({}), gets(COMPETITION)],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Open it."""
        actor = _organiser(request, competition_id)
        follow_up(rounds.open(competition_id, actor, receipt_draft(request, actor)))
        return _shown(request, competition_id)


class Drop(Operation):
    """`/competitions/{id}/entries/{player_id}/drop`"""

    @extend_schema(
        operation_id="drop_entry",
        summary="Take an entry out of a running competition",
        description="A stand-in plays for it from the next deal on; it goes on from nowhere.",
        tags=["competitions"],
        parameters=[PLAYER],
        request=NothingRequest,
        responses=EntryShape,
        examples=[asks({}), gets({**ENTRY, "state": "dropped"})],
    )
    def post(self, request: Request, competition_id: int, player_id: int) -> Response:
        """Drop it."""
        by = player_of(request)
        read_body(request, NothingRequest)
        club = visible.competition(competition_id, by.pk).club
        roles.require_enterer(club, by.pk, player_id)
        actor = actor_of(request)
        draft = receipt_draft(request, actor)
        entry, due = conduct.drop(competition_id, player_id, actor, draft)
        follow_up(due)
        return Response(documents.entry(entry))


class Substitution(Operation):
    """`/competitions/{id}/entries/{player_id}/substitute`"""

    @extend_schema(
        operation_id="substitute_entry",
        summary="Let somebody else play for an entry from the next round on",
        description=(
            "`chips`: with `leaver` the entry and its chips stay his, and he may come back by the "
            "same act; with `substitute` the entry passes over with all it has."
        ),
        tags=["competitions"],
        parameters=[PLAYER],
        request=SubstitutionRequest,
        responses=EntryShape,
        examples=[asks({"player": 31, "chips": "leaver"}), gets(ENTRY)],
    )
    def post(self, request: Request, competition_id: int, player_id: int) -> Response:
        """Substitute."""
        by = organiser(request, competition_id)
        body = read_body(request, SubstitutionRequest)
        prose = Prose(body["note"], by.pk, about=player_id)
        swap = Swap(player_id, body["player"], ChipsGo(body["chips"]), prose)
        actor = actor_of(request)
        draft = receipt_draft(request, actor)
        entry = substitution.substitute(competition_id, swap, actor, draft)
        return Response(documents.entry(entry))


class Wipe(Operation):
    """`/competitions/{id}/wipe`"""

    @extend_schema(
        operation_id="wipe_rehearsal",
        summary="Wipe a rehearsal",
        description="Everything of it is gone, running or over. Nothing else can be wiped.",
        tags=["competitions"],
        request=NothingRequest,
        responses={204: None},
        examples=[asks({})],
    )
    def post(self, request: Request, competition_id: int) -> Response:
        """Wipe it."""
        organiser(request, competition_id)
        read_body(request, NothingRequest)
        rehearsals.wipe(competition_id, actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Acts(Operation):
    """`/competitions/{id}/acts`"""

    query = PageQuery

    @extend_schema(
        operation_id="list_acts",
        summary="List who did what in a competition",
        description="For its organisers; the newest first.",
        tags=["competitions"],
        parameters=[PageQuery],
        responses=ActsShape,
        examples=[gets(listed(ACT))],
    )
    def get(self, request: Request, competition_id: int) -> HttpResponse:
        """The log."""
        player = player_of(request, Token.Scope.ORGANISE)
        found = visible.competition(competition_id, player.pk)
        roles.require_organiser(found.club, player.pk)
        rows = documents.acts_of(found)
        return self.listed(request, rows, "-id", lambda page: [documents.act(row) for row in page])


def _organiser(request: Request, competition_id: int) -> str:
    player = player_of(request, Token.Scope.ORGANISE)
    read_body(request, NothingRequest)
    found: Competition = visible.competition(competition_id, player.pk)
    roles.require_organiser(found.club, player.pk)
    return actor_of(request)


def _shown(request: Request, competition_id: int) -> Response:
    player = player_of(request, Token.Scope.ORGANISE)
    found = visible.competition(competition_id, player.pk)
    return Response(documents.competition(found))
