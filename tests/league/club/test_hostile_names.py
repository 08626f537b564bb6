"""Sixty hostile names, R24: each is refused, or stands inert on pages, in sheets and in the log."""

import json
import logging
import re
from html.parser import HTMLParser

import pytest

from config.kit.names import BadNameError, checked
from league.formats import name_lists
from league.models import Club, Competition
from league.queries import sheets
from league.services import founding
from league.services.founding import Founding
from tests.league.archive import cast as archive
from tests.league.club.browser import phone

pytestmark = pytest.mark.django_db(transaction=True)

HIDDEN = [f"Ai{char}no" for char in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"]
HIDDEN += [f"Ai{char}no" for char in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u115f\u3164\u2800"]
HIDDEN += [f"Ai{char}no" for char in "\0\x07\x08\x1b\x7f\x85\u2028\u2029\ue000\U000e0041"]
HIDDEN += ["\u200b\u200b", "\u3164\u3164", "x" * 300, "x", "", " ", "\x1b[31mAino\x1b[0m"]
HIDDEN += ["A" + "\u0301" * 200, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦"]
INERT = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "</title><b>x",
    "<!-- x",
    "&lt;b&gt;",
    "{{ 7|add:7 }}",
    "{% csrf_token %}",
    "javascript:alert(1)",
    "=HYPERLINK(1)",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "=1+1|cmd",
    "Robert'); DROP TABLE x",
    "%s%n${x}",
    "../../etc/passwd",
    "Aino",
    "Аino",
    "עברית שם",
    "王小明",
    "🦊🦊",
    "Null",
    'O\'Brien "x"',
]


class Tags(HTMLParser):
    """The tags of a page, and what of attributes could run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.found += [name for name, _ in attrs if name.startswith("on")]


def test_there_are_sixty_at_least() -> None:
    assert len(set(HIDDEN) | set(INERT)) >= 60


@pytest.mark.parametrize("name", HIDDEN, ids=range(len(HIDDEN)))
def test_a_name_that_hides_something_is_refused(name: str) -> None:
    with pytest.raises(BadNameError):
        checked(name)


def test_what_is_refused_is_told_by_line_without_being_carried_out() -> None:
    client = phone()
    client.post("/new/", {"name": "Liiga"})
    lines = [name for name in HIDDEN if name.strip() and len(name.splitlines()) == 1]
    page = client.post("/new/players/", {"names": "\n".join([*lines, "Bertil"])})
    assert page.status_code == 422
    assert page.content.decode().count("<li>Line ") == len(lines)
    assert "script" not in [tag for tag in _tags(page.content.decode()) if tag.startswith("on")]
    assert not Club.objects.exists()


def test_the_others_stand_inert_wherever_they_are_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    listed = name_lists.read("\n".join(INERT), checked, BadNameError)
    assert listed.faults == ()
    settings = {
        "entrants": "people",
        "results": "typed",
        "next_round": "by_hand",
        "deals_per_table": 1,
    }
    plain = [f"Plain {number}" for number in range(len(INERT))]
    hostile = founding.found(Founding("Liiga", listed.names, settings, private=False))
    harmless = founding.found(Founding("Liiga", plain, settings, private=False))
    for path in ("/club/{club}/", "/l/{league}/", "/c/{league}/"):
        one, other = (
            phone(made.founder)
            .get(path.format(club=made.club.slug, league=made.league.slug))
            .content.decode()
            for made in (hostile, harmless)
        )
        # Names that look alike are marked, which a page of plain ones does not need.
        marks = one.count('<span class="badge warn">looks like another')
        tags = _tags(one)
        assert len(tags) - marks == len(_tags(other)), path
        assert "<bdi>&lt;script&gt;" in one or path.startswith("/c/")
    league = Competition.objects.select_related("club", "rules").get(pk=hostile.league.pk)
    cells = [cell for name in sheets.SHEETS for row in sheets.rows(name, league) for cell in row]
    assert [
        cell for cell in cells if isinstance(cell, str) and re.match(r"[=+\-@\t\r]", cell)
    ] == []
    told = {entry["player"]["name"] for entry in archive.document(league)["entries"]}
    assert told == set(listed.names)
    assert json.loads(json.dumps(sorted(told)))
    assert "alert(1)" not in caplog.text


def _tags(page: str) -> list[str]:
    parser = Tags()
    parser.feed(page)
    return parser.found
