"""What the forms of the hall ask for, as plans and filters; a value that no form has is not asked.

Knows no request, only what was sent.
"""

from __future__ import annotations

from typing import Final

from django.http import QueryDict

from games import queries
from games.engine import PRESETS
from games.models import Game
from games.services import lobby
from games.services.lobby import Plan

DAYS: Final = (1, 2, 3, 5, 7, 14)
SEATS: Final = range(2, 7)


def plan(form: QueryDict) -> Plan:
    """A game of the creator and others: free seats, or one kind of house bot on all of them."""
    bot = form.get("bot", "")
    others = [f"house:{bot}" if bot else ""] * (_seats(form, "seats", 2) - 1)
    visibility = form.get("visibility", "")
    return Plan(
        lobby.rules_for(form.get("preset", "table"), {}),
        ["", *others],
        visibility=Game.Visibility(
            visibility if visibility in Game.Visibility.values else "public"
        ),
        move_days=_number(form, "move_days", DAYS),
    )


def quick_plan(form: QueryDict) -> Plan:
    """A quick game, open to all."""
    return Plan(lobby.rules_for(form.get("preset", "table"), {}), [""] * _seats(form, "players", 3))


def wanted(form: QueryDict) -> queries.Open:
    """Which open games are shown."""
    preset, pace = form.get("preset", ""), form.get("pace", "")
    return queries.Open(
        PRESETS[preset].hash if preset in PRESETS else None,
        _number(form, "players", SEATS),
        {"days": True, "now": False}.get(pace),
    )


def _seats(form: QueryDict, name: str, usual: int) -> int:
    return _number(form, name, SEATS) or usual


def _number(form: QueryDict, name: str, known: range | tuple[int, ...]) -> int | None:
    return next((number for number in known if str(number) == form.get(name)), None)
