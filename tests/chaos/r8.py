"""R8: every operation of the description, asked with what it allows and what it does not.

schemathesis makes the requests from the OpenAPI document and holds the answers against it; each
operation is asked as nobody, as a player, as an organiser and as a bot, of objects that are there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.access import ANYBODY, SCOPES
from tests.chaos import SEED, Proof
from tests.config.world import ALL, World, token, world

GOAL: Final = "no 5xx, no answer outside its schema, no operation that ignores who asks"
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# What ends an object that others are asked of comes last.
LAST: Final = (
    "void_competition",
    "delete_webhook",
    "revoke_bot_secret",
    "revoke_bot_token",
    "revoke_my_token",
    "rotate_bot_token",
    "retire_bot",
)
MODES: Final = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


class Tally:
    """How many were asked, and what was wrong with which."""

    def __init__(self) -> None:
        self.asked = 0
        self.operations: set[str] = set()
        self.faults: list[str] = []


def prove(port: int, examples: int = 40) -> Proof:
    """So many requests for each operation, role and mode."""
    tally = fuzzed(examples)
    figure = (
        f"{tally.asked} requests to {len(tally.operations)} operations as 4 roles: "
        f"{len(tally.faults)} faults"
    )
    return Proof("; ".join([figure, *tally.faults[:5]]), GOAL, not tally.faults)


def fuzzed(examples: int) -> Tally:
    """Ask Django's side of this process, on the database that is set up."""
    from config.asgi import wsgi  # noqa: PLC0415 - it wants the folders of the run to be there

    here, tally = world(), Tally()
    for operation in _operations(wsgi):
        for who, headers in _roles(here).items():
            for mode in MODES[: 2 if len(operation.body) or len(operation.query) else 1]:
                _fuzz(operation, who, headers, mode, here, examples, tally)
    return tally


def _operations(wsgi: Any) -> list[Any]:
    schema: Any = schemathesis.openapi.from_wsgi("/api/openapi.json", wsgi)
    found = [each.ok() for each in schema.get_all_operations()]
    return sorted(found, key=lambda one: (_name(one) in LAST, _name(one)))


def _roles(here: World) -> dict[str, dict[str, str]]:
    people = {"player": here.outsider, "organiser": here.owner, "bot": here.bot.player}
    spoken = {who: f"Bearer {token(player, *ALL)}" for who, player in people.items()}
    return {"nobody": {}} | {who: {"Authorization": text} for who, text in spoken.items()}


def _fuzz(
    operation: Any,
    who: str,
    headers: dict[str, str],
    mode: GenerationMode,
    here: World,
    examples: int,
    tally: Tally,
) -> None:
    named = {one.name for one in operation.path_parameters}
    known = {name: value for name, value in here.ids.items() if name in named}
    cases = operation.as_strategy(generation_mode=mode, path_parameters=known or None)

    @seed(SEED)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Any) -> None:
        tally.asked += 1
        tally.operations.add(_name(operation))
        for fault in _faults(case, who, headers):
            tally.faults.append(f"{_name(operation)} as {who}: {fault}")

    # Where nothing is there to be broken, no broken request can be made.
    with contextlib.suppress(Unsatisfiable):
        ask()


def _faults(case: Any, who: str, headers: dict[str, str]) -> Iterator[str]:
    try:
        answer = case.call(headers=headers)
    except UnicodeEncodeError:
        return  # no request could carry it
    try:
        case.validate_response(answer, checks=CHECKS, headers=headers)
    except AssertionError as error:
        yield f"{answer.status_code} {error} {case.as_curl_command()[:600]}"
    except BaseExceptionGroup as errors:
        yield f"{answer.status_code} {errors.exceptions} {case.as_curl_command()[:600]}"
    needed = SCOPES[_name(case.operation)]
    if who == "nobody" and needed != ANYBODY and answer.status_code < 400:
        yield f"{answer.status_code} without a token"


def _name(operation: Any) -> str:
    return str(operation.definition.raw["operationId"])
