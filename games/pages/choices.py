"""A form of moves: what may be pressed, and how the form says it as an action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import QueryDict

from games.pages.words import action_text, rank_text


class Choice(NamedTuple):
    """One thing to press or to pick: the value sent, and its text."""

    value: str
    text: str


class Choices(NamedTuple):
    """Everything that a seat may do now, by kind of form."""

    buttons: list[Choice]
    swap: bool
    ranks: list[Choice]
    """Ranks that a claim may name."""


def choices(legal: Sequence[str], view: dict[str, Any]) -> Choices:
    """The forms for these legal actions."""
    plain = [entry for entry in legal if entry != "S" and not entry.startswith("C:")]
    buttons: list[Choice] = []
    for entry in plain:
        for action in _slots(view) if entry == "B" else [entry]:
            buttons.append(Choice(action, action_text(action)))
    ranks = [Choice(entry[2:], rank_text(entry[2:])) for entry in legal if entry[:2] == "C:"]
    return Choices(buttons, "S" in legal, ranks)


def action_of(form: QueryDict) -> str:
    """The action that a sent form means, in the notation of records."""
    kind = form.get("kind", "")
    if kind == "swap":
        return f"S:{''.join(form.getlist('give'))}/{''.join(form.getlist('take'))}"
    if kind == "claim":
        return f"C:{''.join(form.getlist('cards'))}={form.get('rank', '')}"
    return form.get("action", "")


def _slots(view: dict[str, Any]) -> list[str]:
    filled = view["down"][view["seat"]]
    return [f"B:{slot}" for slot, there in enumerate(filled) if there]
