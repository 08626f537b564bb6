"""The ledger in words, filtered and by pages; who did what; chips by hand; the page of a league."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.kit import clock
from league.formats.against import against
from league.models import Competition, Format, LedgerRow, PenaltyTally, Round
from league.services import competitions, deal_corrections, rounds, tallies, typed
from league.services.deal_corrections import Change
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.club.browser import organiser_of, phone
from tests.league.nights import night

pytestmark = pytest.mark.django_db(transaction=True)


def _oskari() -> By:
    return By(cast.person("Tuomari").pk, organiser=True)


def _says(league: Competition, query: str = "", page: str = "ledger/") -> str:
    answer = phone().get(f"/l/{league.slug}/{page}{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def _numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<li id="row-(\d+)"', page)]


def test_each_row_is_in_words_and_a_correction_is_marked_and_leads_to_what_it_replaced() -> None:
    league = night()
    by = _oskari()
    where = Where(league.pk, 1, 1, 1)
    typed.enter(where, [[1, 2, 3], [4]], by)
    deal_corrections.make(Change(where, "typo", 1, [[1, 2, 4], [3]]), by)
    league.refresh_from_db()
    page = _says(league)
    assert "<bdi>Player 1</bdi> enters" in page
    assert "seated: table 1:" in page
    assert "Round 1, table 1, deal 1" in page
    assert "corrected: <bdi>Player 3</bdi> was last" in page
    assert '<span class="badge warn">correction</span> <span class="badge">typo</span>' in page
    amended = LedgerRow.objects.get(kind="result.amended").seq
    assert f"told anew in {amended}" in page
    assert bytes(league.ledger_head).hex() in page
    assert _numbers(page) == list(range(league.ledger_seq, 0, -1))


def test_rows_are_filtered_by_player_kind_and_night() -> None:
    league = night(8, deals_per_table=1, rounds=3)
    by = _oskari()
    tables = list(Round.objects.get().tables.order_by("number"))
    seats = [list(t.seats.values_list("entry__number", flat=True)) for t in tables]
    for at, sat in enumerate(seats, start=1):
        typed.enter(Where(league.pk, 1, at, 1), [sat[:3], sat[3:]], by)
    rounds.open(league.pk)
    Round.objects.filter(number=2).update(created_at=clock.now() + timedelta(days=7))
    mine, other = seats[0][0], seats[1][0]
    kinds = {row.seq: row for row in LedgerRow.objects.all()}
    shown = [kinds[seq] for seq in _numbers(_says(league, f"?player={mine}&kind=results"))]
    assert [row.body["table"] for row in shown] == [1]
    shown = [kinds[seq] for seq in _numbers(_says(league, f"?player={mine}"))]
    assert {row.kind for row in shown} == {"entry.added", "round.drawn", "result.confirmed"}
    assert all(row.body.get("entry") != other for row in shown)
    page = _says(league)
    first, second = sorted(re.findall(r'value="(\d{4}-\d\d-\d\d)"', page))
    assert {kinds[n].body["round"] for n in _numbers(_says(league, f"?night={first}"))} == {1}
    assert {kinds[n].body["round"] for n in _numbers(_says(league, f"?night={second}"))} == {2}
    for nonsense in ("?night=x", "?kind=y"):
        assert phone().get(f"/l/{league.slug}/ledger/{nonsense}").status_code == 404
    assert _numbers(_says(league, "?player=x")) == _numbers(page)


def test_who_is_out_is_found_by_number_and_not_by_place() -> None:
    league = night(format="strikes", limit=1)
    typed.enter(Where(league.pk, 1, 1, 1), [[2, 3, 4], [1]], _oskari())
    typed.enter(Where(league.pk, 1, 1, 2), [[2, 3, 4], [1]], _oskari())
    row = LedgerRow.objects.filter(kind="elimination").first()
    assert row is not None
    ((number, place), *_) = row.body["entries"]
    assert (number, place) == (1, 4)
    assert row.seq in _numbers(_says(league, "?player=1&kind=chips"))
    assert row.seq not in _numbers(_says(league, "?player=4&kind=chips"))


def test_chips_by_hand_are_given_and_revoked_on_a_page() -> None:
    league = night()
    oskari, _ = organiser_of(league.club)
    path = f"/l/{league.slug}/chips/"
    player = league.entries.get(number=2).player_id
    form = {"player": player, "chips": "2", "reason": "late", "note": "Bussi", "key": "abc"}
    for _ in range(2):
        assert "Written into the ledger." in oskari.post(path, form, follow=True).content.decode()
    assert PenaltyTally.objects.get(entry__number=2).chips == 2
    row = LedgerRow.objects.get(kind="chip")
    assert "Bussi" not in str(row.body)
    assert "<bdi>Player 2</bdi> takes 2 chips" in _says(league)
    page = oskari.post(path, {"revoke": row.seq}, follow=True).content.decode()
    assert '<span class="badge">revoked</span>' in page
    assert PenaltyTally.objects.get(entry__number=2).chips == 0
    assert tallies.recompute(league.pk, write=False) == []
    for bad in ({"player": player, "chips": "0"}, {"player": 0, "chips": 1}, {"revoke": 1}, {}):
        assert "notice error" in oskari.post(path, bad, follow=True).content.decode()


def test_who_did_what_is_told_to_organisers_by_name() -> None:
    league = night()
    oskari, player = organiser_of(league.club)
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 3], [4]], By(player.pk, organiser=True))
    page = oskari.get(f"/l/{league.slug}/acts/").content.decode()
    assert "<bdi>Oskari</bdi> confirmed a result · round 1, table 1, deal 1" in page
    keeper, _ = organiser_of(league.club, "scorekeeper", "Otto")
    assert keeper.get(f"/l/{league.slug}/acts/").status_code == 404


def test_a_rehearsal_is_seen_by_its_club_alone() -> None:
    league = night()
    new = competitions.NewCompetition(
        name="Try", kind=Competition.Kind.LEAGUE, format=Format.ROUNDS, rehearsal=True
    )
    tried = competitions.create(league.club_id, new)
    oskari, _ = organiser_of(league.club)
    for page in ("", "ledger/"):
        assert phone().get(f"/l/{tried.slug}/{page}").status_code == 404
        assert oskari.get(f"/l/{tried.slug}/{page}").status_code == 200


def test_the_page_of_a_league_says_why_draws_the_chips_and_who_is_last_against_whom() -> None:
    league = night(rounds=4, deals_per_table=1, word="PASKA")
    by = _oskari()
    for number, last in ((1, 4), (2, 4), (3, 3)):
        others = [n for n in (1, 2, 3, 4) if n != last]
        typed.enter(Where(league.pk, number, 1, 1), [others, [last]], by)
        if number < 3:
            rounds.open(league.pk)
    typed.enter(Where(league.pk, 3, 1, 1), [[1, 3, 4], [2]], by, seen=1)
    page = _says(league, page="")
    assert "fewer chips: 1 against 2." in page
    assert "Below <bdi>Player 2</bdi>. Above Player 4: fewer chips: 1 against 2." in page
    assert "Level in every step with the next one: the place is shared." in page
    assert "<title>Chips of Player 4 round by round</title><desc>1, 2, 2</desc>" in page
    assert page.count('<svg class="spark"') == 4
    assert '<td class="shade-5">2/3</td>' in page
    assert '<span class="badge">corrected</span>' in page
    assert "style=" not in page


def test_who_is_last_together_is_not_last_against_each_other() -> None:
    found = against([((1, 2), (3, 4)), ((1, 2, 3, 4),)])
    assert (found.last[3, 1], found.last[3, 4], found.together[3, 4]) == (1, 0, 2)


def _queries(client: Client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(connection) as counted:
        client.get(path)
    return len(counted)


def _season(seats: int, deals: int) -> Competition:
    """A league that has played a round, and corrected its first deal."""
    league = night(seats, club=f"club-{seats}", deals_per_table=deals, rounds=3, seating="random")
    by = By(cast.person().pk, organiser=True)
    for table in Round.objects.get(competition=league).tables.order_by("number"):
        sat = list(table.seats.values_list("entry__number", flat=True))
        for deal in range(1, deals + 1):
            typed.enter(Where(league.pk, 1, table.number, deal), [sat[:-1], sat[-1:]], by)
        where = Where(league.pk, 1, table.number, 1)
        deal_corrections.make(Change(where, "typo", 1, [sat[1:], sat[:1]]), by)
    return league


@pytest.mark.parametrize(
    "page", ["", "ledger/", "acts/", "chips/", "deals/1/1/1/", "ledger/?kind=results"]
)
def test_a_page_takes_as_many_queries_for_a_hundred_deals_as_for_ten(page: str) -> None:
    counts = []
    for seats, deals in ((8, 5), (40, 10)):
        league = _season(seats, deals)
        oskari, _ = organiser_of(league.club)
        counts.append(_queries(oskari, f"/l/{league.slug}/{page}"))
    assert counts[0] == counts[1]
