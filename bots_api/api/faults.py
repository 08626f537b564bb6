"""The owner's inbox of faults: with their evidence, and each as a failing test."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request

from bots_api import queries
from bots_api.api.examples import FAULT, listed
from bots_api.api.owner_shapes import BotFaultsShape, FaultShape, FaultsQuery
from bots_api.queries import documents
from bots_api.reproduce import test_file
from config.kit import etag
from config.kit.operation import Operation
from games.api.examples import gets
from games.authentication import player_of
from games.models import Token

PYTHON = "text/x-python"


class Faults(Operation):
    """`/bots/{id}/faults`"""

    query = FaultsQuery

    @extend_schema(
        operation_id="list_bot_faults",
        summary="List the faults of your bot",
        description="With the evidence, the newest first. For the bot's owner alone.",
        tags=["bots"],
        parameters=[FaultsQuery],
        responses=BotFaultsShape,
        examples=[gets(listed(FAULT))],
    )
    def get(self, request: Request, bot_id: int) -> HttpResponse:
        """The newest first."""
        queries.owned(bot_id, player_of(request, Token.Scope.BOT).pk)
        given, rows = self.params, queries.faults(bot_id)
        if "version" in given:
            rows = rows.filter(version__version=given["version"])
        if "kind" in given:
            rows = rows.filter(kind=given["kind"])
        return self.listed(
            request, rows, "-id", lambda page: [documents.fault(row) for row in page]
        )


class OneFault(Operation):
    """`/bots/{id}/faults/{fault}`"""

    @extend_schema(
        operation_id="get_bot_fault",
        summary="Get a fault of your bot",
        tags=["bots"],
        responses=FaultShape,
        examples=[gets(FAULT)],
    )
    def get(self, request: Request, bot_id: int, fault_id: int) -> HttpResponse:
        """The fault."""
        queries.owned(bot_id, player_of(request, Token.Scope.BOT).pk)
        return etag.answer(request, documents.fault(queries.fault(bot_id, fault_id)))


class FaultTest(Operation):
    """`/bots/{id}/faults/{fault}/test.py`"""

    @extend_schema(
        operation_id="get_bot_fault_test",
        summary="Download a fault as a failing test",
        description=(
            "A Python file that sends the same request to your bot, and passes once the answer is "
            "sound: `BOT_URL=http://127.0.0.1:8001 BOT_SECRET=whsec_… pytest test_fault.py`."
        ),
        tags=["bots"],
        responses={(200, PYTHON): OpenApiTypes.STR},
        examples=[
            OpenApiExample(
                "file",
                value='"""One fault of your Housuliiga bot as a test…"""',
                response_only=True,
                media_type=PYTHON,
            )
        ],
    )
    def get(self, request: Request, bot_id: int, fault_id: int) -> HttpResponse:
        """The file."""
        bot = queries.owned(bot_id, player_of(request, Token.Scope.BOT).pk)
        file = test_file(queries.fault(bot_id, fault_id), bot.url)
        answer = etag.answer_bytes(request, file.encode(), f"{PYTHON}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="test_fault_{fault_id}.py"'
        return answer
