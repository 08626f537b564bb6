"""The end of a season: out together, limit and deals at once, a table that still plays, a play-off;
what a night away costs, and where a document takes it."""

import json

import pytest

from league.models import (
    Attendance,
    Competition,
    Entry,
    Membership,
    Night,
    Round,
    Table,
)
from league.queries.standings import standings
from league.services import attendance, guests, members, nights, restoring
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_restoring import _plain
from tests.league.night.cast import (
    ACTOR,
    again,
    chips,
    enter,
    here,
    league,
    opened,
    playing,
    seats,
    sound,
)

pytestmark = pytest.mark.django_db(transaction=True)


def _places(made: Competition) -> dict[int, int | None]:
    return dict(Entry.objects.filter(competition=made).values_list("number", "place"))


def _lose(where: nights.Where, *losers: int) -> None:
    """One round in which these are last, each at his table."""
    nights.seat(where, ACTOR)
    for number, table in enumerate(seats(playing(where)), start=1):
        last = next((n for n in losers if n in table), None)
        if last is not None:
            enter(where, number, 1, last)
    if Round.objects.filter(competition=where.competition_id, state="playing").exists():
        nights.end_round(where, ACTOR, force=True)


def test_two_who_go_out_in_one_round_share_a_place() -> None:
    made = league(8, limit=1, after_out="leaves", nights=None)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    one, two = seats(playing(where))
    enter(where, 1, 1, one[0])
    enter(where, 2, 1, two[0])
    places = _places(made)
    assert (places[one[0]], places[two[0]]) == (7, 7)
    nights.seat(where, ACTOR)
    assert not {one[0], two[0]} & {n for table in seats(playing(where)) for n in table}
    sound(made)


def test_all_who_are_left_go_out_together_and_share_the_win() -> None:
    made = league(2, limit=1, after_out="leaves", nights=None, chips="progressive")
    Competition.objects.filter(pk=made.pk).update(
        settings={**made.settings, "chips": {"2": [1, 1]}}
    )
    where = opened(made, [1, 2])
    nights.seat(where, ACTOR)
    enter(where, 1, 1, 2)
    assert _places(made) == {1: 1, 2: 1}
    assert again(made).state == "finished"
    sound(made)


def test_out_after_the_deal_whoever_is_last_leaves_the_table_at_once() -> None:
    made = league(4, limit=1, after_out="leaves", out_at="deal", deals_per_table=6, nights=None)
    where = opened(made, range(1, 5))
    nights.seat(where, ACTOR)
    (circle,) = seats(playing(where))
    for deal, last in enumerate(circle[:3], start=1):
        enter(where, 1, deal, last)
    places = _places(made)
    assert [places[number] for number in circle] == [4, 3, 2, 1]
    assert again(made).state == "finished"
    sound(made)


def test_limit_and_number_of_deals_are_reached_together() -> None:
    made = league(4, word="PA", first_out=True, deals=2, nights=None)
    where = opened(made, range(1, 5))
    for _ in range(2):
        _lose(where, 3)
    assert again(made).state == "finished"
    assert _places(made)[3] == 4
    sound(made)


def test_the_season_ends_with_its_last_table_after_its_last_night() -> None:
    made = league(8, nights=1)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    one, _ = seats(playing(where))
    enter(where, 1, 1, one[0])
    nights.close(where, ACTOR, force=True)
    assert again(made).state == "finished"
    assert Table.objects.get(number=2).state == "void"
    sound(made)


def test_who_shares_the_win_plays_for_it_and_that_counts_for_nothing_else() -> None:
    made = league(4, playoff=True, nights=1, deals_per_table=2)
    where = opened(made, range(1, 5))
    nights.seat(where, ACTOR)
    enter(where, 1, 1, 1)
    enter(where, 1, 2, 2)
    nights.close(where, ACTOR)
    tied = Round.objects.get(state="playing")
    assert tied.draw["tied"] == [3, 4]
    before = chips(made)
    enter(where, 1, 1, 3)
    assert again(made).state == "finished"
    assert _places(made)[4] == 1
    assert _places(made)[3] == 2
    assert chips(made) == before
    assert [row.entry.number for row in standings(again(made))][:2] == [4, 3]
    sound(made)


