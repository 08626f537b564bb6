"""The life of a bot over the API: edited without overwriting, keys rotated, quotas that say so."""

from __future__ import annotations

from typing import Any

import pytest

from bots_api.models import Bot, CheckReport
from bots_api.services import checks, sparring
from games.models import Player
from tests.bots_api.cast import puller, robo
from tests.bots_api.test_api import URL, api_of, patch
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)


def made(api: Api, name: str = "Robo") -> tuple[str, dict[str, Any]]:
    answer = api.post("/bots", {"name": name, "url": URL})
    return f"/bots/{answer['bot']['id']}", answer


def test_who_edits_what_another_has_changed_meanwhile_is_told() -> None:
    api, _ = api_of()
    path, _ = made(api)
    api.get(path)
    held = api.answer["ETag"]
    assert patch(api, path, {"description": "one"}, **{"If-Match": held})["description"] == "one"
    newer = api.answer["ETag"]

    refused = patch(api, path, {"description": "two"}, **{"If-Match": held})

    assert (api.status, refused["code"]) == (412, "changed")
    assert api.get(path)["description"] == "one"
    assert api.answer["ETag"] == newer
    assert patch(api, path, {"description": "two"}, **{"If-Match": newer})["description"] == "two"
    assert patch(api, path, {"description": "3"}, **{"If-Match": "*"})["description"] == "3"


def test_a_bot_that_plays_meanwhile_is_in_no_editors_way() -> None:
    api, _ = api_of()
    path, _ = made(api)
    api.get(path)
    held = api.answer["ETag"]
    Bot.objects.update(answered_at="2026-11-30T12:00Z")
    api.get(path)
    assert api.answer["ETag"] != held
    patch(api, path, {"description": "one"}, **{"If-Match": held})
    assert api.status == 200


@pytest.mark.parametrize("verb", ["pause", "resume", "retire", "secrets", "tokens", "sparring"])
def test_a_post_with_its_key_again_is_answered_and_done_once(verb: str) -> None:
    api, _ = api_of()
    path, _ = made(api)
    first = api.post(f"{path}/{verb}", **{"Idempotency-Key": "k"})
    status = api.status
    again = api.post(f"{path}/{verb}", **{"Idempotency-Key": "k"})
    assert status in (200, 201) and api.status == status
    if verb in ("pause", "resume", "retire"):
        assert first == again
    if verb == "sparring":
        assert [row["game"] for row in first["results"]] == [
            row["game"] for row in again["results"]
        ]


def test_retired_is_for_good_its_tokens_end_and_again_changes_nothing() -> None:
    api, _ = api_of()
    path, answer = made(api)
    retired = api.post(f"{path}/retire")
    assert (api.status, retired["state"]) == (200, "retired")
    assert not works(answer["token"])
    assert api.post(f"{path}/retire") == retired and api.status == 200
    for verb in ("pause", "resume", "check", "sparring", "tokens", "secrets"):
        assert api.post(f"{path}/{verb}")["code"] == "bot_state", verb


def test_two_tokens_are_live_while_rotating_and_any_can_be_ended() -> None:
    api, _ = api_of()
    path, answer = made(api)
    first = answer["token"]
    second = api.post(f"{path}/tokens")["token"]
    assert works(first) and works(second)
    third = api.post(f"{path}/tokens")["token"]
    assert not works(first) and works(second) and works(third)
    assert first not in str(api.get(f"{path}/tokens"))

    listed = api.get(f"{path}/tokens")["results"]
    delete(api, f"{path}/tokens/{listed[1]['id']}")

    assert api.status == 204
    assert not works(second) and works(third)
    assert delete(api, f"{path}/tokens/{listed[1]['id']}")["code"] == "token_not_found"


def test_the_older_secret_can_be_ended_and_the_last_one_not() -> None:
    api, _ = api_of()
    path, _ = made(api)
    api.post(f"{path}/secrets")
    newest, older = api.get(f"{path}/secrets")["results"]
    delete(api, f"{path}/secrets/{older['id']}")
    assert api.status == 204
    assert api.get(f"{path}/secrets")["results"] == [newest]
    assert delete(api, f"{path}/secrets/{newest['id']}")["code"] == "last_secret"
    assert delete(api, f"{path}/secrets/{older['id']}")["code"] == "secret_not_found"


