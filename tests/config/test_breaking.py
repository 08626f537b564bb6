"""No client that was written for the snapshot of the API is broken by the API as it is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from config.describe import schema
from tests.config.breaking import SNAPSHOT, bare, breaks

OLD = json.loads(SNAPSHOT.read_text())
MOVE = "/api/v1/games/{game_id}/moves"
Change = Callable[[dict[str, Any], dict[str, Any]], object]


def test_no_client_of_the_snapshot_is_broken() -> None:
    """If one has to be: say so in the changelog, then `python -m tests.config.breaking`."""
    assert breaks(OLD, json.loads(json.dumps(bare(schema())))) == []


def changed(change: Change) -> list[str]:
    new = copy.deepcopy(OLD)
    change(new["paths"], new["components"]["schemas"])
    return breaks(OLD, new)


@pytest.mark.parametrize(
    "change",
    [
        lambda paths, _: paths.pop(MOVE),
        lambda paths, _: paths[MOVE].pop("post"),
        lambda paths, _: paths[MOVE]["post"].update(operationId="move"),
        lambda paths, _: paths[MOVE]["post"]["responses"].pop("200"),
        lambda paths, _: paths["/api/v1/games"]["get"]["parameters"].clear(),
        lambda paths, _: paths["/api/v1/games"]["get"]["parameters"][0].update(required=True),
        lambda _, found: found["MoveRequestRequest"]["required"].append("seat"),
        lambda _, found: found["MoveRequestRequest"]["properties"].pop("action"),
        lambda _, found: found["MoveRequestRequest"]["properties"]["action"].update(maxLength=3),
        lambda _, found: found["MoveRequestRequest"]["properties"]["action"].update(type="integer"),
        lambda _, found: found["MoveShape"]["properties"].pop("ply"),
        lambda _, found: found["MoveShape"]["required"].remove("ply"),
        lambda _, found: found["MoveShape"]["properties"]["ply"].update(type=["integer", "null"]),
        lambda _, found: found["VisibilityEnum"]["enum"].remove("link"),
    ],
)
def test_what_breaks_a_client_is_found(change: Change) -> None:
    assert changed(change)


@pytest.mark.parametrize(
    "change",
    [
        lambda paths, _: paths.update({"/api/v1/new": paths[MOVE]}),
        lambda _, found: found["MoveRequestRequest"]["properties"].update(more={"type": "string"}),
        lambda _, found: found["MoveShape"]["properties"].update(more={"type": "string"}),
        lambda _, found: found["MoveRequestRequest"]["properties"]["action"].update(maxLength=9999),
        lambda _, found: found["GameState"]["enum"].append("adjourned"),
    ],
)
def test_what_breaks_no_client_is_let_be(change: Change) -> None:
    assert changed(change) == []
