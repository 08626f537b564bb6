"""Names of bots: none that hides something, none that passes for another bot's."""

from __future__ import annotations

import pytest
from django.urls import reverse

from config.kit import names
from games.models import Player
from tests.bots_api.cast import robo
from tests.bots_api.test_api import URL, api_of
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

CLASHES = {
    "the same": "Aino Robo",
    "case": "aINO rOBO",
    "spaces": " Aino   Robo ",
    "no space": "AinoRobo",
    "Cyrillic A": "Аino Robo",
    "Cyrillic all through": "Аіно Rоbо".replace("н", "n"),
    "Greek": "Αιno Rοbο",
    "full width": "Ａｉｎｏ Ｒｏｂｏ",
    "mathematical": "𝐀𝐢𝐧𝐨 𝐑𝐨𝐛𝐨",
    "circled": "Ⓐⓘⓝⓞ Robo",
    "accents": "Áïnö Röbó",
    "stacked marks": "A\u0301\u0308ino Robo",
    "digits": "A1n0 R0b0",
    "small L for i": "Alno Robo",
    "dotless i": "Aıno Robo",
    "variation selector": "Aino\ufe0f Robo",
    "no-break space": "Aino\u00a0Robo",
    "ideographic space": "Aino\u3000Robo",
}
REFUSED = {
    "zero-width space": "Ai\u200bno",
    "zero-width joiner": "Ai\u200dno",
    "byte order mark": "\ufeffAino",
    "soft hyphen": "Ai\u00adno",
    "right-to-left override": "Ai\u202eno",
    "isolate": "Ai\u2066no",
    "tag letters": "Aino\U000e0041",
    "variation selector of another plane": "Aino\U000e0100",
    "joiner of graphemes": "Ai\u034fno",
    "Hangul filler": "\u3164\u3164\u3164",
    "half-width filler": "Aino\uffa0",
    "blank braille": "\u2800\u2800",
    "NUL": "Ai\u0000no",
    "tabulator": "Ai\tno",
    "new line": "Ai\nno",
    "line separator": "Ai\u2028no",
    "escape": "Ai\x1b[31mno",
    "private use": "Ai\ue000no",
    "half a pair": "Ai\ud800no",
    "one letter with many marks": "A" + "\u0301" * 30,
    "one flag": "🇫🇮",
    "one emoji with a tone": "👍🏽",
    "only spaces": "     ",
    "only odd spaces": "\u3000\u00a0",
    "empty": "",
    "one letter": "A",
    "41 letters": "abcd" * 10 + "e",
    "500 characters": "A" * 500,
    "a folder": "Aino/Robo",
    "the other slash": "Aino\\Robo",
    "the folder above": "..",
    "another bot's page": "x/../Robo",
}


@pytest.mark.parametrize("name", CLASHES.values(), ids=CLASHES)
def test_a_name_that_passes_for_another_bots_is_taken(name: str) -> None:
    robo(URL, "Aino Robo")
    api, _ = api_of("Bertil")
    assert api.post("/bots", {"name": name, "url": URL})["code"] == "name_taken"


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_that_hides_something_or_is_none_is_refused(name: str) -> None:
    api, _ = api_of("Bertil")
    problem = api.post("/bots", {"name": name, "url": URL})
    assert api.status in (400, 422), problem
    assert problem["code"] in ("bad_name", "invalid_request", "bad_json")


@pytest.mark.parametrize(
    "name",
    [
        "Ärräpää",
        "Paskahousu 3",
        "🦊🐻",
        "猫のボット",
        "בוט טוב",
        "Ö" * 40,
        "❤️❤️",
        "-- DROP TABLE",
        "=1+1",
        "50 % off?",
        "a%2fb#c",
        "<b>&amp;\"'",
        "...and more",
    ],
)
def test_any_other_name_is_kept_and_found_by_its_page(name: str) -> None:
    api, _ = api_of("Bertil")
    kept = api.post("/bots", {"name": name, "url": URL})["bot"]["player"]["name"]
    assert kept == names.checked(name)
    page = Api().client.get(reverse("bot", args=[kept]))
    assert page.status_code == 200


def test_a_name_from_before_that_is_refused_today_breaks_no_page() -> None:
    bot = robo(URL, "Robo")
    Player.objects.filter(pk=bot.player_id).update(name="Ai/../no", name_key="ai")
    client = Api().client
    assert "Ai/../no" in client.get("/bots/").content.decode()
    assert client.get(reverse("bot", args=["Ai/../no"])).status_code == 200


def test_names_that_only_sound_alike_are_both_to_be_had() -> None:
    robo(URL, "Aino Robo")
    for name in ("Aina Robo", "Aino Roboto", "Eino Robo"):
        assert robo(URL, name, of=None)
