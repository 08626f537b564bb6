"""A phone at a table: orders tapped or by number, who gave up, objections, sheets, sent twice."""

import re

import pytest

from league.models import DealResult, LedgerRow
from league.services import substitution
from league.services.substitution import Swap
from tests.league import cast
from tests.league.club.browser import organiser_of, phone
from tests.league.club.test_places import losses, night, result, says, table_code, tap

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_order_is_tapped_one_after_the_other_with_shared_places() -> None:
    league = night()
    path = table_code(league)
    aino = phone()
    tap(aino, path, sit=1)
    assert "Who was first?" in says(aino, f"{path}?order=1")
    assert "as number 2?" in says(aino, f"{path}?order=1&next=3")
    page = says(aino, f"{path}?order=1&picked=3/1&level=4")
    (places,) = re.findall(r'name="places" value="([^"]+)"', page)
    assert places == "3/1,4/2"
    tap(aino, path, deal=1, places=places)
    assert result().places == [[3], [1, 4], [2]]
    page = says(aino, path)
    assert "1. <bdi>Player 3</bdi>, 2. <bdi>Player 1</bdi> and <bdi>Player 4</bdi>, 4. " in page


@pytest.mark.parametrize("query", ["order=9", "order=1&picked=1/1", "order=1&picked=x&next=77"])
def test_an_order_that_can_not_be_begins_anew(query: str) -> None:
    path = table_code(night())
    aino = phone()
    tap(aino, path, sit=1)
    page = says(aino, f"{path}?{query}")
    assert "who was last?" in page or "Who was first?" in page


def test_who_does_not_play_a_deal_is_left_out_of_it() -> None:
    league = night()
    path = table_code(league)
    oskari, _ = organiser_of(league.club, name="Olga")
    order = {"place-1": 1, "place-2": 2, "place-3": 2, "place-4": ""}
    tap(oskari, path, deal=1, **order)
    assert result().places == [[1], [2, 3]]
    assert losses(league) == {2: 1, 3: 1}


def test_a_seat_that_gives_up_is_last_and_marked_and_so_are_two() -> None:
    league = night()
    path = table_code(league)
    oskari, _ = organiser_of(league.club, name="Olga")
    tap(oskari, path, deal=1, **{"gave-up": 2})
    assert "<bdi>Player 2</bdi> gave up" in says(oskari, path)
    tap(oskari, path, deal=2, **{"gave-up": [1, 4]})
    assert result(2).forfeits == [1, 4]
    assert losses(league) == {1: 1, 2: 1, 4: 1}
    bodies = list(LedgerRow.objects.filter(kind="result.confirmed").values_list("body", flat=True))
    assert [body["forfeits"] for body in bodies] == [[2], [1, 4]]


def test_a_seat_objects_to_what_counts_and_it_counts_no_more() -> None:
    league = night()
    path = table_code(league)
    aino, bertil, cecilia = phone(), phone(), phone()
    for number, one in enumerate((aino, bertil, cecilia), start=1):
        tap(one, path, sit=number)
    tap(aino, path, deal=1, last=3)
    tap(bertil, path, deal=1, seen=1, places="1,2,4/3")
    assert losses(league) == {3: 1}
    assert "That is wrong" in says(cecilia, path)
    tap(cecilia, path, deal=1, seen=1, last=4)
    assert (result().state, losses(league)) == ("disputed", {})
    page = says(aino, path)
    assert "It counts nowhere until an organiser has decided." in page
    assert "<bdi>Player 3</bdi> says: <bdi>Player 4</bdi> was last" in page
    oskari, _ = organiser_of(league.club, "scorekeeper", "Otto")
    assert "Decided: it counts." in tap(oskari, path, deal=1, seen=1, places="1,2,3/4")
    assert losses(league) == {4: 1}


def test_the_whole_sheet_is_confirmed_by_one_tap_from_another_seat() -> None:
    league = night(deals=3)
    path = table_code(league)
    aino, bertil = phone(), phone()
    tap(aino, path, sit=1)
    tap(bertil, path, sit=2)
    for deal in (1, 2, 3):
        tap(aino, path, deal=deal, last=deal)
    assert "All 3 are right" not in says(aino, path)
    assert "All 3 are right" in says(bertil, path)
    assert "0 deals more count" in tap(aino, path, sheet=1)
    assert "Saved: 3 deals more count." in tap(bertil, path, sheet=1)
    assert losses(league) == {1: 1, 2: 1, 3: 1}


def test_the_same_form_sent_twice_is_carried_out_once_even_after_it_was_taken_back() -> None:
    league = night()
    path = table_code(league)
    aino = phone()
    tap(aino, path, sit=1)
    (key, *_) = re.findall(r'name="key" value="([^"]+)"', says(aino, path))
    tap(aino, path, key=key, deal=1, last=3)
    assert "Told." in tap(aino, path, key=key, deal=1, last=3)
    assert LedgerRow.objects.filter(kind="result.reported").count() == 1
    tap(aino, path, undo=1)
    tap(aino, path, key=key, deal=1, last=3)
    assert result().state == "void"
    assert "Told." in tap(aino, path, key=key, deal=1, last=2)
    assert result().places == [[1, 3, 4], [2]]


def test_a_substitute_says_who_he_is_by_his_own_name() -> None:
    league = night(deals=1)
    path = table_code(league)
    oskari, _ = organiser_of(league.club, name="Olga")
    coming = cast.person("Tuuraaja")
    leaver = league.entries.get(number=2).player_id
    substitution.substitute(league.pk, Swap(leaver, coming.pk), "player:1")
    tap(oskari, path, deal=1, last=1)
    oskari.post(f"/l/{league.slug}/begin")
    aino = phone()
    assert "<bdi>Tuuraaja</bdi>" in says(aino, path)
    tap(aino, path, sit=2)
    tap(aino, path, deal=1, last=3)
    told = DealResult.objects.get(table__round__number=2)
    assert told.entered_by == coming