@pytest.mark.parametrize(
    ("accepts", "status", "field"),
    [
        ({"who": "friends"}, 400, "accepts.who"),
        ({"casual": 65}, 400, "accepts.casual"),
        ({"casual": True}, 400, "accepts.casual"),
        ({"hours": {"from": "25:00", "to": "22:00"}}, 422, "accepts.hours.from"),
        ({"hours": {"from": "08:00", "to": "noon"}}, 422, "accepts.hours.to"),
        ({"hours": {"from": "08:00", "to": "22:00", "zone": "Mars"}}, 422, "accepts.hours.zone"),
        ({"hours": {"from": "08:00"}}, 400, "accepts.hours.to"),
        ({"hours": {"from": "08:00", "to": "08:00"}}, 422, "accepts.hours.to"),
        (
            {"hours": {"from": "08:00", "to": "22:00", "zone": "localtime"}},
            422,
            "accepts.hours.zone",
        ),
        ({"colour": "red"}, 400, "accepts.colour"),
        ("both", 400, "accepts.non_field_errors"),
    ],
)
def test_what_no_bot_can_accept_is_refused_by_field(accepts: Any, status: int, field: str) -> None:
    api, _ = api_of()
    problem = api.post("/bots", {"name": "Robo", "url": URL, "accepts": accepts})
    assert api.status == status, problem
    told = problem.get("field") or problem["errors"][0]["field"]
    assert told == field


def test_what_a_bot_accepts_is_kept_and_shown() -> None:
    api, _ = api_of()
    wanted = {
        "who": "people",
        "casual": 2,
        "hours": {"from": "20:00", "to": "02:00", "zone": "Europe/Helsinki"},
    }
    path, _ = made(api)
    assert api.get(path)["accepts"] == {"who": "both", "casual": 4, "hours": None}
    assert patch(api, path, {"accepts": wanted})["accepts"] == wanted


def test_each_quota_names_itself_its_limit_and_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    api, player = api_of()
    oskari = Player.objects.get(pk=player["id"])
    monkeypatch.setattr("bots_api.services.registration.MAX_BOTS", 3)
    monkeypatch.setattr(checks, "OPEN_CHECKS", 2)
    monkeypatch.setattr(sparring, "GAMES_AN_HOUR", 3)
    bots = [puller(name, of=oskari).bot for name in ("Aku", "Iines", "Roope")]
    paths = [f"/bots/{bot.pk}" for bot in bots]

    problem = api.post("/bots", {"name": "One more", "url": URL})
    assert_quota(api, problem, 409, "bots_per_owner", 3, ends=False)

    assert [api.post(f"{path}/check")["state"] for path in paths[:2]] == ["waiting"] * 2
    assert_quota(api, api.post(f"{paths[2]}/check"), 429, "open_checks", 2)

    CheckReport.objects.update(state="passed")
    monkeypatch.setattr(checks, "CHECKS_AN_HOUR", 2)
    assert_quota(api, api.post(f"{paths[2]}/check"), 429, "checks_per_hour", 2)

    assert len(api.post(f"{paths[0]}/sparring", {"games": 2})["results"]) == 2
    problem = api.post(f"{paths[1]}/sparring", {"games": 2})
    assert_quota(api, problem, 429, "sparring_games_per_hour", 3)
    assert len(api.post(f"{paths[1]}/sparring")["results"]) == 1


def test_somebody_elses_keys_notices_and_sparring_are_not_to_be_had() -> None:
    bot = robo(URL)
    api, _ = api_of("Bertil")
    path = f"/bots/{bot.pk}"
    for answer in (
        api.get(f"{path}/secrets"),
        api.get(f"{path}/tokens"),
        api.get(f"{path}/notices"),
        api.post(f"{path}/tokens"),
        api.post(f"{path}/sparring"),
        delete(api, f"{path}/secrets/1"),
        delete(api, f"{path}/tokens/1"),
    ):
        assert (api.status, answer["code"]) == (403, "not_your_bot")


def assert_quota(
    api: Api, problem: dict[str, Any], status: int, quota: str, limit: int, *, ends: bool = True
) -> None:
    assert (api.status, problem["quota"], problem["limit"]) == (status, quota, limit), problem
    assert (problem["ends_at"] is not None) == ends
    assert ("Retry-After" in api.answer.headers) == ends
    assert str(limit) in problem["detail"]


def works(token: str) -> bool:
    api = Api(authorization=f"Bearer {token}")
    api.get("/me")
    return api.status == 200


def delete(api: Api, path: str) -> Any:
    api.answer = api.client.delete(f"/api/v1{path}", headers=api.headers)
    return api._json()
