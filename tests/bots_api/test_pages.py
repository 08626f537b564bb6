"""Pages of bots: everything an owner can do there is a form, and nobody else can do it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from bots_api import pace
from bots_api.models import Bot, CheckReport, Fault, Sparring
from bots_api.pages.histogram import chart
from bots_api.services import heard
from bots_api.services.heard import AskedTurn
from config.kit import clock
from games.authentication import SESSION_KEY
from games.models import Game, Player
from tests.bots_api.cast import owner, puller, robo
from tests.bots_api.test_suspension import finished
from tests.games.api.client import Api
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)

URL = "https://robo.example.org"


def browser(player: Player | None = None) -> Client:
    client = Client(raise_request_exception=False)
    if player is not None:
        session = client.session
        session[SESSION_KEY] = player.pk
        session.save()
    return client


def shown(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content[:500]
    return answer.content.decode()


def test_who_has_never_been_here_registers_a_bot_by_a_form_and_sees_its_keys_once() -> None:
    client = browser()
    assert 'name="nickname"' in shown(client, "/bots/")
    form = {"nickname": "Aino", "name": "Robo", "transport": "pull", "presets": ["table"]}

    answer = client.post("/bots/new", form)

    page = answer.content.decode()
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    token = re.search(r"hlb_\w+", page)
    assert token is not None and "whsec_" in page and "--pull http://testserver" in page
    api = Api(authorization=f"Bearer {token[0]}")
    assert api.get("/me")["player"]["name"] == "Robo"
    again = shown(client, "/b/Robo/")
    assert token[0] not in again and "Have it checked" in again


def test_a_form_that_makes_no_bot_says_why() -> None:
    client = browser(owner())
    answer = client.post(
        "/bots/new", {"name": "Robo", "transport": "webhook", "url": ""}, follow=True
    )
    assert answer.redirect_chain and "notice error" in answer.content.decode()
    assert not Bot.objects.exists()


def test_the_owner_has_it_checked_paused_resumed_and_sparring() -> None:
    oskari = owner()
    bot = puller(of=oskari).bot
    client = browser(oskari)
    for verb, text in (
        ("check", "under way"),
        ("pause", "is paused"),
        ("resume", "plays again"),
        ("spar", "lowest"),
    ):
        answer = client.post(f"/bots/{bot.pk}/{verb}", {"house": "lowest"}, follow=True)
        assert text in answer.content.decode(), verb
    assert CheckReport.objects.count() == Sparring.objects.count() == 1
    assert "notice error" in client.post(f"/bots/{bot.pk}/check", follow=True).content.decode()


def test_keys_are_changed_by_a_form_and_shown_once() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    client = browser(oskari)
    for what, start in (("secret", "whsec_"), ("token", "hlb_")):
        page = client.post(f"/bots/{bot.pk}/rotate", {"what": what}).content.decode()
        key = re.search(rf"<code>({start}[\w+/=]+)</code>", page)
        assert key is not None and key[1] not in shown(client, "/b/Robo/")


@pytest.mark.parametrize("verb", ["check", "spar", "pause", "resume", "rotate", "enter"])
def test_nobody_else_does_an_owners_deeds(verb: str) -> None:
    bot = robo(URL)
    for client in (browser(), browser(owner("Bertil"))):
        form = {"competition": "1"}
        assert client.post(f"/bots/{bot.pk}/{verb}", form).status_code == 403
        assert client.get(f"/bots/{bot.pk}/faults/").status_code == 403
        assert client.post(f"/bots/99999/{verb}", form).status_code == 404
    page = shown(browser(owner("Bertil")), "/b/Robo/")
    assert "Have it checked" not in page and "Play against it" in page


def test_the_owner_enters_it_in_what_is_coming_and_withdraws_it() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    cup, rated = cast.cup([]), cast.cup([], secret=None, club_=cast.club("toinen"))
    client = browser(oskari)
    assert "Cup" in shown(browser(), "/bots/")

    def pressed(competition: int, **more: str) -> str:
        form = {"competition": str(competition), **more}
        answer = client.post(f"/bots/{bot.pk}/enter", form, follow=True)
        return answer.content.decode()

    assert "Robo is entered in Cup." in pressed(cup.pk)
    assert "has not passed the check" in pressed(rated.pk)
    assert "Robo is withdrawn from Cup." in pressed(cup.pk, withdraw="1")
    assert client.post(f"/bots/{bot.pk}/enter", {"competition": "x"}).status_code == 404
    assert "There is no such competition" in pressed(999_999)


def test_a_form_without_its_csrf_token_does_nothing() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    session = client.session
    session[SESSION_KEY] = oskari.pk
    session.save()
    assert client.post(f"/bots/{bot.pk}/pause").status_code == 403
    page = client.get("/b/Robo/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1]}
    assert client.post(f"/bots/{bot.pk}/pause", form).status_code == 302
    assert Bot.objects.get().state == "paused"


def test_a_stranger_plays_against_it_and_is_told_when_it_does_not_want_to() -> None:
    bot = robo(URL)
    client = browser()
    answer = client.post(f"/bots/{bot.pk}/play", {"nickname": "Aino", "preset": "table"})
    assert answer.status_code == 302 and answer["Location"] == f"/g/{Game.objects.get().pk}/"
    Bot.objects.update(accepts={"who": "bots", "casual": 4, "hours": None})
    answer = client.post(f"/bots/{bot.pk}/play", {"preset": "table"}, follow=True)
    assert "It plays with bots." in answer.content.decode()
    assert "Play against it" not in shown(client, "/b/Robo/")
    assert client.post("/bots/99999/play").status_code == 404


def test_the_profile_shows_what_it_has_done() -> None:
    bot = robo(URL)
    heard.handshake(bot.pk, {"version": "1.4.2", "author": "Aino"})
    heard.answered(bot.pk, pace.counted([12] * 19 + [400]), 0)
    game = finished(bot, faults=3)
    page = shown(browser(), "/b/Robo/")
    assert "1.4.2" in page and f"/g/{game}/" in page and "stand-in" in page and "timeout" in page
    assert "20 answers; half within" in page


def test_the_histogram_is_an_image_with_words_and_a_table_behind_it() -> None:
    bot = robo(URL)
    heard.handshake(bot.pk, {"version": "1"})
    heard.answered(bot.pk, pace.counted([12, 12, 40]), 0)
    page = shown(browser(), "/b/Robo/")
    (svg,) = re.findall(r"<svg role=\"img\".*?</svg>", page, re.DOTALL)
    drawn = ElementTree.fromstring(svg)
    assert [child.tag for child in drawn][:2] == ["title", "desc"]
    assert sum(int(rect.get("height", 0)) > 0 for rect in drawn.iter("rect")) == 2
    assert "10-15 ms" in page and "style=" not in page


def test_however_slow_it_is_its_bars_fit_in() -> None:
    for times in ([0], [90_000], list(range(0, 70_000, 500)), [1, 59_999]):
        found = chart(pace.counted(times))
        assert found is not None
        last = found.bars[-1]
        assert last.x + last.width <= found.width and min(bar.y for bar in found.bars) >= 0
    assert chart(pace.nothing()) is None


def test_the_inbox_is_filtered_and_paged_and_links_each_test() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    heard.handshake(bot.pk, {"version": "1"})
    for number in range(25):
        kind = Fault.Kind.TIMEOUT if number % 5 else Fault.Kind.BAD_JSON
        game = finished(bot) if number == 0 else Game.objects.get().pk
        evidence = {"detail": "<b>late</b>", "body": "{", "status": 200}
        heard.fault(bot.pk, AskedTurn(game, 0, number + 10), kind, evidence)
    client = browser(oskari)
    page = shown(client, f"/bots/{bot.pk}/faults/")
    assert page.count("Download as a test") == 20 and "&lt;b&gt;late" in page
    older = re.search(r'rel="next" href="([^"]+)"', page)
    assert older is not None
    assert shown(client, older[1].replace("&amp;", "&")).count("Download as a test") == 5
    assert shown(client, f"/bots/{bot.pk}/faults/?kind=bad_json").count("Download as") == 5
    assert "None of that kind" in shown(client, f"/bots/{bot.pk}/faults/?version=7")
    link = re.search(r'href="(/api/v1/bots/[^"]+test.py)"', page)
    assert link is not None and "def test_" in shown(client, link[1])


def test_a_suspended_bots_page_tells_its_owner_what_to_do() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    Bot.objects.update(state="suspended", suspended_for="silence", call_at=None)
    client = browser(oskari)
    assert "Have it called" in shown(client, "/b/Robo/")
    answer = client.post(f"/bots/{bot.pk}/resume", follow=True)
    assert "is called now" in answer.content.decode()
    bot.refresh_from_db()
    assert bot.call_at is not None and bot.call_at <= clock.now()


@pytest.mark.parametrize(
    "query", ["cursor=abc", "cursor=" + "9" * 40, "kind=%00", "version=%F0", "version=%00"]
)
def test_odd_addresses_of_the_inbox_are_no_errors(query: Any) -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    assert browser(oskari).get(f"/bots/{bot.pk}/faults/?{query}").status_code in (200, 400)
