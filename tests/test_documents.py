"""What the documents show is true: the README's game is played, the links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#]+)")


def test_the_game_in_the_readme_goes_as_it_says() -> None:
    failed, tried = doctest.testfile(str(PROJECT / "README.md"), module_relative=False)
    assert (failed, tried > 3) == (0, True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_between_documents_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text())
    missing = [link for link in targets if not _there(document, link)]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    """Paths in code quotes that begin with one of our folders."""
    named = re.findall(
        r"`((?:config|games|league|bots_api|tests|docs)/[\w/.-]+)", document.read_text()
    )
    missing = [path for path in named if not (PROJECT / path.rstrip("/.")).exists()]
    assert missing == []


def _there(document: Path, link: str) -> bool:
    """A link from the root is an address of a running site, of which tests/flows has its own."""
    return link.startswith("/") or (document.parent / link).exists()
