"""Bots over the API: from a name and a URL to secrets, and every refusal with its code."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

import pytest

from bots_api import queries
from bots_api.models import Bot, Fault, Secret
from bots_api.services import heard, secrets
from bots_api.services.heard import AskedTurn
from config.kit import signing
from config.kit.ids import uuid7
from games.models import Player
from tests.bots_api.cast import robo
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

URL = "https://robo.example.org/housu"


def api_of(name: str = "Oskari") -> tuple[Api, dict[str, Any]]:
    """A client of a person who was just made by API."""
    api = Api()
    made = api.post("/players", {"name": name})
    api.headers["authorization"] = f"Bearer {made['token']}"
    return api, made["player"]


def test_registering_shows_token_and_secret_once() -> None:
    api, oskari = api_of()

    made = api.post("/bots", {"name": "Robo", "url": URL}, **{"Idempotency-Key": "k1"})

    assert api.status == 201
    assert made["token"].startswith("hlb_") and made["signing_secret"].startswith("whsec_")
    bot = made["bot"]
    assert (bot["player"]["name"], bot["owner"], bot["url"]) == ("Robo", oskari, URL)
    assert Player.objects.get(pk=bot["player"]["id"]).agent_ref == f"bot:{bot['id']}"
    again = api.post("/bots", {"name": "Robo", "url": URL}, **{"Idempotency-Key": "k1"})
    assert (again["bot"], again["token"], again["signing_secret"]) == (bot, None, None)


def test_the_bots_own_token_speaks_for_it_but_owns_no_bots() -> None:
    api, _ = api_of()
    made = api.post("/bots", {"name": "Robo", "url": URL})
    own = Api(authorization=f"Bearer {made['token']}")

    assert own.get("/me")["player"]["kind"] == "bot"
    assert own.post("/bots", {"name": "Child", "url": URL})["code"] == "not_an_owner"
    assert own.status == 403


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"url": "http://robo.example.org:8080/"}, 422, "bad_url"),
        ({"url": "https://127.0.0.1/"}, 422, "bad_url"),
        ({"url": "https://0x7f000001/"}, 422, "bad_url"),
        ({"url": "https://169.254.169.254/latest/"}, 422, "bad_url"),
        ({"url": "https://me@robo.example.org/"}, 422, "bad_url"),
        ({"url": "https://robo.example.org/?a=b"}, 422, "bad_url"),
        ({"url": "https://robo.example.org:6379/"}, 422, "bad_url"),
        ({"url": ""}, 422, "bad_url"),
        ({"name": "x"}, 422, "bad_name"),
        ({"name": "   "}, 400, "invalid_request"),
        ({"name": "Ro\u200bbo"}, 422, "bad_name"),
        ({"name": "Ro\u202ebo"}, 422, "bad_name"),
        ({"name": "Ro\tbo"}, 422, "bad_name"),
        ({"name": "R" * 500}, 400, "invalid_request"),
        ({"name": "lowest"}, 409, "name_taken"),
        ({"name": "L0WEST"}, 409, "name_taken"),
        ({"presets": ["chess"]}, 422, "bad_bot"),
        ({"presets": []}, 422, "bad_bot"),
        ({"presets": ["table", "table"]}, 422, "bad_bot"),
        ({"concurrency": 65}, 400, "invalid_request"),
        ({"transport": "pigeon"}, 400, "invalid_request"),
        ({"colour": "red"}, 400, "invalid_request"),
    ],
)
def test_a_bot_that_can_not_be_is_refused_with_a_code(
    change: dict[str, Any], status: int, code: str
) -> None:
    api, _ = api_of()

    problem = api.post("/bots", {"name": "Robo", "url": URL, **change})

    assert (api.status, problem["code"]) == (status, code)
    assert not Bot.objects.exists()


@pytest.mark.parametrize("name", ["Aino", "АINO", "aino", "Aіno", "A i n o", "Ａｉｎｏ", "Áino"])
def test_a_name_that_looks_like_another_bots_is_taken(name: str) -> None:
    robo(URL, "Aino")
    api, _ = api_of("Bertil")
    assert api.post("/bots", {"name": name, "url": URL})["code"] == "name_taken"


def test_an_owner_has_at_most_twenty_bots() -> None:
    api, player = api_of()
    oskari = Player.objects.get(pk=player["id"])
    # Without l, which passes for i.
    for letter in "abcdefghijkmnopqrstu":
        robo(URL, f"Robo {letter}", of=oskari)

    problem = api.post("/bots", {"name": "One more", "url": URL})

    assert (api.status, problem["code"], problem["limit"]) == (409, "bot_limit", 20)


def test_without_a_token_nobody_registers() -> None:
    api = Api()
    api.post("/bots", {"name": "Robo", "url": URL})
    assert api.status == 401


def test_everybody_sees_the_bot_and_only_the_owner_where_it_lives() -> None:
    api, _ = api_of()
    bot = api.post("/bots", {"name": "Robo", "url": URL})["bot"]
    path = f"/bots/{bot['id']}"

    assert api.get(path)["url"] == URL
    assert Api().get(path)["url"] is None
    assert [one["url"] for one in Api().get("/bots")["results"]] == [None]
    assert Api().get("/bots/999999999999999999999999")["code"] == "bot_not_found"


def test_the_owner_changes_pauses_resumes_and_retires_it() -> None:
    api, _ = api_of()
    bot = api.post("/bots", {"name": "Robo", "url": URL})["bot"]
    path = f"/bots/{bot['id']}"

    changed = patch(api, path, {"url": URL + "2/", "concurrency": 4})
    assert (changed["url"], changed["concurrency"]) == (URL + "2", 4)
    assert patch(api, path, {"url": "https://10.0.0.1/"})["code"] == "bad_url"
    assert api.post(f"{path}/pause")["state"] == "paused"
    assert api.post(f"{path}/pause")["state"] == "paused"
    assert api.post(f"{path}/resume")["state"] == "active"
    assert api.post(f"{path}/retire")["state"] == "retired"
    assert patch(api, path, {"concurrency": 1})["code"] == "bot_state"
    assert Api().get("/bots")["results"] == []


def test_somebody_else_changes_nothing() -> None:
    bot = robo(URL)
    api, _ = api_of("Bertil")
    for answer in (
        patch(api, f"/bots/{bot.pk}", {"concurrency": 2}),
        api.post(f"/bots/{bot.pk}/pause"),
        api.post(f"/bots/{bot.pk}/secrets"),
        api.get(f"/bots/{bot.pk}/faults"),
    ):
        assert (api.status, answer["code"]) == (403, "not_your_bot")


def test_two_secrets_are_live_while_rotating_and_the_oldest_ends() -> None:
    api, _ = api_of()
    made = api.post("/bots", {"name": "Robo", "url": URL})
    path, first = f"/bots/{made['bot']['id']}/secrets", made["signing_secret"]

    second = api.post(path)["signing_secret"]
    assert live(made) == {first, second}
    third = api.post(path, **{"Idempotency-Key": "k"})["signing_secret"]
    assert live(made) == {second, third}
    assert api.post(path, **{"Idempotency-Key": "k"})["signing_secret"] is None
    assert live(made) == {second, third}


def test_the_database_alone_gives_no_secret_away() -> None:
    api, _ = api_of()
    made = api.post("/bots", {"name": "Robo", "url": URL})
    sealed = bytes(Secret.objects.get().sealed)
    assert made["signing_secret"][6:].encode() not in sealed
    assert signing.secret_of(sealed) == made["signing_secret"]


def test_a_secret_survives_a_new_site_key_only_with_the_old_one_beside_it(settings: Any) -> None:
    bot = robo(URL)
    text = secrets.rotate(bot.pk, bot.player.owner_id or 0)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    reach = queries.reach(bot.pk)
    assert reach is not None and (reach.secrets, reach.callable) == ((), False)
    settings.SECRET_KEY_FALLBACKS = [old]
    reach = queries.reach(bot.pk)
    assert reach is not None and text in reach.secrets and reach.callable


def test_faults_are_the_owners_to_see() -> None:
    api, _ = api_of()
    made = api.post("/bots", {"name": "Robo", "url": URL})
    bot_id, game = made["bot"]["id"], uuid7()
    for number in range(3):
        evidence = {"body": "oh no", "status": 500}
        heard.fault(bot_id, AskedTurn(game, 1, number), Fault.Kind.HTTP_STATUS, evidence)

    listed = api.get(f"/bots/{bot_id}/faults?limit=2")

    assert [row["move_number"] for row in listed["results"]] == [2, 1]
    assert listed["results"][0]["evidence"] == {"body": "oh no", "status": 500}
    assert api.get(listed["next"].removeprefix("/api/v1"))["results"][0]["move_number"] == 0


def test_secrets_are_never_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    api, _ = api_of()
    made = api.post("/bots", {"name": "Robo", "url": URL})
    assert made["token"] not in caplog.text and made["signing_secret"] not in caplog.text


def test_pages_and_files_for_authors_are_served() -> None:
    robo(URL, "Robo Ä")
    client = Api().client
    assert "Robo Ä" in client.get("/bots/").content.decode()
    assert "Oskari" in client.get("/b/Robo%20%C3%84/").content.decode()
    assert client.get("/b/nobody/").status_code == 404
    program = client.get("/sdk/housubot.py").content
    line = client.get("/sdk/housubot.py.sha256").content.decode()
    assert line.split()[0] == hashlib.sha256(program).hexdigest()
    assert client.get("/sdk/../settings.py").status_code == 404


def live(made: dict[str, Any]) -> set[str]:
    reach = queries.reach(made["bot"]["id"])
    assert reach is not None
    return set(reach.secrets)


def patch(api: Api, path: str, body: dict[str, Any], **headers: str) -> Any:
    api.answer = api.client.patch(
        f"/api/v1{path}",
        data=body,
        content_type="application/json",
        headers={**api.headers, **headers},
    )
    return api.answer.json()
