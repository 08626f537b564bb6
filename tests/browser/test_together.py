"""Beside the cards, in a real browser: a phrase that arrives, giving up, verifying the deal."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from games.services import resigning
from tests.browser.test_table import opened, refused, sit_down
from tests.games import cast


def test_a_phrase_arrives_and_a_finished_deal_is_checked_in_the_browser(
    browser: Browser, web: str
) -> None:
    refused.clear()
    game_id, people = cast.dealt(2, "classic")
    aino, bertil = (sit_down(browser, web, player, game_id) for player in people)
    aino.get_by_label("Say", exact=True).select_option("good_luck")
    aino.get_by_role("button", name="Say it").click()
    expect(bertil.get_by_text("Aino: Good luck!")).to_be_visible(timeout=20_000)
    bertil.get_by_text("Give the game up").click()
    bertil.get_by_role("checkbox").check()
    bertil.get_by_role("button", name="Resign").click()
    expect(bertil.get_by_text("is the Paskahousu")).to_be_visible(timeout=20_000)
    watcher = opened(browser.new_page(), f"{web}/g/{game_id}/")
    watcher.get_by_role("button", name="Verify the deal").click()
    expect(watcher.get_by_text("Checked in this browser")).to_be_visible(timeout=20_000)
    expect(aino.get_by_role("button", name="Rematch")).to_be_visible(timeout=20_000)
    assert refused == []
    assert resigning.resign(game_id, people[1]).seat == 1
