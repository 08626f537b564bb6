"""A night from plan to end: who comes, who sits where, who deals, what is open."""

from datetime import UTC, datetime, timedelta

import pytest

from games.services.players import make_nameless
from league.errors import (
    BadSeatError,
    NightBusyError,
    NightClosedError,
    RoundBegunError,
    TooFewHereError,
)
from league.models import Attendance, Club, Entry, LedgerRow, Night, Round, Table, TableSeat
from league.queries import dealers
from league.services import attendance, night_plans, night_seats, nights, timers
from league.services.night_plans import Plan
from league.services.typed_tables import Where as TableWhere
from tests.league.night.cast import (
    ACTOR,
    MONDAY,
    again,
    enter,
    here,
    league,
    night,
    opened,
    player,
    playing,
    says,
    seats,
    sound,
)

pytestmark = pytest.mark.django_db(transaction=True)
State = Attendance.State


def test_a_series_keeps_its_wall_time_over_a_change_of_clocks() -> None:
    made = league()
    first = datetime(2027, 3, 22, 19)
    planned = night_plans.plan(made.pk, Plan(first, count=2, place="Kallio"), ACTOR)
    assert [one.starts_at for one in planned] == [
        datetime(2027, 3, 22, 17, tzinfo=UTC),
        datetime(2027, 3, 29, 16, tzinfo=UTC),
    ]
    assert [str(one.day) for one in planned] == ["2027-03-22", "2027-03-29"]


def test_nights_are_in_the_zone_of_the_club() -> None:
    made = league()
    Club.objects.filter(pk=made.club_id).update(zone="America/New_York")
    (one,) = night_plans.plan(made.pk, Plan(datetime(2027, 1, 4, 22)), ACTOR)
    assert one.starts_at == datetime(2027, 1, 5, 3, tzinfo=UTC)
    assert str(one.day) == "2027-01-04"


