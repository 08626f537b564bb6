"""The referee of a rules card: what lies there, what is laid; a form, and a script that needs no
network. Both look the answer up in the table that the engine has filled."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.errors import UnknownRulesError
from games.queries.replays import rules_of_card
from games.queries.rules_cards import card_of, rules_wire
from games.queries.rulings import Asked, looked_up, referee


@require_safe
def ask(request: HttpRequest, rules_hash: str) -> HttpResponse:
    """`/rules/<hash>/ask/`"""
    try:
        rules = rules_of_card(card_of(rules_hash).card)
    except UnknownRulesError:
        raise Http404 from None
    table = referee(rules)
    question = _Question(request.GET, table)
    context = {
        "rules": rules_wire(rules),
        "table": table,
        "tops": table["tops"],
        "asked": question,
        "answer": question.answer(),
        "runs": [run for run in (1, 2, 3) if table["counts"] >= run],
        "threes": range(4) if any(len(top["threes"]) > 1 for top in table["tops"]) else (),
        "counts": range(1, table["counts"] + 1),
    }
    return render(request, "games/ask.html", context)


class _Question:
    """What a form asks; a field that is missing or makes no sense is as at first."""

    def __init__(self, form: QueryDict, table: dict[str, Any]) -> None:
        self._table = table
        self.top = _one_of(form.get("top"), table["tops"])
        self.card = _one_of(form.get("card"), table["ranks"])
        self.zone = _one_of(form.get("from"), table["zones"]) or table["zones"][0]
        self.run, self.threes = _number(form.get("run"), 1), _number(form.get("threes"), 0)
        self.count = 1 if self.zone["single"] else _number(form.get("count"), 1)
        self.stock = form.get("stock") != "gone"

    def answer(self) -> dict[str, Any] | None:
        """The verdict, None before both cards are told."""
        if self.top is None or self.card is None:
            return None
        table, top = self._table, self.top
        stock = self.stock if self.zone["stock"] is None else self.zone["stock"]
        asked = Asked(
            bool(stock),
            table["tops"].index(top),
            _near(self.threes, top["threes"]) * len(top["runs"]) + _near(self.run, top["runs"]),
            table["ranks"].index(self.card),
            min(max(self.count, 1), table["counts"]),
        )
        return looked_up(table, asked)


def _one_of(key: str | None, known: list[dict[str, Any]]) -> dict[str, Any] | None:
    return next((one for one in known if one["key"] == key), None)


def _number(text: str | None, otherwise: int) -> int:
    return (
        int(text) if text and text.isascii() and text.isdecimal() and len(text) < 3 else otherwise
    )


def _near(number: int, there: list[int]) -> int:
    """The place of a number in a list, or of the one that is nearest to it."""
    return there.index(min(max(number, there[0]), there[-1]))
