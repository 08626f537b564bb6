"""A club calls its players as it likes: in standings, at tables, on its page; elsewhere nothing."""

import pytest

from league.models import Club, Competition, Membership, Place
from tests.league.club.browser import phone
from tests.league.club.test_wizard import walk

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_nickname_stands_wherever_the_club_tells_of_him() -> None:
    client = phone()
    walk(client)
    club, league = Club.objects.get(), Competition.objects.get()
    bertil = Membership.objects.get(player__name="Bertil").player_id
    address = f"/club/{club.slug}/members/{bertil}/nickname"
    client.post(address, {"nickname": "<b>Bepa</b>"})
    place = Place.objects.get(number=1)
    pages = [f"/l/{league.slug}/", f"/club/{club.slug}/", f"/t/{place.code}/"]
    told = [client.get(page).content.decode() for page in pages]
    assert "&lt;b&gt;Bepa" in told[0]
    assert "Bertil" not in told[0]
    assert "&lt;b&gt;Bepa" in told[1]
    assert "<b>Bepa" not in "".join(told)
    client.post(address, {"nickname": "x\u202ey"})
    assert Membership.objects.get(player=bertil).nickname == "<b>Bepa</b>"
    client.post(address, {"nickname": ""})
    assert "Bertil" in client.get(pages[0]).content.decode()


def test_others_do_not_name_him() -> None:
    walk(phone())
    club = Club.objects.get()
    member = Membership.objects.get(player__name="Bertil")
    cecilia = Membership.objects.get(player__name="Cecilia").player
    address = f"/club/{club.slug}/members/{member.player_id}/nickname"
    assert phone(cecilia).post(address, {"nickname": "Bepa"}).status_code == 404
    assert phone(member.player).post(address, {"nickname": "Bepa"}).status_code == 302
    member.refresh_from_db()
    assert member.nickname == "Bepa"
