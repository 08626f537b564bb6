"""Corrections on pages: looked at first, then made, undone, undone again; disputes are ruled."""

import html
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Competition, DealResult, Entry, LedgerRow, Note, PenaltyTally, Round
from league.services import ledger, rounds, tallies, typed
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.club.browser import organiser_of, phone
from tests.league.nights import night

pytestmark = pytest.mark.django_db(transaction=True)


def _fields(page: str, button: str) -> dict[str, str]:
    """What the form of a button would send."""
    forms = re.findall(r"<form.*?</form>", page, re.DOTALL)
    for form in forms:
        for attributes, words in re.findall(r"<button([^>]*)>(.*?)</button>", form, re.DOTALL):
            if button in re.sub("<[^>]+>", "", html.unescape(words)):
                hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)
                said = re.findall(r'name="([^"]+)" value="([^"]*)"', attributes)
                chosen = re.findall(r'<select name="([^"]+)".*?<option selected>([^<]+)', form)
                return dict([*hidden, *chosen, *said])
    raise AssertionError(f"no button {button}")


def _press(client: Client, path: str, page: str, button: str, **more: str) -> str:
    answer = client.post(path, {**_fields(page, button), **more}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def _enter(league: Competition, deal: int, *places: list[int], by: int = 0, at: int = 1) -> None:
    """By an organiser, or from the seat of an entry."""
    if by:
        who = By(Entry.objects.get(competition=league, number=by).player_id, organiser=False)
    else:
        who = By(cast.person(f"Scorer {deal} {at}").pk, organiser=True)
    typed.enter(Where(league.pk, at, 1, deal), list(places), who)


def _losses(league: Competition) -> dict[int, int]:
    assert tallies.recompute(league.pk, write=False) == []
    assert ledger.first_broken(Competition.objects.get(pk=league.pk)) is None
    rows = PenaltyTally.objects.filter(competition=league, losses__gt=0)
    return dict(rows.values_list("entry__number", "losses"))


def test_loser_and_winner_swapped_is_one_tap_a_look_and_one_more() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1], [2], [3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    page = oskari.get(path).content.decode()
    looked = _press(oskari, path, page, "Winner and loser swapped")
    assert "What this would do" in looked
    assert "1. <bdi>Player 4</bdi>, 2. <bdi>Player 2</bdi>" in looked
    assert _losses(league) == {4: 1}
    made = _press(oskari, path, looked, "Do it", note="Aino rang")
    assert "Corrected" in made
    assert _losses(league) == {1: 1}
    row = LedgerRow.objects.get(kind="result.amended")
    assert (row.body["reason"], row.body["version"]) == ("swapped", 2)
    assert "Aino rang" in made
    assert "Aino rang" not in str(row.body)
    Note.objects.get().delete()
    assert "Aino rang" not in phone().get(path).content.decode()


def test_a_correction_is_undone_and_the_undo_is_undone() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    page = oskari.get(path).content.decode()
    page = _press(oskari, path, _press(oskari, path, page, "Player 2 was last instead"), "Do it")
    assert _losses(league) == {2: 1}
    for lost in ({4: 1}, {2: 1}, {4: 1}):
        looked = _press(oskari, path, page, "Undo the newest change")
        assert "what stood before" in looked
        page = _press(oskari, path, looked, "Do it")
        assert _losses(league) == lost
    assert re.findall(r"Version (\d+):", page) == ["1", "2", "3", "4", "5"]


def test_what_counts_nowhere_comes_back_by_undo() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    page = oskari.get(path).content.decode()
    page = _press(oskari, path, _press(oskari, path, page, "Let it count nowhere"), "Do it")
    assert _losses(league) == {}
    page = _press(oskari, path, _press(oskari, path, page, "Undo the newest change"), "Do it")
    assert _losses(league) == {4: 1}


def test_the_same_correction_sent_twice_is_one_version() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    looked = _press(oskari, path, oskari.get(path).content.decode(), "Player 2 was last instead")
    for _ in range(2):
        assert "Corrected" in _press(oskari, path, looked, "Do it")
    assert DealResult.objects.get().version == 2


def _two_rounds(league: Competition) -> None:
    for deal in (1, 2):
        _enter(league, deal, [1, 2, 3], [4])
    rounds.open(league.pk)


def test_a_typo_found_three_weeks_later_shows_the_later_tables_and_keeps_them() -> None:
    league = night(rounds=3, first_out=True, limit=2)
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 3], [4])
    _enter(league, 2, [1, 2, 4], [3])
    rounds.open(league.pk)
    _enter(league, 1, [1, 2, 3], [4], at=2)
    _enter(league, 2, [1, 2, 4], [3], at=2)
    league.refresh_from_db()
    assert league.state == "finished"
    path = f"/l/{league.slug}/deals/1/1/1/"
    looked = _press(oskari, path, oskari.get(path).content.decode(), "Player 1 was last instead")
    assert "Later tables stay as they are" in looked
    assert "Round 2, table 1" in looked
    before = Round.objects.count()
    _press(oskari, path, looked, "Do it and keep later tables")
    assert _losses(league) == {1: 1, 3: 2, 4: 1}
    assert Round.objects.count() == before
    page = oskari.get(path).content.decode()
    assert "Version 2" in page


