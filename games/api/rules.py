"""Rule sets over the API: what there is, one card by its hash, whether a choice can be played."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.kit import etag
from config.kit.operation import Operation
from config.kit.params import read_body
from games.api.examples import RULES, asks, gets
from games.api.shapes import CheckedRulesShape, PresetsShape, RulesCardShape, RulesRequest
from games.queries.replays import rules_of_card
from games.queries.rules_cards import card_of
from games.queries.rules_tables import card_wire, checked_wire, presets_wire
from games.services.lobby import rules_for


class Presets(Operation):
    """`/rules/presets`"""

    @extend_schema(
        operation_id="list_presets",
        summary="List presets, house rules and options",
        tags=["rules"],
        responses=PresetsShape,
        examples=[
            gets(
                {
                    "presets": [{"name": "table", "hash": "…", "options": {"jokers": 0}}],
                    "house_rules": [{"name": "jokers", "options": {"jokers": 2}}],
                    "options": [{"name": "jokers", "values": [0, 1, 2, 3, 4], "range": None}],
                    "house_bots": ["lowest", "random"],
                }
            )
        ],
        auth=[],
    )
    def get(self, request: Request) -> HttpResponse:
        """Everything that a form needs."""
        return etag.answer(request, presets_wire())


class Card(Operation):
    """`/rules/{hash}`"""

    @extend_schema(
        operation_id="get_rules_card",
        summary="Get a rules card by its hash",
        tags=["rules"],
        responses=RulesCardShape,
        examples=[gets({**RULES, "card": {"jokers": 0}})],
        auth=[],
    )
    def get(self, request: Request, rules_hash: str) -> HttpResponse:
        """The full option set."""
        return etag.answer(request, card_wire(rules_of_card(card_of(rules_hash).card)))


class Check(Operation):
    """`/rules/check`"""

    @extend_schema(
        operation_id="check_rules",
        summary="Check whether a rule set can be played",
        description="Refused with the option's name: `unknown_option`, `bad_option_value`, …",
        tags=["rules"],
        request=RulesRequest,
        responses=CheckedRulesShape,
        examples=[
            asks({"preset": "table", "house_rules": ["jokers"], "options": {"face_up": 5}}),
            gets(
                {
                    **RULES,
                    "card": {"jokers": 2},
                    "deals": [{"players": 2, "packs": 1, "second_deck_needed": False}],
                }
            ),
        ],
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Nothing is stored."""
        body = read_body(request, RulesRequest)
        rules = rules_for(body["preset"], body["options"], body["house_rules"])
        return Response(checked_wire(rules))