def test_a_night_planned_twice_is_there_once() -> None:
    made = league()
    night_plans.plan(made.pk, Plan(MONDAY, count=3), ACTOR)
    assert len(night_plans.plan(made.pk, Plan(MONDAY, count=4), ACTOR)) == 1
    assert list(Night.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_only_who_is_there_is_seated() -> None:
    made = league(9)
    where = opened(made, [1, 2, 3, 5, 6, 7, 9])
    nights.seat(where, ACTOR)
    drawn = playing(where)
    assert sorted(n for table in seats(drawn) for n in table) == [1, 2, 3, 5, 6, 7, 9]
    assert [len(table) for table in seats(drawn)] == [4, 3]
    assert drawn.draw["night"] == 1
    sound(made)


def test_who_comes_late_sits_apart_where_three_can_begin() -> None:
    made = league(8)
    where = opened(made, [1, 2, 3, 4, 5, 6])
    for late in (7, 8):
        says(where, late, State.LATE, datetime(2100, 1, 1, tzinfo=UTC))
    nights.seat(where, ACTOR)
    tables = seats(playing(where))
    assert [len({7, 8} & set(table)) for table in tables] == [1, 1]
    assert [len(set(table) - {7, 8}) for table in tables] == [3, 3]
    away = TableSeat.objects.filter(away=True).values_list("entry__number", flat=True)
    assert sorted(away) == [7, 8]
    here(where, 8)
    assert TableSeat.objects.get(away=True).entry.number == 7
    sound(made)


def test_a_seat_is_kept_until_its_time_and_no_longer() -> None:
    made = league(4)
    where = opened(made, [1, 2, 3])
    says(where, 4, State.LATE, datetime(2020, 1, 1, tzinfo=UTC))
    nights.seat(where, ACTOR)
    assert seats(playing(where)) == [seats(playing(where))[0]]
    assert 4 not in seats(playing(where))[0]


def test_one_alone_is_not_seated() -> None:
    where = opened(league(4), [1])
    with pytest.raises(TooFewHereError):
        nights.seat(where, ACTOR)


def test_a_night_opens_the_league_without_a_draw_and_one_at_a_time() -> None:
    made = league(4)
    first, second = night(made), night(made, MONDAY + timedelta(days=1))
    with pytest.raises(NightClosedError):
        here(first, 1)
    nights.begin(first, ACTOR)
    assert again(made).state == "running"
    assert not Round.objects.exists()
    with pytest.raises(NightBusyError):
        nights.begin(second, ACTOR)


def test_a_guest_of_one_night_is_there_with_one_tap() -> None:
    made = league(3)
    where = opened(made, [1, 2, 3])
    added = attendance.add_guest(where.competition_id, 1, "Vieras", player(where, 1).pk)
    nights.seat(where, ACTOR)
    assert sorted(seats(playing(where))[0]) == [1, 2, 3, added.entry.number]
    assert added.entry.player.kind == "guest"
    sound(made)


def test_a_seating_is_drawn_anew_until_something_was_played() -> None:
    made = league(8)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    first = seats(playing(where))
    says(where, 8, State.LEFT)
    nights.seat_anew(where, ACTOR)
    assert playing(where).number == 2
    assert 8 not in [n for table in seats(playing(where)) for n in table]
    assert first != seats(playing(where))
    enter(where, 1, 1, seats(playing(where))[0][0])
    with pytest.raises(RoundBegunError):
        nights.seat_anew(where, ACTOR)
    sound(made)


def test_seats_are_moved_and_swapped_and_the_ledger_has_them() -> None:
    made = league(8)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    one, two = seats(playing(where))
    night_seats.move(made.pk, one[0], 2, ACTOR)
    assert seats(playing(where)) == [one[1:], [*two, one[0]]]
    night_seats.swap(made.pk, one[1], two[0], ACTOR)
    assert seats(playing(where)) == [[two[0], *one[2:]], [one[1], *two[1:], one[0]]]
    row = LedgerRow.objects.filter(kind="round.redrawn").latest("seq")
    assert row.body["tables"] == seats(playing(where))
    sound(made)


def test_each_deal_is_scored_with_the_seats_it_had() -> None:
    made = league(7, deals_per_table=2)
    where = opened(made, range(1, 8))
    nights.seat(where, ACTOR)
    four, three = seats(playing(where))
    enter(where, 1, 1, four[0])
    enter(where, 2, 1, three[0])
    night_seats.move(made.pk, four[1], 2, ACTOR)
    enter(where, 1, 2, four[0])
    enter(where, 2, 2, four[1])
    rows = LedgerRow.objects.filter(kind="result.confirmed").order_by("seq")
    played = [sorted(n for group in row.body["places"] for n in group) for row in rows]
    left = sorted(set(four) - {four[1]})
    assert played == [sorted(four), sorted(three), left, sorted([*three, four[1]])]
    assert Round.objects.get().state == "closed"
    sound(made)


def test_who_joins_sits_down_between_two_deals_and_who_leaves_keeps_his_chair() -> None:
    made = league(5, deals_per_table=3)
    where = opened(made, [1, 2, 3, 4])
    nights.seat(where, ACTOR)
    enter(where, 1, 1, 2)
    here(where, 5)
    night_seats.move(made.pk, 5, 1, ACTOR)
    enter(where, 1, 2, 5)
    says(where, 3, State.LEFT)
    enter(where, 1, 3, 1)
    rows = LedgerRow.objects.filter(kind="result.confirmed").order_by("seq")
    played = [sorted(n for group in row.body["places"] for n in group) for row in rows]
    assert played == [[1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 4, 5]]
    sound(made)


def _dealer(where_round: Round, number: int = 1) -> int | None:
    table = Table.objects.select_related("round__competition").get(round=where_round, number=number)
    return dealers.next_dealer(table)


def test_the_loser_deals_and_if_he_has_left_who_sits_on_his_left() -> None:
    made = league(4, deals_per_table=6)
    where = opened(made, range(1, 5))
    nights.seat(where, ACTOR)
    drawn = playing(where)
    (circle,) = seats(drawn)
    assert _dealer(drawn) == circle[0]
    enter(where, 1, 1, circle[2])
    assert _dealer(drawn) == circle[2]
    says(where, circle[2], State.LEFT)
    assert _dealer(drawn) == circle[3]
    here(where, circle[2])
    enter(where, 1, 2, circle[3])
    night_seats.set_dealer(TableWhere(made.pk, drawn.number, 1, 1), circle[1], ACTOR)
    assert _dealer(drawn) == circle[1]
    enter(where, 1, 3, circle[0])
    assert _dealer(drawn) == circle[0]
    sound(made)


def test_the_dealer_who_changes_tables_leaves_the_deal_to_his_left() -> None:
    made = league(8, deals_per_table=3)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    drawn = playing(where)
    one, _ = seats(drawn)
    enter(where, 1, 1, one[3])
    night_seats.move(made.pk, one[3], 2, ACTOR)
    assert _dealer(drawn) == one[0]
    sound(made)


def test_only_who_plays_the_next_deal_can_deal_it() -> None:
    made = league(4)
    where = opened(made, range(1, 4))
    nights.seat(where, ACTOR)
    with pytest.raises(BadSeatError):
        night_seats.set_dealer(TableWhere(made.pk, 1, 1, 1), 4, ACTOR)


def test_a_night_closes_with_what_there_is_once_that_is_said() -> None:
    made = league(8, deals_per_table=2)
    where = opened(made, range(1, 9))
    nights.seat(where, ACTOR)
    one, _ = seats(playing(where))
    enter(where, 1, 1, one[0])
    with pytest.raises(NightBusyError) as refused:
        nights.close(where, ACTOR)
    assert refused.value.data["open"] == [
        "table 1: 1 of 2 deals to play",
        "table 2: 2 of 2 deals to play",
    ]
    nights.close(where, ACTOR, force=True)
    assert list(Table.objects.order_by("number").values_list("state", flat=True)) == [
        "done",
        "void",
    ]
    assert Night.objects.get().state == "closed"
    assert Round.objects.get().state == "closed"
    sound(made)
    second = opened(made, range(1, 9))
    nights.seat(second, ACTOR)
    sound(made)


def test_a_night_has_as_many_rounds_as_are_planned() -> None:
    made = league(4, next_round="at_once", rounds_per_night=2)
    where = opened(made, range(1, 5))
    nights.seat(where, ACTOR)
    for _ in range(2):
        enter(where, 1, 1, 1)
    assert Round.objects.filter(state="closed").count() == 2
    assert not Round.objects.filter(state="playing").exists()
    sound(made)


def test_the_clock_runs_stands_and_goes_on() -> None:
    made = league(4)
    where = opened(made, [1, 2])
    assert timers.start(made.pk, 1, 30, ACTOR).timer_ends_at is not None
    stopped = timers.stop(made.pk, 1, ACTOR)
    assert stopped.timer_left_s is not None and 1700 < stopped.timer_left_s <= 1800
    assert timers.start(made.pk, 1, None, ACTOR).timer_left_s is None
    nights.close(where, ACTOR)
    assert Night.objects.get().timer_ends_at is None


def test_a_member_without_a_name_any_more_does_not_stop_the_night() -> None:
    made = league(4)
    where = opened(made, range(1, 5))
    nights.seat(where, ACTOR)
    gone = Entry.objects.get(competition=made, number=2).player
    make_nameless(gone)
    enter(where, 1, 1, 2)
    nights.close(where, ACTOR)
    sound(made)
