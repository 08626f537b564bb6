"""Who may do what, R16: every operation of the description by every kind of asker.

tests/config/access.txt declares for each operation what somebody else with all scopes is told,
and what a plain member of the private club that it belongs to is. A new operation needs a row.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from config.access import ANYBODY, SCOPES
from config.describe import schema
from tests.config.world import ALL, METHODS, Call, World, ask, calls, token, world

pytestmark = pytest.mark.django_db

REFUSED: Final = {"not_authenticated", "permission_denied", "bad_token"}


class Row(NamedTuple):
    """The code that each is told; "-": not refused for who he is."""

    outsider: str
    member: str


ROWS: Final = {
    name: Row(outsider, member)
    for name, outsider, member in (
        line.split()
        for line in Path(__file__).with_name("access.txt").read_text().splitlines()
        if line and not line.startswith("#")
    )
}
CALLS: Final = {call.name: call for call in calls()}


def test_every_operation_has_a_row_and_every_row_an_operation() -> None:
    assert set(ROWS) == set(CALLS) == set(SCOPES)


def test_the_description_says_which_scope_an_operation_needs() -> None:
    for path, found in schema()["paths"].items():
        for method in METHODS:
            if method in found:
                needed = SCOPES[found[method]["operationId"]]
                said = found[method]["security"]
                assert next(one["token"] for one in said if "token" in one) == (
                    [needed] if needed else []
                ), (method, path)


@pytest.fixture
def around() -> World:
    return world()


def speaker(call: Call, around: World, *scopes: str) -> str:
    """A token of the owner; of his bot where bots alone may speak."""
    bots_own = call.path.startswith("/api/v1/bot/")
    return token(around.bot.player if bots_own else around.owner, *scopes)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_an_operation_is_for_whom_it_is_declared(call: Call, around: World) -> None:
    others_are_refused(call, around)
    nobody_is_refused_what_is_anybodys(call, around)
    needed = SCOPES[call.name]
    # Those that may come last: what they do may change the object.
    for scope in sorted(ALL, key=lambda scope: scope == needed):
        status, told = ask(call, around, speaker(call, around, scope))
        assert status < 500, told
        if needed in (ANYBODY, "read", scope):
            assert told.get("code") not in REFUSED, (scope, told)
            assert status not in (401, 403) or told["code"] == "scope_not_held", told
        else:
            assert (status, told["code"]) == (403, "permission_denied"), scope
    if status == 404 and needed != ANYBODY:
        assert told["code"] not in ROWS[call.name], "the owner is told the same as an outsider"


def others_are_refused(call: Call, around: World) -> None:
    told = {}
    for who, player in (("outsider", around.outsider), ("member", around.member)):
        status, problem = ask(call, around, token(player, *ALL))
        assert status < 500, problem
        told[who] = problem["code"] if status in (401, 403, 404) else "-"
    assert Row(**told) == ROWS[call.name]


def nobody_is_refused_what_is_anybodys(call: Call, around: World) -> None:
    status, told = ask(call, around, "hlp_" + "0" * 46)
    assert (status, told["code"]) == (401, "bad_token")
    status, told = ask(call, around, None)
    assert status < 500, told
    if SCOPES[call.name] == ANYBODY:
        assert told.get("code") not in REFUSED
    else:
        assert (status, told["code"]) == (401, "not_authenticated")
