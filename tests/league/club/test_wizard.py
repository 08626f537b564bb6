"""The wizard: four screens, no account, a first result; names by line, going back, a preview."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Player
from league.models import Club, Competition, DealResult, Entry, Membership, PenaltyTally, Place
from tests.league import cast
from tests.league.club.browser import open_link, phone, secret_in

pytestmark = pytest.mark.django_db(transaction=True)
EIGHT = "Aino\nBertil\n\nCecilia\n  Daavid \nEeva\nFrans\r\nGreta\nHannu\n"


def walk(client: Client, names: str = EIGHT, **more: str) -> Any:
    """The four screens as somebody in a hurry sends them; the last page."""
    for path, form in (
        ("/new/", {"name": "Maanantai", "founder": "Aino", "zone": "Europe/Helsinki"}),
        ("/new/rules/", {"preset": "table"}),
        ("/new/league/", {"kind": "letters", "word": "PASKA", "deals": "1"}),
    ):
        answer = client.post(path, {**form, **{k: v for k, v in more.items() if k in form}})
        assert answer.status_code == 302, answer.content.decode()
    return client.post("/new/players/", {"names": names, "seat": "on"})


def test_from_nothing_to_a_first_result_in_six_forms_without_an_account() -> None:
    client, sent = phone(), 0
    assert "/new/" in client.get("/").content.decode()
    page = walk(client)
    sent += 4
    assert page.status_code == 200
    text = page.content.decode()
    table = re.findall(r'href="(/t/[0-9A-Z]+/)">Table 1<', text)[0]
    assert "who was last?" in client.get(table).content.decode()
    last = Entry.objects.get(player__name="Bertil").number
    told = client.post(table, {"deal": 1, "last": last}, follow=True)
    if "Saved" not in told.content.decode():
        seat = re.findall(r'name="last" value="(\d+)"', client.get(table).content.decode())[0]
        last = int(seat)
        told = client.post(table, {"deal": 1, "last": last}, follow=True)
    sent += 1
    assert "Saved: it counts." in told.content.decode()
    assert sent <= 6
    assert PenaltyTally.objects.get(entry__number=last).losses == 1


def test_what_is_founded_is_whole() -> None:
    client = phone()
    page = walk(client)
    club, league = Club.objects.get(), Competition.objects.get()
    assert club.private
    assert league.state == "running"
    assert (league.chosen.word, league.chosen.first_out) == ("PASKA", True)
    names = Entry.objects.order_by("number").values_list("player__name", flat=True)
    assert list(names) == ["Aino", "Bertil", "Cecilia", "Daavid", "Eeva", "Frans", "Greta", "Hannu"]
    # The founder plays under his own name: he is one player, not two.
    owner = Membership.objects.get(role="owner").player
    assert owner == Entry.objects.get(number=1).player
    assert Player.objects.filter(name="Aino").count() == 1
    assert Place.objects.count() == 3
    assert page.content.decode().count("<svg") == 3
    assert page["Referrer-Policy"] == "no-referrer"
    assert client.get(f"/l/{league.slug}/").status_code == 200
    assert phone().get(f"/l/{league.slug}/").status_code == 404
    other = phone()
    open_link(other, secret_in(page))
    assert "here as organiser" in other.get(f"/club/{club.slug}/").content.decode()
    player = phone()
    open_link(player, secret_in(page, "players"))
    assert player.get(f"/l/{league.slug}/").status_code == 200
    assert player.post(f"/l/{league.slug}/begin").status_code == 404


def test_names_that_can_not_be_are_told_by_line_and_nothing_is_made() -> None:
    listed = "Aino\n<script>alert(1)</script>\nAi\u202eno\n\n\u200b\nAino\n" + "x" * 300 + "\nB"
    page = walk(phone(), listed)
    assert page.status_code == 422
    text = page.content.decode()
    for line in (3, 5, 6, 7, 8):
        assert f"Line {line}," in text
    assert "Line 2," not in text
    assert "<script>alert" not in text
    assert "The same as line 1" in text
    assert not Club.objects.exists()
    assert "&lt;script&gt;alert(1)" in text


def test_one_name_is_too_few() -> None:
    page = walk(phone(), "Aino")
    assert (page.status_code, Club.objects.count()) == (422, 0)


def test_what_was_said_is_there_when_one_goes_back() -> None:
    client = phone()
    client.post("/new/", {"name": "Maanantai", "founder": "Aino", "night": "2026-12-07T18:00"})
    client.post("/new/rules/", {"preset": "feeding"})
    client.post("/new/league/", {"kind": "letters", "word": "LOPPU", "deals": "2"})
    client.post("/new/players/", {"names": "Aino"})
    assert 'value="Maanantai"' in client.get("/new/").content.decode()
    assert 'value="2026-12-07T18:00"' in client.get("/new/").content.decode()
    assert 'value="feeding" checked' in client.get("/new/rules/").content.decode()
    page = client.get("/new/league/").content.decode()
    assert 'value="LOPPU"' in page
    assert "L-O-P-P-U" in page
    assert ">Aino</textarea>" in client.get("/new/players/").content.decode()


def test_each_rule_is_a_sentence_and_the_time_is_played_out() -> None:
    client = phone()
    form = {"kind": "letters", "word": "PASKA", "deals": "6", "people": "11", "away": "20"}
    page = client.post("/new/league/", {**form, "preview": "1"}).content.decode()
    assert re.search(r"Mostly \d+ rounds", page)
    assert "The first has the word after" in page
    assert "P-A-S-K-A" in page


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/new/", {"name": "x"}),
        ("/new/", {"name": "Liiga", "night": "yesterday"}),
        ("/new/", {"name": "Liiga", "night": "2026-99-01T00:00"}),
        ("/new/", {"name": "Liiga", "night": "2026-12-07T18:00", "zone": "Mars/Olympus"}),
        ("/new/", {"name": "Liiga", "zone": "../../etc/passwd"}),
        ("/new/rules/", {"preset": "none"}),
        ("/new/league/", {"kind": "letters", "word": "12"}),
        ("/new/league/", {"kind": "agreed", "rounds": "99999"}),
        ("/new/players/", {}),
    ],
)
def test_nonsense_stays_on_its_screen(path: str, form: dict[str, str]) -> None:
    answer = phone().post(path, form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_a_first_night_that_is_later_waits_for_it() -> None:
    client = phone()
    client.post("/new/", {"name": "Maanantai", "night": "2030-06-01T18:00"})
    client.post("/new/rules/", {"preset": "table"})
    client.post("/new/league/", {"kind": "agreed", "rounds": "5"})
    assert client.post("/new/players/", {"names": EIGHT}).status_code == 200
    league = Competition.objects.get()
    assert league.state == "open"
    assert str(league.starts_at) == "2030-06-01 15:00:00+00:00"
    page = client.get(f"/l/{league.slug}/").content.decode()
    assert "18:00 (UTC+03:00)" in page
    begun = client.post(f"/l/{league.slug}/begin", follow=True).content.decode()
    assert "Round 1" in begun


def test_the_league_page_shows_letters_and_reasons_and_names_inert() -> None:
    client = phone()
    walk(client, "Aino\n=HYPERLINK(1)\n<b>Cecilia</b>\nDaavid")
    league = Competition.objects.get()
    table = client.get(f"/t/{Place.objects.get(number=1).code}/")
    assert table.status_code == 200
    client.post(f"/t/{Place.objects.get(number=1).code}/", {"deal": 1, "last": 3})
    assert DealResult.objects.get().state == "confirmed"
    page = client.get(f"/l/{league.slug}/").content.decode()
    assert '<span class="taken">P</span><span class="open">A</span>' in page
    assert "Above" in page
    assert "<b>Cecilia" not in page
    assert "&lt;b&gt;Cecilia" in page
    assert " style=" not in page
    assert re.findall(r"<script(?![^>]* src=)", page) == []


def test_names_that_look_alike_are_marked_on_the_page_of_the_league() -> None:
    client = phone()
    walk(client, "Aino\nАino\nBertil")
    league = Competition.objects.get()
    page = client.get(f"/l/{league.slug}/").content.decode()
    assert page.count("looks like another") == 2


def test_the_page_of_a_league_asks_as_often_for_many_as_for_few(
    django_assert_max_num_queries: Any,
) -> None:
    client = phone()
    walk(client, "\n".join(f"Plain {number}" for number in range(60)))
    league = Competition.objects.get()
    with django_assert_max_num_queries(22):
        assert client.get(f"/l/{league.slug}/").status_code == 200


def test_founding_is_limited_by_address() -> None:
    client = phone()
    for number in range(31):
        answer = walk(client, "Aino\nBertil" if number else "Aino\nBertil\nCecilia")
    assert (answer.status_code, Club.objects.count()) == (422, 30)
    assert cast.club("other").pk


def test_a_rehearsal_is_seen_by_its_club_alone_even_where_the_club_is_public() -> None:
    client = phone()
    said = {"name": "Koe", "founder": "Aino", "public": "on", "rehearsal": "on"}
    client.post("/new/", said)
    assert 'name="rehearsal" checked' in client.get("/new/").content.decode()
    client.post("/new/rules/", {"preset": "table"})
    client.post("/new/league/", {"kind": "agreed", "rounds": "5"})
    client.post("/new/players/", {"names": EIGHT, "seat": "on"})
    league = Competition.objects.get()
    assert league.rehearsal
    assert client.get(f"/l/{league.slug}/").status_code == 200
    assert phone().get(f"/l/{league.slug}/").status_code == 404
    assert phone().get(f"/club/{league.club.slug}/").status_code == 200
