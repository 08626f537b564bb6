"""Results by taps and by keys in a real browser without JavaScript: counted, never too wide."""

from __future__ import annotations

from playwright.sync_api import Browser

from games.models import Player
from league.models import Competition, DealResult, Place
from tests.browser.test_club import Phone, founded


def _founded(browser: Browser, web: str) -> Phone:
    founder = founded(browser, web)
    founder.taps = 0
    return founder


def test_from_the_code_to_a_reported_result_are_two_taps_and_the_order_takes_five(
    web: str, browser: Browser
) -> None:
    _founded(browser, web)
    code = f"{web}/t/{Place.objects.get(number=1).code}/"
    phone = Phone(browser, web)
    phone.page.goto(code)
    phone.tap(".taps button >> nth=0")
    phone.tap("form:has(h2) .taps button >> nth=2")
    assert DealResult.objects.get().state == "reported"
    assert phone.taps == 2
    phone.tap("text=Take it back")
    phone.taps = 0
    phone.tap("text=Tap the whole order")
    for _ in range(3):
        phone.tap(".taps button >> nth=0")
    phone.tap("text=/^Save/")
    assert [len(group) for group in DealResult.objects.get().places] == [1, 1, 1, 1]
    assert phone.taps == 5


def test_long_names_on_buttons_wrap(web: str, browser: Browser) -> None:
    founder = _founded(browser, web)
    long = "Maximiliana-Wilhelmiina Vanhala"
    for number, player in enumerate(Player.objects.order_by("pk")):
        Player.objects.filter(pk=player.pk).update(name=f"{long} {number}")
    founder.page.goto(f"{web}/t/{Place.objects.get(number=1).code}/?order=1")
    founder.fits()
    founder.tap(".taps button >> nth=0")
    saying = founder.page.locator("text=/^Save/")
    assert long in saying.inner_text()


def test_two_phones_that_differ_see_both_and_an_organiser_rules_by_three_taps(
    web: str, browser: Browser
) -> None:
    founder = _founded(browser, web)
    code = f"{web}/t/{Place.objects.get(number=1).code}/"
    first, second = Phone(browser, web), Phone(browser, web)
    for at, phone in enumerate((first, second)):
        phone.page.goto(code)
        phone.tap(f".taps button >> nth={at}")
    first.tap("form:has(h2) .taps button >> nth=2")
    second.tap("form:has(h2):not(.panel) .taps button >> nth=3")
    assert "two things are said" in (second.page.text_content("main") or "")
    second.tap("text=Mine is right")
    assert DealResult.objects.get().state == "disputed"
    founder.page.goto(f"{web}/l/{Competition.objects.get().slug}/disputes/")
    founder.fits()
    founder.tap("text=Rule it so: look at it first >> nth=1")
    founder.tap("text=/^Do it/")
    founder.page.goto(f"{web}/l/{Competition.objects.get().slug}/")
    founder.fits()
    assert DealResult.objects.get().state == "confirmed"


def test_a_round_is_typed_by_keys_alone(web: str, browser: Browser) -> None:
    founder = _founded(browser, web)
    founder.page.goto(f"{web}/l/{Competition.objects.get().slug}/enter/")
    founder.fits()
    keys = founder.page.keyboard
    deals = founder.page.locator(".cells input[type=text]").count()
    for at in range(deals):
        keys.type("x" if at == 0 else "1")
        if at < deals - 1:
            keys.press("Tab")
    with founder.page.expect_navigation():
        keys.press("Enter")
    assert "One cell is not saved" in (founder.page.text_content("main") or "")
    assert founder.page.evaluate("document.activeElement.value") == "x"
    founder.fits()
    keys.press("Control+a")
    keys.type("2 1")
    with founder.page.expect_navigation():
        keys.press("Enter")
    assert "Saved: one deal." in (founder.page.text_content("main") or "")
    assert DealResult.objects.filter(state="confirmed").count() == deals
    for page in ("ledger", "acts", "chips", "deals/1/1/1"):
        founder.page.goto(f"{web}/l/{Competition.objects.get().slug}/{page}/")
        founder.fits()