def test_the_next_round_is_drawn_anew_where_nothing_of_it_has_begun() -> None:
    league = night(8, seating="standings", rounds=4, deals_per_table=1)
    oskari, _ = organiser_of(league.club)
    for table in league.rounds.get().tables.order_by("number"):
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        where = Where(league.pk, 1, table.number, 1)
        typed.enter(where, [seats[:3], seats[3:]], By(cast.person().pk, organiser=True))
    rounds.open(league.pk)
    path = f"/l/{league.slug}/deals/1/1/1/"
    page = oskari.get(path).content.decode()
    looked = _press(oskari, path, page, "was last instead")
    assert "Drawn anew, the next round would be" in looked
    (shown,) = re.findall(r"Round 3, table 1: (.*?)</li>", looked)
    _press(oskari, path, looked, "draw the next round anew")
    assert list(Round.objects.order_by("number").values_list("state", flat=True)) == [
        "closed",
        "void",
        "playing",
    ]
    seated = Round.objects.get(number=3).tables.get(number=1).seats.order_by("index")
    drawn = [seat.entry.player.name for seat in seated]
    assert re.findall("<bdi>(.*?)</bdi>", shown) == drawn


def test_a_round_that_has_begun_is_not_offered_to_be_drawn_anew() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _two_rounds(league)
    _enter(league, 1, [1, 2, 3], [4], at=2)
    path = f"/l/{league.slug}/deals/1/1/1/"
    looked = _press(oskari, path, oskari.get(path).content.decode(), "Player 1 was last instead")
    assert "has begun: keep it as it is" in looked
    assert "draw the next round anew" not in looked


def test_a_player_counted_twice_is_taken_out_of_one_of_both() -> None:
    league = night(8, deals_per_table=1)
    oskari, player = organiser_of(league.club)
    first, second = (
        list(t.seats.order_by("index").values_list("entry__number", flat=True))
        for t in Round.objects.get().tables.order_by("number")
    )
    by = By(player.pk, organiser=True)
    typed.enter(Where(league.pk, 1, 1, 1), [first[:3], first[3:]], by)
    typed.enter(Where(league.pk, 1, 2, 1), [[*second[:3], first[0]], second[3:]], by)
    path = f"/l/{league.slug}/deals/1/2/1/"
    page = oskari.get(path).content.decode()
    looked = _press(oskari, path, page, "is counted at another table too")
    _press(oskari, path, looked, "Do it")
    assert DealResult.objects.get(table__number=2).places == [sorted(second[:3]), second[3:]]
    tally = PenaltyTally.objects.get(competition=league, entry__number=first[0])
    assert tally.deals == 1
    assert "is counted at another table" not in oskari.get(path).content.decode()


def test_a_deal_that_was_told_twice_is_offered_to_count_nowhere() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    for deal in (1, 2):
        _enter(league, deal, [2], [1], [3], [4])
    path = f"/l/{league.slug}/deals/1/1/2/"
    looked = _press(oskari, path, oskari.get(path).content.decode(), "Deal 1 was told alike")
    _press(oskari, path, looked, "Do it")
    assert _losses(league) == {4: 1}


