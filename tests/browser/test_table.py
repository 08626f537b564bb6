"""The table in a real browser: played by keyboard, watched live, looked back at."""

from __future__ import annotations

from uuid import UUID

from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from games.models import Game, Player
from tests.games import cast


def sit_down(browser: Browser, web: str, player: Player, game_id: UUID) -> Page:
    """The table as this player sees it; nothing may be refused by the page's own policy."""
    client = Client()
    session = client.session
    session["player"] = player.pk
    session.save()
    context = browser.new_context()
    context.add_cookies([{"name": "sessionid", "value": str(session.session_key), "url": web}])
    return opened(context.new_page(), f"{web}/g/{game_id}/")


def opened(page: Page, address: str) -> Page:
    page.on("console", _said)
    page.on("pageerror", lambda error: refused.append(str(error)))
    page.goto(address)
    return page


refused: list[str] = []


def _said(message: ConsoleMessage) -> None:
    if message.type == "error":
        refused.append(message.text)


def ply(page: Page, number: int) -> None:
    expect(page.locator("[data-part=count]")).to_have_text(f"ply {number}", timeout=20_000)


def play_by_keyboard(page: Page) -> None:
    """Pick the first card that may be laid, or take what button there is."""
    moves = page.locator("#move")
    expect(moves).to_be_visible(timeout=20_000)
    legal = page.locator("button.card.legal").first
    if legal.count() and moves.get_by_text("Lay", exact=True).count():
        legal.focus()
        page.keyboard.press("Enter")
        expect(page.locator("button.card[aria-pressed=true]").first).to_be_focused()
    moves.locator("button:enabled").first.focus()
    page.keyboard.press("Enter")


def test_two_people_play_by_keyboard_and_see_each_other_s_moves(browser: Browser, web: str) -> None:
    refused.clear()
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    pages = [sit_down(browser, web, player, game_id) for player in people]
    watcher = opened(browser.new_page(), f"{web}/g/{game_id}/")
    for number in range(6):
        (seat,) = cast.engine_game(game_id).to_act()
        ply(pages[seat], number)
        play_by_keyboard(pages[seat])
        for page in (*pages, watcher):
            ply(page, number + 1)
    assert watcher.locator("button.card").count() == 0
    cast.play_out(game_id)
    for page in (*pages, watcher):
        expect(page.get_by_role("navigation", name="Replay")).to_be_visible(timeout=20_000)
    assert refused == []


def test_a_refused_move_says_why(browser: Browser, web: str) -> None:
    game_id, people = cast.dealt(2, "table")
    page = sit_down(browser, web, people[0], game_id)
    expect(page.locator("#move")).to_be_visible(timeout=20_000)
    page.locator("button.card.legal").first.click()
    page.get_by_role("button", name="Swap 1 for 0").click()
    expect(page.locator("[data-part=told]")).to_contain_text("Illegal action", timeout=20_000)
    ply(page, 0)


def test_a_watcher_who_was_cut_off_catches_up(browser: Browser, web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    context = browser.new_context()
    page = opened(context.new_page(), f"{web}/g/{game_id}/")
    ply(page, 0)
    context.set_offline(True)
    for _ in range(4):
        cast.play_default(game_id)
    context.set_offline(False)
    ply(page, 4)
    first = page.locator(".events li").last
    expect(first).to_have_text("The cards are dealt.")


def test_where_streams_are_refused_the_page_polls(browser: Browser, web: str) -> None:
    game_id, _ = cast.dealt(2, "classic")
    page = browser.new_page()

    def refuse_streams(route: Route) -> None:
        if "text/event-stream" in route.request.headers.get("accept", ""):
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/events*", refuse_streams)
    page.goto(f"{web}/g/{game_id}/")
    cast.play_default(game_id)
    ply(page, 1)


def test_a_finished_game_is_looked_back_at_by_link_button_and_key(
    browser: Browser, web: str
) -> None:
    refused.clear()
    game_id, _ = cast.dealt(2, "classic", max_plies=100)
    last = cast.play_out(game_id).ply
    page = opened(browser.new_page(), f"{web}/g/{game_id}/#7")
    ply_of = f" of {last}"
    count = page.locator("[data-part=count]")
    expect(count).to_have_text("ply 7" + ply_of)
    for key, number in (("ArrowRight", 8), ("ArrowLeft", 7), ("Home", 0), ("End", last)):
        page.keyboard.press(key)
        expect(count).to_have_text(f"ply {number}{ply_of}")
    page.get_by_role("link", name="Back").click()
    expect(count).to_have_text(f"ply {last - 1}{ply_of}")
    assert page.url.endswith(f"#{last - 1}")
    assert refused == []


def test_the_page_of_a_private_game_is_not_there(browser: Browser, web: str) -> None:
    game_id, people = cast.dealt(2, "classic")
    Game.objects.filter(pk=game_id).update(visibility=Game.Visibility.PRIVATE)
    assert sit_down(browser, web, people[0], game_id).locator("housu-table").count() == 1
    assert opened(browser.new_page(), f"{web}/g/{game_id}/").locator("housu-table").count() == 0
