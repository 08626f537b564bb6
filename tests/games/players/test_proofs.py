"""The proofs of docs/house-bots.md in small: they run, and what they find is kept by name."""

import json
from pathlib import Path

from tests.games.players.proofs import contests
from tests.games.players.proofs.report import DOCS, keep, row


def test_a_figure_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    page = tmp_path / "house-bots.md"
    page.write_text((DOCS / "house-bots.md").read_text())
    name = "loses: table, 3 seats: search"
    keep([row(name, "0.5 ± 0.1"), row("other", "1", "2", holds=False)], tmp_path)
    keep([row(name, "0.3 ± 0.1")], tmp_path)
    kept = json.loads((tmp_path / "reports" / "house-bots.json").read_text())
    assert [(one["id"], one["figure"], one["holds"]) for one in kept] == [
        (name, "0.3 ± 0.1", None),
        ("other", "1", False),
    ]
    assert set(kept[0]) == {"id", "figure", "goal", "holds", "seed", "machine"}
    assert "| table, 3 seats | 0.3 ± 0.1 |" in page.read_text()
    assert page.read_text().startswith("# House bots")


def test_an_ending_counts_whole_rotations() -> None:
    told = contests.ending("lowest", "classic", 3, 4)
    assert told["figure"] == "0 of 6 (0.00%)"
    assert told["holds"] is True


def test_a_pair_is_told_with_its_interval() -> None:
    counter = next(contests.duels(0.005))
    assert counter["id"] == "duel: table, 4 seats: counter - cautious"
    assert counter["figure"].endswith("8 games")
