"""Rate limits: counted by token and by address, told in headers, refused with a problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from config.kit import rates
from config.kit.rates import Buckets, Policy
from tests.games import cast
from tests.games.api.client import Api
from tests.games.stream.watcher import token_of
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = Policy("slow", 3, 60)


@pytest.fixture
def web() -> Iterator[str]:
    with serving() as address:
        yield address


def limited(settings: Settings, quota: int) -> None:
    settings.RATE_LIMITS = dict.fromkeys(("address", "token", "bot"), (quota, 3600))


def test_a_bucket_gives_its_quota_at_once_and_fills_evenly() -> None:
    buckets = Buckets()
    assert [buckets.take(SLOW, "aino", 0.0).left for _ in range(3)] == [2, 1, 0]
    refused = buckets.take(SLOW, "aino", 0.0)
    assert (refused.left, refused.wait_s) == (0, 20.0)
    assert buckets.take(SLOW, "aino", 19.9).wait_s > 0
    assert buckets.take(SLOW, "aino", 20.0).wait_s == 0
    assert buckets.take(SLOW, "aino", 20.0).wait_s == pytest.approx(20)
    assert buckets.take(SLOW, "bertil", 20.0).left == 2
    assert buckets.take(SLOW, "aino", 1000.0).left == 2


def test_what_is_remembered_has_an_end() -> None:
    buckets = Buckets(most=100)
    for number in range(1000):
        buckets.take(SLOW, str(number), float(number))
    assert len(buckets._full_at) <= 100


def test_answers_tell_what_is_left_and_the_429_names_limit_and_seconds(
    settings: Settings,
) -> None:
    limited(settings, 2)
    api = Api(cast.person("Aino"))
    api.get("/me")
    assert api.answer["RateLimit-Policy"] == '"token";q=2;w=3600'
    assert api.answer["RateLimit"] == '"token";r=1;t=1800'
    api.post("/games", {"preset": "nothing"})
    assert api.answer["RateLimit"].startswith('"token";r=0;t=')
    told = api.get("/me")
    assert (api.status, told["code"], told["limit"]) == (429, "rate_limited", "token")
    assert 0 < told["retry_after_s"] <= 1800
    assert api.answer["Retry-After"] == str(told["retry_after_s"])
    assert Api(cast.person("Bertil")).get("/me")["player"]["name"] == "Bertil"


def test_who_is_nobody_is_counted_by_his_address(settings: Settings) -> None:
    limited(settings, 2)
    assert [Api().client.get("/api/v1/clubs").status_code for _ in range(3)] == [200, 200, 429]
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert elsewhere.get("/api/v1/clubs").status_code == 200


def test_wrong_tokens_are_counted_by_address_too(settings: Settings) -> None:
    limited(settings, 3)
    client = Client()
    found = [
        client.get("/api/v1/me", headers={"authorization": f"Bearer nothing{number}"}).status_code
        for number in range(4)
    ]
    assert found == [401, 401, 401, 429]


def test_opening_streams_is_counted_as_everything_else(settings: Settings, web: str) -> None:
    limited(settings, 2)
    game_id, people = cast.dealt(2)
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token_of(people[0])}"}
    path = f"{web}/api/v1/games/{game_id}/events"
    for left in (1, 0):
        with urlopen(Request(path, headers=headers), timeout=30) as answer:
            assert answer.headers["RateLimit"].startswith(f'"token";r={left};')
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(path, headers=headers), timeout=30)
    assert (refused.value.code, json.load(refused.value)["code"]) == (429, "rate_limited")
    assert int(refused.value.headers["Retry-After"]) > 0
    refused.value.close()


def test_nothing_is_counted_where_no_limits_are_set(settings: Settings) -> None:
    settings.RATE_LIMITS = {}
    answer = Client().get("/api/v1/clubs")
    assert "RateLimit" not in answer
    assert not rates.buckets._full_at