def test_a_dispute_lists_what_each_would_make_of_it_and_is_ruled_with_a_look() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 3], [4], by=1)
    by = By(Entry.objects.get(competition=league, number=2).player_id, organiser=False)
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 4], [3]], by, seen=1)
    page = oskari.get(f"/l/{league.slug}/disputes/").content.decode()
    assert "if Player 4 lost it, Player 4 has one chip" in page
    path = f"/l/{league.slug}/deals/1/1/1/"
    assert "<bdi>Player 2</bdi>: <bdi>Player 3</bdi> was last" in oskari.get(path).content.decode()
    (ruling,) = re.findall(r'value="(1,2,4/3)"', page)
    looked = oskari.post(
        path, {"what": "correct", "reason": "ruling", "seen": 1, "places": ruling}
    ).content.decode()
    _press(oskari, path, looked, "Do it")
    assert _losses(league) == {3: 1}
    assert LedgerRow.objects.get(kind="result.ruled").body["reason"] == "ruling"
    assert "Nothing is in dispute" in oskari.get(f"/l/{league.slug}/disputes/").content.decode()


def test_a_ruling_by_somebody_of_the_table_is_marked() -> None:
    league = night()
    oskari, player = organiser_of(league.club)
    Entry.objects.filter(competition=league, number=4).update(player=player)
    _enter(league, 1, [1, 2, 3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    looked = _press(oskari, path, oskari.get(path).content.decode(), "Player 2 was last instead")
    assert "by somebody of this table" in _press(oskari, path, looked, "Do it")


def test_others_read_the_versions_and_correct_nothing() -> None:
    league = night()
    _enter(league, 1, [1, 2, 3], [4])
    path = f"/l/{league.slug}/deals/1/1/1/"
    page = phone().get(path).content.decode()
    assert "Version 1" in page
    assert "Correct it" not in page
    assert phone().post(path, {"what": "void", "step": "make", "seen": 1}).status_code == 404
    keeper, _ = organiser_of(league.club, "scorekeeper", "Otto")
    assert keeper.post(path, {"what": "void", "step": "make", "seen": 1}).status_code == 404
    for page_of in ("disputes", "chips", "acts"):
        assert phone().get(f"/l/{league.slug}/{page_of}/").status_code == 404
    assert phone().get(f"/l/{league.slug}/deals/1/1/9/").status_code == 404


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"what": "correct", "places": "1/1", "seen": "1"},
        {"what": "correct", "places": "1/99", "seen": "1"},
        {"what": "correct", "places": "1,2,3/4", "seen": "7"},
        {"what": "undo", "seen": "1"},
        {"what": "void", "seen": "x"},
    ],
)
@pytest.mark.parametrize("step", ["preview", "make"])
def test_nonsense_is_refused_and_changes_nothing(form: dict[str, str], step: str) -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    _enter(league, 1, [1, 2, 4], [3])
    path = f"/l/{league.slug}/deals/1/1/1/"
    answer = oskari.post(path, {**form, "step": step}, follow=True)
    assert answer.status_code == 200
    assert "notice error" in answer.content.decode()
    assert DealResult.objects.get().version == 1


def _queries(ask: Callable[[], object]) -> int:
    ask()
    with CaptureQueriesContext(
        connection,
    ) as counted:
        ask()
    return len(counted)


def test_disputes_take_as_many_queries_for_ten_as_for_one() -> None:
    league = night(deals_per_table=12)
    oskari, _ = organiser_of(league.club)

    def dispute(deal: int) -> None:
        _enter(league, deal, [1, 2, 3], [4], by=1)
        by = By(Entry.objects.get(competition=league, number=2).player_id, organiser=False)
        typed.enter(Where(league.pk, 1, 1, deal), [[1, 2, 4], [3]], by, seen=1)

    dispute(1)
    one = _queries(lambda: oskari.get(f"/l/{league.slug}/disputes/"))
    for deal in range(2, 12):
        dispute(deal)
    assert _queries(lambda: oskari.get(f"/l/{league.slug}/disputes/")) == one
