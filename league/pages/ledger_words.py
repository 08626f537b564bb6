"""Each row of the ledger in words, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.models import LedgerRow
from league.pages.outcomes import Names, outcome, people

Kind = LedgerRow.Kind
Body = Mapping[str, Any]


def words(row: LedgerRow, names: Names) -> SafeString:
    """What the row says."""
    say = _SAY.get(Kind(row.kind))
    return say(row.body, names) if say else format_html("{}", row.kind)


def where(body: Body) -> str:
    """Which deal, table or round it is about; "" for none."""
    parts = [f"{name} {body[name]}" for name in ("round", "table", "deal") if name in body]
    return ", ".join(parts)


def _one(body: Body, names: Names) -> SafeString:
    return people([body["entry"]], names)


def _told(says: str) -> Callable[[Body, Names], SafeString]:
    def say(body: Body, names: Names) -> SafeString:
        return format_html(says, _result(body, names))

    return say


def _result(body: Body, names: Names) -> SafeString:
    if "deals" in body:
        order = outcome(body.get("places", []), names)
        return format_html("{} deals; order of the table: {}", len(body["deals"]), order)
    return outcome(body.get("places", []), names, body.get("forfeits", ()))


def _disputed(body: Body, names: Names) -> SafeString:
    one, other = _result(body, names), outcome(body.get("contested", []), names)
    return format_html("two seats say different things: {}; or {}", one, other)


def _chips(body: Body, names: Names) -> SafeString:
    who, many = _one(body, names), body["chips"]
    if "revokes" in body:
        return format_html("row {} is taken back: {} {}", body["revokes"], who, f"{many:+d}")
    if many < 0:
        return format_html("{} chips are taken from {}", -many, who)
    return format_html("{} takes {} chips" if many != 1 else "{} takes {} chip", who, many)


def _substituted(body: Body, names: Names) -> SafeString:
    if "round" in body:
        return format_html(
            "from round {} on somebody else plays for entry {}", body["round"], body["entry"]
        )
    return format_html("entry {} is now that of {}", body["entry"], _one(body, names))


def _drawn(body: Body, names: Names) -> SafeString:
    tables = ((at, people(seats, names)) for at, seats in enumerate(body["tables"], start=1))
    return format_html("seated: {}", format_html_join("; ", "table {}: {}", tables))


def _out(body: Body, names: Names) -> SafeString:
    placed = format_html_join(
        ", ", "{} (place {})", ((people([n], names), place) for n, place in body["entries"])
    )
    back = body.get("revoked", [])
    if not back:
        return format_html("out: {}", placed)
    if not placed:
        return format_html("back in: {}", people(back, names))
    return format_html("out: {}; back in: {}", placed, people(back, names))


def _state(body: Body, names: Names) -> SafeString:
    if body.get("winners"):
        return format_html("finished: won by {}", people(body["winners"], names))
    return format_html("the league is {}", body["state"])


_SAY: Final[Mapping[Kind, Callable[[Body, Names], SafeString]]] = {
    Kind.ENTRY_ADDED: lambda body, names: format_html("{} enters", _one(body, names)),
    Kind.ENTRY_DROPPED: lambda body, names: format_html("{} leaves", _one(body, names)),
    Kind.ENTRY_SUBSTITUTED: _substituted,
    Kind.CHECKIN: lambda body, names: format_html("{} is there", _one(body, names)),
    Kind.ROUND_DRAWN: _drawn,
    Kind.ROUND_REDRAWN: lambda body, names: SafeString("the seating is taken back"),
    Kind.RESULT_REPORTED: _told("told: {}"),
    Kind.RESULT_CONFIRMED: _told("{}"),
    Kind.RESULT_DISPUTED: _disputed,
    Kind.RESULT_RULED: _told("ruled: {}"),
    Kind.RESULT_AMENDED: _told("corrected: {}"),
    Kind.RESULT_VOIDED: lambda body, names: SafeString("counts nowhere"),
    Kind.CHIP: _chips,
    Kind.ADJUSTMENT: _chips,
    Kind.ELIMINATION: _out,
    Kind.COMPETITION_STATE: _state,
}
