"""Pages that show a league elsewhere: on a wall, on paper, in a frame; and the slip's code."""

from __future__ import annotations

import pytest
from django.test import Client

from league.formats import printed
from league.models import Club, Competition, Round, Table, TableSeat
from league.pages import slips
from league.queries.fields import draw_seed
from league.services import places, rounds
from tests.league import nights
from tests.league.club.browser import organiser_of, phone

pytestmark = pytest.mark.django_db(transaction=True)
PUBLIC = ("", "l/{league}/", "l/{league}/tv/", "l/{league}/print/", "club/{club}/", "rules/", "t/")
HOSTILE = "<img src=x onerror=alert(1)>"


def test_the_wall_shows_seats_and_standings() -> None:
    league = nights.night(7, word="PASKA")
    shown = Client().get(f"/l/{league.slug}/tv/").content.decode()
    assert shown.count("Player ") == 14
    assert "Table 2" in shown
    part = Client().get(f"/l/{league.slug}/tv/live/")
    again = Client().get(f"/l/{league.slug}/tv/live/", headers={"If-None-Match": part["ETag"]})
    assert again.status_code == 304


def test_only_the_embed_may_stand_in_a_frame_and_it_touches_no_cookie() -> None:
    league = nights.night(4)
    framed = Client().get(f"/l/{league.slug}/embed/")
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "default-src 'self'" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert not framed.cookies
    assert "Cookie" not in framed.get("Vary", "")
    assert b"<form" not in framed.content
    for page in PUBLIC:
        answer = Client().get(f"/{page.format(league=league.slug, club=league.club.slug)}")
        assert answer.status_code == 200, page
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], page
        assert answer["X-Frame-Options"] == "DENY", page


def test_a_private_league_is_in_no_frame_for_its_members_neither() -> None:
    league = nights.night(4)
    client, _ = organiser_of(league.club)
    Club.objects.filter(pk=league.club_id).update(private=True)
    assert client.get(f"/l/{league.slug}/").status_code == 200
    assert client.get(f"/l/{league.slug}/embed/").status_code == 404


def test_standings_are_there_for_programs_of_any_origin() -> None:
    league = nights.night(4)
    address = f"/api/v1/competitions/{league.pk}/standings"
    answer = Client().get(address, headers={"Origin": "https://blog.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json()["results"][0]["player"]["name"]


def test_codes_of_places_are_printed_for_who_keeps_scores_alone() -> None:
    league = nights.night(7)
    client, owner = organiser_of(league.club)
    code = places.upto(league.club_id, 2, owner.pk)[0].code
    address = f"/l/{league.slug}/print/"
    assert code in client.get(address).content.decode()
    assert code not in phone().get(f"{address}?part=slips").content.decode()
    assert "on paper" not in phone().get(address).content.decode()


def test_a_sheet_that_was_printed_is_what_is_drawn_later() -> None:
    league = nights.night(8, rounds=3)
    for table in Round.objects.get().tables.all():
        mark_done(table)
    Round.objects.update(state=Round.State.CLOSED)
    paper = printed.sheet(range(1, 9), league.chosen, draw_seed(league, 2))
    rounds.open(league.pk, printed=True)
    drawn = Round.objects.get(number=2)
    seats = TableSeat.objects.filter(round=drawn).order_by("table__number", "index")
    tables: dict[int, list[int]] = {}
    for seat in seats.select_related("table", "entry"):
        tables.setdefault(seat.table.number, []).append(seat.entry.number)
    assert [tuple(one) for one in tables.values()] == printed.seated(paper, [], range(1, 9))


def mark_done(table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(state="done", places=[], deals_done=0)


def test_every_name_stands_inert_on_wall_paper_and_frame() -> None:
    league = nights.night(4)
    Competition.objects.filter(pk=league.pk).update(name=HOSTILE)
    organiser, _ = organiser_of(league.club)
    for page in ("tv/", "print/", "embed/"):
        shown = organiser.get(f"/l/{league.slug}/{page}").content.decode()
        assert "<img src=x" not in shown
        assert "&lt;img src=x" in shown


def test_a_slip_says_its_round_and_table_and_finds_slips_of_the_pen() -> None:
    for at in range(1, 40):
        for table in range(1, 12):
            code = slips.written(at, table)
            assert slips.read(code) == (at, table)
            assert slips.read(slips.written(at + 1, table)) != (at, table)
            assert slips.read(f"{at + 1}{code[code.index('-') :]}") is None
    assert slips.read("nothing") is None
    assert slips.read("٣-2-R") is None


def test_the_code_of_a_slip_leads_to_the_form_of_its_table() -> None:
    league = nights.night(7)
    client, _ = organiser_of(league.club)
    address = f"/l/{league.slug}/slip/"
    found = client.get(address, {"code": slips.written(1, 2)}, follow=True)
    assert found.redirect_chain[-1][0] == f"/l/{league.slug}/enter/1/?table=2"
    assert "Table 2" in found.content.decode()
    assert "Table 1" not in found.content.decode()
    wrong = client.get(address, {"code": "1-2-Z"}, follow=True)
    assert "no code of a slip" in wrong.content.decode()
    assert phone().get(address, {"code": slips.written(1, 2)}).status_code == 404


def test_the_worker_keeps_files_that_are_there_and_speaks_for_its_pages_only() -> None:
    answer = Client().get("/offline.js")
    assert answer["Service-Worker-Allowed"] == "/"
    assert answer["Content-Type"].startswith("text/javascript")
    text = answer.content.decode()
    assert "offline/banner.js" in text
    assert text == Client().get("/offline.js").content.decode()
    assert Client().get("/t/").status_code == 200


def test_a_night_is_loaded_by_who_is_of_the_club() -> None:
    league = nights.night(7)
    client, owner = organiser_of(league.club)
    places.upto(league.club_id, 2, owner.pk)
    night = client.get(f"/l/{league.slug}/night/load").json()
    assert [place["number"] for place in night["places"]] == [1, 2]
    assert sorted(len(place["seats"]) for place in night["places"]) == [3, 4]
    assert f"/rules/{league.rules.hash}/ask/" in night["pages"]
    assert set(night["scopes"]) == set(night["pages"])
    assert phone().get(f"/l/{league.slug}/night/load").json()["places"] == []
    one = phone().get(f"/t/{night['places'][0]['code']}/load").json()["places"][0]
    assert one["seats"] == night["places"][0]["seats"]
    assert not one["keeper"]
