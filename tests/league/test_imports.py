"""An exported competition comes to another installation over the API: once, for its organisers."""

from typing import Any

import pytest
from django.db import connection

from league.models import Competition
from tests.league.archive.cast import document, played
from tests.league.test_api import Api, _api, _code

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def exported() -> dict[str, Any]:
    """The document of a competition of which nothing is left here."""
    wire = document(played("rounds", 5, rounds=2))
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE games_player, games_rulescard, games_deck, league_club CASCADE")
    return wire


@pytest.fixture
def oskari() -> Api:
    api, _ = _api("Oskari")
    assert api.post("clubs", {"slug": "uusi", "name": "Uusi"}).status_code == 201
    return api


def test_what_is_imported_again_is_found(exported: dict[str, Any], oskari: Api) -> None:
    first = oskari.post("clubs/uusi/imports", exported)
    assert first.status_code == 201, first.content
    assert first.json()["commitment"] == exported["competition"]["commitment"]
    turned = dict(reversed(exported.items()))
    assert oskari.post("clubs/uusi/imports", turned).json()["id"] == first.json()["id"]
    assert Competition.objects.count() == 1
    rows = Api().get(f"competitions/{first.json()['id']}/standings").json()["results"]
    assert [row["chips"] for row in rows] == [row["chips"] for row in exported["standings"]]


def test_the_same_key_is_answered_the_same(exported: dict[str, Any], oskari: Api) -> None:
    key = {"Idempotency-Key": "import-1"}
    answers = [oskari.post("clubs/uusi/imports", exported, **key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    other = oskari.post("clubs/uusi/imports", {**exported, "more": 1}, **key)
    assert _code(other)[1] == "idempotency_key_reused"


def test_only_an_organiser_of_the_club_imports(exported: dict[str, Any], oskari: Api) -> None:
    aino, _ = _api("Aino")
    assert aino.post("clubs/uusi/imports", exported).status_code == 403
    assert Api().post("clubs/uusi/imports", exported).status_code == 401
    assert not Competition.objects.exists()


def test_what_does_not_check_is_refused_with_the_part(
    exported: dict[str, Any], oskari: Api
) -> None:
    exported["tallies"][0]["chips"] += 1
    refused = oskari.post("clubs/uusi/imports", exported)
    assert refused.status_code == 422, refused.content
    assert refused.json()["parts"][0]["part"] == "tallies"
    for body in ({}, {"format": "housuliiga-competition"}, {"format": 7, "ledger": []}):
        assert oskari.post("clubs/uusi/imports", body).status_code == 422
