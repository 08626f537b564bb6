"""The wall, paper, frames and the referee in a real browser: nothing sticks out or runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from games.engine import PRESETS
from league.models import Club, Competition
from league.services import places, typed
from league.services.typed_tables import By, Where
from tests.browser import club_night
from tests.browser.test_dashboard import elsewhere

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
SCROLLS = """() => [...document.querySelectorAll('html, body, housu-live')].some(
  (one) => one.scrollHeight > innerHeight + 1 || one.scrollWidth > innerWidth + 1)"""
OUTSIDE = """() => [...document.querySelectorAll('.table li, .ranks li')].filter((one) => {
  const box = one.getBoundingClientRect();
  const whole = one.closest('.table, .ranks').getBoundingClientRect();
  return box.height < 12 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1
    || box.left < whole.left - 1 || box.right > whole.right + 1 || box.bottom > innerHeight;
}).map((one) => one.textContent)"""
DARK = """() => [...document.querySelectorAll('body *')].filter((one) => {
  const told = getComputedStyle(one).backgroundColor.match(/[\\d.]+/g) ?? [];
  const [r, g, b, a = 1] = told.map(Number);
  return a > 0 && (r + g + b) / 3 < 230 && one.getClientRects().length;
}).map((one) => one.outerHTML.slice(0, 80))"""
SCREENS = {"720p": {"width": 1280, "height": 720}, "1080p": {"width": 1920, "height": 1080}}


def opened(browser: Browser, web: str, path: str, size: dict[str, int], session: str = "") -> Page:
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": web}])
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(web + path)
    return page


@pytest.mark.parametrize("screen", SCREENS)
def test_the_wall_of_thirty_needs_no_scrolling(web: str, browser: Browser, screen: str) -> None:
    league = club_night.of_many(30)
    page = opened(browser, web, f"/l/{league.slug}/tv/", SCREENS[screen])
    assert page.locator(".ranks li").count() == 30
    assert page.locator(".table li").count() == 30
    assert not page.evaluate(SCROLLS)
    assert page.evaluate(OUTSIDE) == []


def test_the_wall_follows_the_night_and_comes_back(web: str, browser: Browser) -> None:
    league = club_night.of_many(4)
    page = opened(browser, web, f"/l/{league.slug}/tv/", SCREENS["720p"])
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    page.context.set_offline(True)
    player = league.entries.order_by("number").first()
    assert player is not None
    by = By(player.player_id, organiser=True)
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 3], [4]], by)
    page.context.set_offline(False)
    expect(page.locator(".ranks .taken")).to_have_count(1, timeout=60_000)


def test_paper_has_its_pages_and_no_dark_fills(web: str, browser: Browser) -> None:
    league = club_night.of_many(11)
    session = club_night.session_of_organiser(league)
    owner = Club.objects.get(pk=league.club_id).memberships.get().player_id
    places.upto(league.club_id, 3, owner)
    page = opened(browser, web, f"/l/{league.slug}/print/", SCREENS["720p"], session)
    pages = {}
    for part in ("plan", "slips", "seatings", "standings", "rules"):
        page.goto(f"{web}/l/{league.slug}/print/?part={part}")
        page.emulate_media(media="print")
        assert page.evaluate(DARK) == []
        pages[part] = boxes(page.pdf(prefer_css_page_size=True))
    a4 = (595, 842)
    assert {one for found in pages.values() for one in found} == {a4}
    assert {part: len(found) for part, found in pages.items()} == {
        "plan": 1,
        "slips": 1,
        "seatings": 3,
        "standings": 1,
        "rules": 1,
    }


def test_a_slip_is_a_quarter_of_a_sheet(web: str, browser: Browser) -> None:
    league = club_night.of_many(11)
    session = club_night.session_of_organiser(league)
    page = opened(browser, web, f"/l/{league.slug}/print/?part=slips", SCREENS["720p"], session)
    page.emulate_media(media="print")
    for slip in page.locator(".slip").all():
        box = slip.bounding_box()
        assert box is not None
        # In pixels of 1/96 inch.
        assert (round(box["width"] / 96 * 25.4), round(box["height"] / 96 * 25.4, 1)) == (
            105,
            148.5,
        )


def boxes(pdf: bytes) -> list[tuple[int, int]]:
    """The size of each page in points."""
    found = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(round(float(width)), round(float(height))) for width, height in found]


@pytest.mark.parametrize(
    ("page_", "size"),
    [
        ("tv/", SCREENS["720p"]),
        ("embed/", {"width": 320, "height": 640}),
        ("print/", {"width": 1280, "height": 720}),
    ],
)
def test_hostile_names_stand_inert_and_the_layout_holds(
    web: str, browser: Browser, page_: str, size: dict[str, int]
) -> None:
    league = club_night.with_hostile_names()
    session = "" if page_ == "embed/" else club_night.session_of_organiser(league)
    page = opened(browser, web, f"/l/{league.slug}/{page_}", size, session)
    assert "gone" not in page.title() or "script" in page.title()
    assert page.locator("main img, body img[src=x], body script:not([src])").count() == 0
    assert not page.evaluate(WIDER)
    if page_ == "tv/":
        assert not page.evaluate(SCROLLS)
        assert page.evaluate(OUTSIDE) == []
    if page_ == "print/":
        page.emulate_media(media="print")
        assert page.evaluate(DARK) == []


def test_the_embed_stands_in_a_frame_of_another_page(
    web: str, browser: Browser, tmp_path: Path
) -> None:
    league: Competition = club_night.of_many(4)
    framed = [f"{web}/l/{league.slug}/embed/", f"{web}/l/{league.slug}/"]
    blog = "".join(f'<iframe src="{address}"></iframe>' for address in framed)
    (tmp_path / "blog.html").write_text(f"<!doctype html><title>Blog</title>{blog}")
    with elsewhere(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}/blog.html")
        expect(page.frame_locator("iframe >> nth=0").locator("tbody th.name")).to_have_count(4)
        expect(page.frame_locator("iframe >> nth=1").locator("th.name")).to_have_count(0)
        assert page.context.cookies() == []


def test_the_referee_answers_by_touch_without_a_network(web: str, browser: Browser) -> None:
    size = {"width": 320, "height": 640}
    page = opened(browser, web, f"/rules/{PRESETS['classic'].hash}/ask/", size)
    assert not page.evaluate(WIDER)
    page.context.set_offline(True)
    page.locator("[name=top][value='J']").check(force=True)
    page.locator("[name=card][value='A']").check(force=True)
    expect(page.locator("#verdict")).to_contain_text("The pile falls")
    page.locator("[name=card][value='3']").check(force=True)
    expect(page.locator("#verdict.no")).to_contain_text("equal to the top card or higher")
    for target in page.locator(".ranks span").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_rounds_are_printed_ahead_for_every_attendance(web: str, browser: Browser) -> None:
    league = club_night.of_many(11)
    session = club_night.session_of_organiser(league)
    path = f"/l/{league.slug}/print/?part=seatings"
    page = opened(browser, web, path, SCREENS["720p"], session)
    first = page.locator(".ahead").first
    assert first.locator(".sizes tbody tr").count() == 7
    assert first.locator(".list tbody tr").count() == 13
