"""Schedules switched on and off over the API."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit.operation import Operation, receipt_draft
from config.kit.params import read_body
from games.api.examples import asks, gets
from games.authentication import actor_of, player_of
from games.models import Token
from league.api.examples import SCHEDULE
from league.api.shapes import NothingRequest, ScheduleShape
from league.errors import ScheduleNotFoundError
from league.queries import documents, roles, visible
from league.services import schedules


class Enable(Operation):
    """`/schedules/{id}/enable`"""

    @extend_schema(
        operation_id="enable_schedule",
        summary="Switch a schedule on again",
        description="Slots that passed while it was off are not made up for.",
        tags=["schedules"],
        request=NothingRequest,
        responses=ScheduleShape,
        examples=[asks({}), gets(SCHEDULE)],
    )
    def post(self, request: Request, schedule_id: int) -> Response:
        """Switch it on."""
        return _switched(request, schedule_id, enabled=True)


class Disable(Operation):
    """`/schedules/{id}/disable`"""

    @extend_schema(
        operation_id="disable_schedule",
        summary="Switch a schedule off",
        tags=["schedules"],
        request=NothingRequest,
        responses=ScheduleShape,
        examples=[asks({}), gets({**SCHEDULE, "enabled": False})],
    )
    def post(self, request: Request, schedule_id: int) -> Response:
        """Switch it off."""
        return _switched(request, schedule_id, enabled=False)


def _switched(request: Request, schedule_id: int, *, enabled: bool) -> Response:
    player = player_of(request, Token.Scope.ORGANISE)
    read_body(request, NothingRequest)
    found = visible.schedules(player.pk).filter(pk=schedule_id).first()
    if found is None:
        raise ScheduleNotFoundError("There is no such schedule.")
    roles.require_organiser(found.club, player.pk)
    actor = actor_of(request)
    draft = receipt_draft(request, actor)
    row = schedules.switch(schedule_id, enabled=enabled, actor=actor, receipt=draft)
    return Response(documents.schedule(row))
