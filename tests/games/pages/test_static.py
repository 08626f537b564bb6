"""The table's own files: every card in the sprite, small, and nothing that the CSP would refuse."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from games.engine import card_text
from games.engine.events import Kind
from games.pages.words import EVENTS, for_script
from games.queries.views import RESIGN

FOLDER = Path(__file__).parents[3] / "games" / "static" / "games"
SCRIPTS = sorted(FOLDER.glob("*.js"))


def test_the_sprite_has_every_card_and_is_small() -> None:
    text = (FOLDER / "cards.svg").read_text()
    names = {symbol.get("id") for symbol in ET.fromstring(text)}
    cards = {text for text in map(card_text, range(8, 120)) if text[0] != "*"}
    assert (len(cards), names) == (52, cards | {"joker", "back", "C", "D", "H", "S"})
    assert len(text.encode()) < 25_000


def test_suits_are_coloured_by_variables_alone() -> None:
    assert not re.search(r"#[0-9a-f]{3,6}\b", (FOLDER / "cards.svg").read_text())
    sheet = (FOLDER / "table.css").read_text()
    for suit in ("spade", "heart", "diamond", "club"):
        assert f"--card-{suit}:" in sheet and f"var(--card-{suit})" in sheet


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_scripts_set_no_styles_write_no_html_and_import_what_is_there(script: Path) -> None:
    text = script.read_text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|\.style\b|eval\(|Function\(", text
    )
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (FOLDER / name).exists()
    assert all(len(line) <= 100 for line in text.splitlines())


def test_the_script_has_a_sentence_for_every_event() -> None:
    assert set(EVENTS) == {kind.value for kind in Kind} | {"deal", RESIGN}
    assert all(name in for_script() for name in EVENTS)
