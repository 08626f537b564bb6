"""A whole round by keyboard: shorthand, errors beside what was typed, sent twice, overruled."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.kit.models import Act
from league.formats import shorthand
from league.formats.saying import SayingError
from league.models import Competition, DealResult, LedgerRow
from league.services import rounds, typed
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.club.browser import organiser_of, phone
from tests.league.club.test_places import losses
from tests.league.nights import night

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = {7: "Aino", 3: "Anna Vesi", 5: "Bertil"}


@pytest.mark.parametrize(
    ("said", "places", "forfeits"),
    [
        ("3", ((3, 7), (5,)), ()),
        ("be", ((3, 7), (5,)), ()),
        ("av", ((5, 7), (3,)), ()),
        ("AINO", ((3, 5), (7,)), ()),
        ("3 1 2", ((5,), (7,), (3,)), ()),
        ("3, 1=2", ((5,), (3, 7)), ()),
        ("3 > 1 = 2", ((5,), (3, 7)), ()),
        ("1=2", ((5,), (3, 7)), ()),
        ("1=2=3", ((3, 5, 7),), ()),
        ("-", (), ()),
        ("2!", ((5, 7), (3,)), (3,)),
        ("2! 1!", ((5,), (3, 7)), (3, 7)),
    ],
)
def test_a_deal_is_typed_short(said: str, places: object, forfeits: object) -> None:
    found = shorthand.read(said, NAMES)
    assert (found.places, found.forfeits) == (places, forfeits)
    again = shorthand.written(found.places, list(NAMES), found.forfeits)
    assert shorthand.read(again, NAMES) == found


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("a", "a could be Aino or Anna Vesi."),
        ("4", "There is no seat 4."),
        ("0", "There is no seat 0."),
        ("x", "Nobody here is called x."),
        ("1 1", "Somebody stands there twice."),
        ("1! 2", "Say only who gave up."),
        ("=", "Nobody here is called"),
        ("9" * 300, "There is no seat"),
    ],
)
def test_what_is_no_deal_is_said_in_words(said: str, why: str) -> None:
    with pytest.raises(SayingError, match=re.escape(why)):
        shorthand.read(said, NAMES)


def _form(page: str, **typed_: str) -> dict[str, str]:
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    cells = dict(re.findall(r'type="text" name="([^"]+)" id="[^"]+" value="([^"]*)"', page))
    told = {f"deal-{at.replace('_', '-')}": said for at, said in typed_.items()}
    return {**hidden, **cells, **told}


def _save(client: Client, path: str, page: str, **typed_: str) -> str:
    cells = {name.removeprefix("d"): said for name, said in typed_.items()}
    return client.post(path, _form(page, **cells), follow=True).content.decode()


def _keeper(league: Competition) -> tuple[Client, str, str]:
    keeper, _ = organiser_of(league.club, "scorekeeper", "Otto")
    path = f"/l/{league.slug}/enter/"
    return keeper, path, keeper.get(path).content.decode()


def test_a_whole_round_is_saved_at_once_and_sent_twice_is_the_same() -> None:
    league = night()
    keeper, path, page = _keeper(league)
    assert 'id="deal-1-1" value="" autocomplete="off"' in page
    assert "autofocus" in page
    form = _form(page, **{"1_1": "p4", "1_2": "p2 p1 p3 p4"})
    for _ in range(2):
        saved = keeper.post(path, form, follow=True).content.decode()
        assert "Saved: 2 deals." in saved
    assert losses(league) == {4: 2}
    assert LedgerRow.objects.filter(kind="result.confirmed").count() == 2
    assert Act.objects.filter(verb="result.confirmed").count() == 2
    assert DealResult.objects.get(deal=2).places == [[2], [1], [3], [4]]
    assert "That is what stands there." in _save(keeper, path, saved)


def test_what_is_wrong_keeps_what_was_typed_and_the_rest_is_saved() -> None:
    league = night()
    keeper, path, page = _keeper(league)
    answer = keeper.post(path, _form(page, **{"1_1": "player 9", "1_2": "p3"}))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "One cell is not saved" in page
    assert "Saved: one deal." in page
    assert 'value="player 9"' in page
    assert 'aria-describedby="error-1-1"' in page
    assert losses(league) == {3: 1}
    assert "Saved: one deal." in _save(keeper, path, page, d1_1="p1")
    assert losses(league) == {1: 1, 3: 1}


def test_what_somebody_else_has_entered_meanwhile_is_shown_and_overruled_by_saving_again() -> None:
    league = night()
    keeper, path, page = _keeper(league)
    by = By(cast.person().pk, organiser=True)
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 3], [4]], by)
    page = _save(keeper, path, page, d1_1="p2")
    assert "Something else stands there meanwhile" in page
    assert "Stands: <bdi>Player 4</bdi> was last." in page
    assert losses(league) == {4: 1}
    assert "Saved: one deal." in _save(keeper, path, page)
    assert losses(league) == {2: 1}


def test_what_was_reported_is_confirmed_or_ruled_by_typing_it() -> None:
    league = night()
    seats = {e.number: By(e.player_id, organiser=False) for e in league.entries.all()}
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 3], [4]], seats[1])
    typed.enter(Where(league.pk, 1, 1, 2), [[1, 2, 3], [4]], seats[1])
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 4], [3]], seats[2], seen=1)
    keeper, path, page = _keeper(league)
    assert "reported" in page
    assert "disputed" in page
    assert "Saved: 2 deals." in _save(keeper, path, page, d1_1="p3", d1_2="p4")
    assert losses(league) == {3: 1, 4: 1}


def test_one_table_can_be_shown_alone_and_earlier_rounds_too() -> None:
    league = night(8, deals_per_table=1)
    keeper, path, page = _keeper(league)
    assert page.count("<legend>") == 2
    alone = keeper.get(f"{path}?table=2").content.decode()
    assert alone.count("<legend>") == 1
    _save(keeper, f"{path}?table=2", alone, d2_1="1")
    assert DealResult.objects.get().table.number == 2
    _save(keeper, path, page, d1_1="1")
    rounds.open(league.pk)
    assert "Results of round 2" in keeper.get(path).content.decode()
    assert "Results of round 1" in keeper.get(f"{path}1/").content.decode()
    assert keeper.get(f"{path}9/").status_code == 404
    assert phone().get(path).status_code == 404
    assert phone().post(path, {"deal-1-1": "1"}).status_code == 404


def test_the_form_takes_as_many_queries_for_a_hundred_deals_as_for_ten() -> None:
    counts = []
    for seats, deals in ((8, 5), (40, 10)):
        league = night(
            seats, club=f"club-{seats}", deals_per_table=deals, rounds=3, seating="random"
        )
        keeper, path, page = _keeper(league)
        cells = {f"{t}_{d}": "1" for t in range(1, seats // 4 + 1) for d in range(1, deals)}
        assert "Saved" in keeper.post(path, _form(page, **cells), follow=True).content.decode()
        keeper.get(path)
        with CaptureQueriesContext(connection) as counted:
            keeper.get(path)
        counts.append(len(counted))
    assert counts[0] == counts[1]
