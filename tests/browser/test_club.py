"""A phone of 320 px without JavaScript: from nothing to a league night, and a result by code."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from league.models import Club, DealResult, PenaltyTally, Place
from tests.league.club.test_wizard import EIGHT

PHONE = {"width": 320, "height": 640}
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Phone:
    """A page that counts taps and finds what sticks out of a narrow screen."""

    def __init__(self, browser: Browser, web: str) -> None:
        # Scripts are off for the pages alone: what is asked about a page runs beside them.
        context = browser.new_context(
            viewport=PHONE,  # type: ignore[arg-type]
            has_touch=True,
            java_script_enabled=False,
        )
        self.page: Page = context.new_page()
        self.web, self.taps = web, 0

    def tap(self, selector: str) -> None:
        with self.page.expect_navigation(wait_until="load"):
            self.page.tap(selector)
        self.taps += 1
        self.fits()

    def fits(self) -> None:
        assert not self.page.evaluate(WIDER), f"{self.page.url} is wider than the phone"


def founded(browser: Browser, web: str) -> Phone:
    """The phone of somebody who has just made a league of eight, in four taps."""
    founder = Phone(browser, web)
    founder.page.goto(f"{web}/new/")
    founder.page.fill("#name", "Maanantailiiga")
    founder.tap("main form button")
    founder.tap("main form button")
    founder.tap("text=Next: the players")
    founder.page.fill("#names", EIGHT)
    founder.tap("text=Make the league")
    return founder


def test_a_league_is_founded_and_its_first_result_saved(web: str, browser: Browser) -> None:
    oskari = founded(browser, web)
    assert "/k/" in (oskari.page.text_content("#link") or "")
    oskari.tap("text=Table 1")
    oskari.tap(".taps button >> nth=0")
    assert "Saved: it counts." in (oskari.page.text_content("main") or "")
    assert oskari.taps == 6
    assert PenaltyTally.objects.filter(losses=1).count() == 1
    for path in (f"/club/{Club.objects.get().slug}/", f"/club/{Club.objects.get().slug}/codes/"):
        oskari.page.goto(web + path)
        oskari.fits()


def test_two_phones_at_a_table_save_a_result_by_four_taps(web: str, browser: Browser) -> None:
    founded(browser, web)
    code = f"{web}/t/{Place.objects.get(number=1).code}/"
    first, second = Phone(browser, web), Phone(browser, web)
    for at, phone in enumerate((first, second)):
        phone.page.goto(code)
        phone.fits()
        phone.tap(f".taps button >> nth={at}")
    first.tap("form:has(h2) .taps button >> nth=2")
    assert DealResult.objects.get().state == "reported"
    second.page.goto(code)
    second.tap("text=That is right")
    assert DealResult.objects.get().state == "confirmed"
    assert first.taps + second.taps == 4