def test_a_night_away_costs_what_was_agreed_after_the_free_ones() -> None:
    made = league(4, word="PASKA", first_out=True, absence="chips", nights_free=1, nights=9)
    for _ in range(3):
        where = opened(made, [1, 2, 3])
        _lose(where, 1)
        nights.close(where, ACTOR)
    assert chips(made) == {1: 3, 4: 2}
    sound(made)


def test_a_night_away_costs_the_mean_of_those_who_came() -> None:
    made = league(4, word="PASKA", first_out=True, absence="expected", nights=9)
    where = opened(made, [1, 2, 3])
    for _ in range(3):
        _lose(where, 1)
    nights.close(where, ACTOR)
    assert chips(made) == {1: 3, 4: 1}
    sound(made)


def test_who_has_hardly_played_is_ranked_behind() -> None:
    made = league(5, ranked_from=50, nights=9)
    for there in ([1, 2, 3, 4, 5], [1, 2, 3, 4], [1, 2, 3, 4]):
        where = opened(made, there)
        _lose(where, 1)
        nights.close(where, ACTOR)
    rows = standings(again(made))
    assert rows[-1].entry.number == 5
    assert rows[-2].ranked.reason is not None
    assert rows[-2].ranked.reason.code == "attendance"
    sound(made)


def test_the_best_nights_of_each_count() -> None:
    made = league(4, best_of=2, nights=9)
    for last in (1, 1, 2, 3):
        where = opened(made, [1, 2, 3, 4])
        _lose(where, last)
        nights.close(where, ACTOR)
    assert chips(made) == {}
    assert [row.ranked.line.sums.deals for row in standings(again(made))] == [2, 2, 2, 2]
    sound(made)


def test_unequal_numbers_of_deals_are_ranked_by_the_loss_ratio() -> None:
    """He who comes every other night takes fewer chips, and does not win by that."""
    made = league(4, nights=9)
    for night, last in enumerate([4, 1, 2, 3, 4, 1]):
        where = opened(made, [1, 2, 3, 4] if night % 2 == 0 else [1, 2, 3])
        _lose(where, last)
        nights.close(where, ACTOR)
    rows = standings(again(made))
    assert chips(made) == {1: 2, 2: 1, 3: 1, 4: 2}
    assert rows[0].ranked.reason is None or rows[0].ranked.reason.code
    assert rows[-1].entry.number == 4
    sound(made)


def test_a_guest_of_one_night_who_turns_out_to_be_a_member_keeps_his_results() -> None:
    made = league(3)
    where = opened(made, [1, 2, 3])
    owner = cast.person("Owner")
    Membership.objects.create(club=made.club, player=owner, role="owner")
    bertil = members.add_guest(made.club_id, "Bertil", owner.pk).player
    added = attendance.add_guest(made.pk, 1, "B.", owner.pk)
    _lose(where, added.entry.number)
    guests.merge(made.club_id, added.entry.player_id, bertil.pk, owner.pk)
    assert Entry.objects.get(pk=added.entry_id).player == bertil
    assert chips(made) == {added.entry.number: 1}
    nights.close(where, ACTOR)
    sound(made)


def test_eleven_at_tables_of_four_meet_again_and_the_ledger_says_that_it_must_be() -> None:
    made = league(11)
    where = opened(made, range(1, 12))
    for _ in range(2):
        _lose(where, 1)
    drawn = Round.objects.order_by("number").last()
    assert drawn is not None
    assert [len(table) for table in seats(drawn)] == [4, 4, 3]
    assert drawn.draw["repeats"] > 0
    assert drawn.draw["proof"] in ("bound", "searched")
    sound(made)


def test_a_season_of_nights_is_the_same_after_it_was_moved() -> None:
    made = league(5, nights=1, deals_per_table=1)
    where = opened(made, [1, 2, 3, 4])
    here(where, 5)
    _lose(where, 2)
    nights.close(where, ACTOR, force=True)
    first = document(made)
    moved = restoring.restore(cast.club("elsewhere").pk, json.dumps(first))
    assert Night.objects.filter(competition=moved).count() == 1
    assert Attendance.objects.filter(night__competition=moved).count() == 5
    again_, told = _plain(document(moved)), _plain(first)
    for part in ("nights", "rounds", "stages", "ledger", "rules"):
        assert again_[part] == told[part]
    sound(moved)
