"""What the table's script makes of a player's taps, run by Node.js without any page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.flows.toolchains import node

PICKS = Path(__file__).parents[3] / "games" / "static" / "games" / "picks.js"
RUN = """
const { Picks } = await import(process.argv[1]);
const { view, legal, taps } = JSON.parse(process.argv[2]);
const picks = new Picks({ view, legal }, { actions: {} }, () => {}, () => {});
for (const [zone, at] of taps) picks.pick(zone, at);
const [zones, laid, swap] = [picks.zones, picks.laid("P:"), picks.swapAction()];
console.log(JSON.stringify({ zones, laid, swap }));
"""


def tapped(legal: list[str], hand: list[str], up: list[str], *taps: tuple[str, int]) -> Any:
    """What is picked after these taps."""
    view = {"seat": 0, "hand": hand, "up": [up]}
    given = json.dumps({"view": view, "legal": legal, "taps": taps})
    command = [node(), "--input-type=module", "-e", RUN, PICKS.as_uri(), given]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


LEGAL = ["P:7x1", "P:7x2", "P:7x3", "P:9x1"]
HAND = ["7C", "7D", "9C", "7H"]


@pytest.mark.parametrize(
    ("taps", "laid"),
    [
        ([("hand", 1)], "P:7C7D7H"),
        ([("hand", 1), ("hand", 0)], "P:7D7H"),
        ([("hand", 1), ("hand", 0), ("hand", 0)], "P:7C7D7H"),
        ([("hand", 1), ("hand", 2)], "P:9C"),
    ],
)
def test_one_tap_picks_all_of_a_rank(taps: list[tuple[str, int]], laid: str) -> None:
    assert tapped(LEGAL, HAND, ["3C"], *taps)["laid"] == laid


def test_the_row_is_played_from_when_the_hand_is_empty() -> None:
    found = tapped(["P:5x1"], [], ["5C", "8D"], ("up", 0))
    assert (found["zones"], found["laid"]) == (["up"], "P:5C")


def test_a_swap_takes_single_cards_of_both_places() -> None:
    found = tapped(["S"], ["3C", "3D", "KH"], ["AC", "4D"], ("hand", 0), ("up", 0))
    assert (found["zones"], found["swap"]) == (["hand", "up"], "S:3C/AC")
