"""The first page and that of a tournament: whole without JavaScript, inert for hostile names."""

import re

import pytest
from django.test import Client

from games.models import Player
from league.models import Competition
from league.services import competitions
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _get(path: str, **headers: str) -> str:
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_first_page_stands_on_its_own() -> None:
    page = _get("/")
    assert "No tournament yet" in page
    assert page.count('class="door panel"') == 3


def test_a_tournament_is_shown_before_during_and_after() -> None:
    competition = cast.cup(cast.house_bots(9))
    path = f"/c/{competition.slug}/"
    assert "9 have entered." in _get(path)
    competitions.start(competition.pk)
    page = _get(path)
    assert "Round 1: 3 tables are being played." in page
    assert page.count('class="box waiting"') == 3
    assert page.count('class="box open"') == 2
    cast.play_all()
    page = _get(path)
    winner = competition.entries.get(place=1).player.name
    assert f"{winner} has won." in page
    assert page.count('<path class="way') == 4
    assert "fewer chips" in page or "further in the competition" in page
    assert competition.name in _get("/")


def test_the_live_part_is_not_sent_twice() -> None:
    competition = cast.cup(cast.house_bots(3))
    path = f"/c/{competition.slug}/live/"
    answer = Client().get(path)
    held = {"If-None-Match": answer["ETag"]}
    assert Client().get(path, headers=held).status_code == 304
    competitions.start(competition.pk)
    assert Client().get(path, headers=held).status_code == 200


def test_live_parts_have_the_same_ids_on_page_and_fragment() -> None:
    competition = cast.cup(cast.house_bots(3))
    ids = re.compile(r'id="(live-[a-z]+)" data-live')
    page, part = _get(f"/c/{competition.slug}/"), _get(f"/c/{competition.slug}/live/")
    assert ids.findall(page) == ids.findall(part) != []
    assert ids.findall(_get("/")) == ids.findall(_get("/live/")) != []


def test_a_name_of_markup_is_shown_inert() -> None:
    bots = cast.house_bots(3)
    Player.objects.filter(pk=bots[0].pk).update(name="<script>x()</script>")
    competition = cast.cup(bots)
    competitions.start(competition.pk)
    page = _get(f"/c/{competition.slug}/")
    assert "<script>x()" not in page
    assert "&lt;script&gt;x()" in page


def test_no_page_has_inline_script_or_style() -> None:
    competition = cast.cup(cast.house_bots(3))
    competitions.start(competition.pk)
    for path in ("/", f"/c/{competition.slug}/"):
        page = _get(path)
        assert " style=" not in page
        assert "<style" not in page
        assert re.findall(r"<script(?![^>]* src=)", page) == []


def test_a_private_tournament_is_a_404() -> None:
    competition = cast.cup([], club_=cast.club(private=True))
    assert Client().get(f"/c/{competition.slug}/").status_code == 404
    assert Client().get(f"/c/{competition.slug}/live/").status_code == 404
    assert competition.name not in _get("/")


def test_a_big_field_is_a_list_instead_of_a_drawing() -> None:
    competition = cast.cup(cast.house_bots(70), {"table_size": 2, "deals_per_table": 1})
    competitions.start(competition.pk)
    page = _get(f"/c/{competition.slug}/")
    assert "<svg" not in page
    assert page.count('class="bout"') == 35
    assert Competition.objects.get().state == "running"
