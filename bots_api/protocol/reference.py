"""docs/bots-reference.md, written from the schemas: every message, member by member."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any, Final

from bots_api.protocol.calls import Sent, sent
from bots_api.protocol.schemas import Schema

_HEAD: Final = """\
# What bots are sent

<!-- Written by `manage.py reference` from schemas.py and calls.py in bots_api/protocol/. -->

Every message, its members, and the reply that is wanted. How to begin, clocks and faults:
[bots.md](bots.md). Members may be added; those named here stay. Cards are a rank of `23456789TJQKA`
and a suit of `CDHS`; jokers `*1`, `*2`, ... Seats count from 0, clockwise.

A webhook bot is called at the address that it is registered with, signed by the headers
`webhook-id`, `webhook-timestamp` and `webhook-signature`. A bot that connects out gets the same
message with `reply_to`, `deadline_at` and `cursor` beside it, and one more, of type `handshake`, as
the first line of each connection. A program in a local arena gets turns alone, a line each, and
says its handshake as its own first line.
"""
_ACTIONS: Final = (
    ("`P:9x2`", "the same", "lay two nines, the lowest in order of suit"),
    ("", "`P:9C9H`", "lay just these"),
    ("`U`", "`U`", "pick up the pile"),
    ("`B`", "`B:1`", "turn over face-down slot 1 (`view.down[seat]` says where cards are)"),
    ("`X`", "`X`", "try the top card of the stock"),
    ("`D`", "`D`", "draw first; you are asked again"),
    ("`C:9`", "`C:7C8D=9`", "bluff games: lay these face down and call them nines"),
    ("`!`, `.`", "the same", "bluff games: challenge the claim, or accept it"),
    ("`S`", "`S:/`", "swap nothing"),
    ("", "`S:6D8S/3HKD`", "swap these cards of your hand for those of your face-up row"),
    ("`-`", "`-`", "pass: nothing else is possible"),
)


def reference() -> str:
    """The whole page."""
    parts = [_HEAD, *(_call(call) for call in sent()), _actions()]
    return "\n".join(parts)


def _call(call: Sent) -> str:
    lines = [
        f"## {call.name}: {call.summary.lower()}",
        "",
        f"`{call.method.upper()} {{url}}{call.path}`",
    ]
    lines += ["", *textwrap.wrap(call.when, 100), ""]
    if call.message is not None:
        lines += [*_table(call.message), "", *_example(call.example), ""]
    wanted = list(_table(call.reply))
    if len(wanted) > 2:
        lines += ["The reply:", "", *wanted, "", *_example(call.answer)]
    else:
        lines += [f"The reply: `{json.dumps(call.answer)}`. {call.reply['description']}"]
    return "\n".join([*lines, ""])


def _table(schema: Schema) -> Iterator[str]:
    yield "| member | type | what it says |"
    yield "|---|---|---|"
    for path, part, needed in _members(schema, ""):
        optional = "" if needed else " Optional."
        yield f"| `{path}` | {_type(part)} | {part['description']}{optional} |"


def _members(schema: Schema, before: str) -> Iterator[tuple[str, Schema, bool]]:
    for name, part in schema.get("properties", {}).items():
        path = f"{before}{name}"
        yield path, part, name in schema["required"]
        yield from _members(part, f"{path}.")
        if part.get("type") == "array" and "properties" in part["items"]:
            yield from _members(part["items"], f"{path}[].")


def _type(part: Schema) -> str:
    if "const" in part:
        return f"`{json.dumps(part['const'])}`"
    if "enum" in part:
        return "one of " + ", ".join(f"`{value}`" for value in part["enum"])
    if "anyOf" in part:
        return " or ".join(_type(one) for one in part["anyOf"])
    if part["type"] == "array":
        return f"list of {_type(part['items'])}"
    return _PLAIN.get(str(part.get("pattern")), str(part["type"]))


_PLAIN: Final = {
    "^([2-9TJQKA][CDHS]|\\*[1-9])": "card",
    "^[2-9TJQKA*]$": "rank",
}


def _example(value: dict[str, Any] | None) -> list[str]:
    text = json.dumps(value)
    return [
        "```json",
        *textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False),
        "```",
    ]


def _actions() -> str:
    lines = ["## Actions", "", "| in `legal` | answer | meaning |", "|---|---|---|"]
    lines += [f"| {legal} | {answer} | {meaning} |" for legal, answer, meaning in _ACTIONS]
    return "\n".join([*lines, ""])
