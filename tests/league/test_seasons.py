"""The next season: the same people, rules and settings, and a ledger that begins empty."""

import pytest

from league.models import Club, Competition, Entry, LedgerRow, Membership
from league.services import conduct, seasons
from tests.league import cast, nights
from tests.league.club.browser import phone
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


def test_people_settings_and_rules_go_on_and_chips_do_not() -> None:
    league = nights.night(6, word="PASKA", rounds=4)
    gone = Entry.objects.get(competition=league, number=3)
    conduct.drop(league.pk, gone.player_id, "test")
    again = seasons.follow(league.pk, "Monday 2027", "test")
    assert again.settings == Competition.objects.get(pk=league.pk).settings
    assert (again.rules, again.club, again.format) == (league.rules, league.club, league.format)
    assert again.secret != league.secret
    first = set(Entry.objects.filter(competition=league).values_list("player", flat=True))
    entered = set(Entry.objects.filter(competition=again).values_list("player", flat=True))
    assert entered == first - {gone.player_id}
    kinds = LedgerRow.objects.filter(competition=again).values_list("kind", flat=True)
    assert set(kinds) == {"competition.state", "entry.added"}
    assert again.state == "open"


def test_over_the_api_it_is_opened_once() -> None:
    league = nights.night(4)
    api, oskari = _api("Oskari")
    Membership.objects.create(club=league.club, player=oskari, role="organiser")
    key = {"Idempotency-Key": "season"}
    address = f"competitions/{league.pk}/next-season"
    made = [api.post(address, {"name": "Tuesday"}, **key) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201], made[0].content
    assert made[0].json()["id"] == made[1].json()["id"]
    other, _ = _api("Vieras")
    assert other.post(address, {"name": "Tuesday"}).status_code == 403


def test_the_page_of_a_league_that_is_over_opens_the_next() -> None:
    league = nights.night(4)
    owner = cast.person("Oskari")
    Membership.objects.create(club=Club.objects.get(), player=owner, role="owner")
    Competition.objects.filter(pk=league.pk).update(state="finished")
    client = phone(owner)
    assert "The next season" in client.get(f"/l/{league.slug}/").content.decode()
    answer = client.post(f"/l/{league.slug}/season/", {"name": "Monday 2"}, follow=True)
    assert "<h1>Monday 2</h1>" in answer.content.decode()
    assert phone().post(f"/l/{league.slug}/season/", {"name": "x"}).status_code == 404
