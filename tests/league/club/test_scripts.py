"""The scripts of the club's pages: small modules that the policy of the pages takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "league" / "static" / "league"
SCRIPTS = sorted((FOLDER / "offline").glob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_scripts_set_no_styles_write_no_html_and_import_what_is_there(script: Path) -> None:
    text = script.read_text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|\.style\b|eval\(|Function\(", text
    )
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (script.parent / name).exists()
    lines = text.splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= 160 and all(len(line) <= 100 for line in lines)
