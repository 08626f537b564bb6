"""`/metrics` is for who stands beside the process or has the token, and holds no names."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db


def test_requests_are_counted_without_what_is_in_their_addresses() -> None:
    game_id, people = cast.dealt(2)
    Api(people[0]).get(f"/games/{game_id}")
    answer = Client().get("/metrics")
    text = answer.content.decode()
    assert "django_http_requests_total_by_method_total" in text
    assert str(game_id) not in text and "Aino" not in text


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("192.0.2.1", {}),
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.1"}),
        ("127.0.0.1", {"forwarded": "for=192.0.2.1"}),
        ("192.0.2.1", {"authorization": "Bearer wrong"}),
        ("192.0.2.1", {"authorization": "Bearer "}),
        ("", {}),
    ],
)
def test_others_find_no_such_page(
    address: str, headers: dict[str, str], settings: Settings
) -> None:
    for token in ("", "right"):
        settings.METRICS_TOKEN = token
        assert Client(REMOTE_ADDR=address).get("/metrics", headers=headers).status_code == 404


def test_a_scraper_elsewhere_shows_its_token(settings: Settings) -> None:
    settings.METRICS_TOKEN = "right"
    headers = {"authorization": "Bearer right", "x-forwarded-for": "192.0.2.1"}
    assert Client(REMOTE_ADDR="192.0.2.1").get("/metrics", headers=headers).status_code == 200
