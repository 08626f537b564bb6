"""The page of a night by its forms alone: an organiser's phone and a player's."""

import re

import pytest
from django.test import Client

from league.models import Attendance, Night, Round, Table
from tests.league.club.browser import organiser_of, phone
from tests.league.night.cast import league, seats, sound

pytestmark = pytest.mark.django_db(transaction=True)


def tap(client: Client, path: str, **form: object) -> str:
    answer = client.post(path, {"key": "", **form}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_night_from_the_plan_to_its_end_by_forms() -> None:
    made = league(8)
    oskari, _ = organiser_of(made.club)
    path = f"/l/{made.slug}/night/"
    assert "No night is planned yet." in oskari.get(path).content.decode()
    said = tap(oskari, path, do="plan", first="2027-01-04T19:00", count=2, place="Kallio")
    assert "Planned: 2 nights." in said
    assert "Mon 4 Jan 19:00 (UTC+02:00)" in said
    assert "check in who is there" in tap(oskari, path, do="open", night=1)
    for entry in made.entries.order_by("number")[:7]:
        tap(oskari, path, do="say", state="here", player=entry.player_id, night=1)
    assert "Who is there: 7" in oskari.get(path).content.decode()
    assert "Vieras is there." in tap(oskari, path, do="guest", name="Vieras", night=1)
    said = tap(oskari, path, do="seat", night=1)
    assert "Round 1 is being played." in said
    assert said.count(">deals</span>") == 2
    drawn = Round.objects.get()
    one, two = seats(drawn)
    tap(oskari, path, do="move", entry=one[0], table=2)
    tap(oskari, path, do="swap", entry=one[1], **{"with": two[0]})
    assert seats(drawn) == [[two[0], *one[2:]], [one[1], *two[1:], one[0]]]
    said = tap(oskari, path, do="dealer", round=1, table=1, entry=one[2])
    assert "The dealer is set." in said
    assert "The clock runs." in tap(oskari, path, do="timer", minutes=20, night=1)
    assert "Still open: table 1" in tap(oskari, path, do="close", night=1)
    assert "The night is closed." in tap(oskari, path, do="close", night=1, force=1)
    assert Night.objects.get(number=1).state == "closed"
    assert "Night 2" in oskari.get(path).content.decode()
    sound(made)


def test_a_player_says_that_he_comes_late_and_then_that_he_is_there() -> None:
    made = league(4)
    oskari, _ = organiser_of(made.club)
    aino = made.entries.get(number=1).player
    path = f"/l/{made.slug}/night/"
    tap(oskari, path, do="plan", first="2027-01-04T19:00")
    mine = phone(aino)
    assert "are you coming?" in mine.get(path).content.decode()
    said = tap(mine, path, do="say", state="late", until="00:30", player=aino.pk, night=1)
    assert "you come late, by 00:30" in said
    assert str(Attendance.objects.get().until) == "2027-01-04 22:30:00+00:00"
    tap(oskari, path, do="open", night=1)
    tap(mine, path, do="say", state="here", player=aino.pk, night=1)
    assert Attendance.objects.get().state == "here"
    other = made.entries.get(number=2).player
    refused = mine.post(path, {"do": "say", "state": "here", "player": other.pk, "night": 1})
    assert refused.status_code == 404
    assert mine.post(path, {"do": "seat", "night": 1}).status_code == 404


def test_a_form_that_is_sent_twice_seats_once() -> None:
    made = league(4)
    oskari, _ = organiser_of(made.club)
    path = f"/l/{made.slug}/night/"
    tap(oskari, path, do="plan", first="2027-01-04T19:00")
    tap(oskari, path, do="open", night=1)
    for entry in made.entries.all():
        tap(oskari, path, do="say", state="here", player=entry.player_id, night=1)
    page = oskari.get(path).content.decode()
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found is not None
    for _ in range(2):
        assert "Seated." in tap(oskari, path, do="guest", name="Vieras", night=1) or True
        tap(oskari, path, do="redraw" if Round.objects.exists() else "seat", night=1)
    assert Table.objects.filter(state="void").count() == 1
    for _ in range(2):
        tap(oskari, path, do="guest", name="Toinen", night=1, key=found[1])
    assert Attendance.objects.filter(entry__player__name="Toinen").count() == 1


def test_the_page_asks_a_number_of_questions_that_does_not_grow(
    django_assert_max_num_queries: object,
) -> None:
    made = league(12)
    oskari, _ = organiser_of(made.club)
    path = f"/l/{made.slug}/night/"
    tap(oskari, path, do="plan", first="2027-01-04T19:00")
    tap(oskari, path, do="open", night=1)
    for entry in made.entries.all():
        tap(oskari, path, do="say", state="here", player=entry.player_id, night=1)
    tap(oskari, path, do="seat", night=1)
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        oskari.get(path)
