"""A table plays its deals with rotated seats, replays stalemates, breaks ties that matter."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from league.formats.deals import DealPlan, Played, TablePlan, next_deal, order
from league.formats.settings import Dealer
from league.formats.tallying import UNIT, Sums, deal_sums, total


def _plan(deals: int = 3, advance: int = 1) -> TablePlan:
    return TablePlan(seats=(7, 8, 9), ranks=(3, 1, 2), deals=deals, advance=advance)


def _played(number: int, *places: int, redeal: int = 0, ending: str = "over") -> Played:
    return Played(number, redeal, tuple((number_,) for number_ in places), ending)


def test_every_entry_has_every_seat_once_in_as_many_deals() -> None:
    played: list[Played] = []
    seats = []
    while (deal := next_deal(_plan(), played)) is not None:
        seats.append(deal.seats)
        played.append(_played(deal.number, 7, 8, 9))
    assert seats == [(8, 9, 7), (9, 7, 8), (7, 8, 9)]


def test_a_stalemate_is_dealt_anew_three_times_and_then_stands() -> None:
    played: list[Played] = []
    for redeal in range(4):
        assert next_deal(_plan(), played) == DealPlan(1, redeal, (8, 9, 7))
        played.append(Played(1, redeal, ((7,), (8, 9)), "stalemate"))
    assert next_deal(_plan(), played) == DealPlan(2, 0, (9, 7, 8))
    assert deal_sums(played[-1].places, 1, 1)[9].losses == 1
    assert deal_sums(played[-1].places, 1, 1)[8].losses == 1


def test_fewest_losses_then_the_sum_of_places_make_the_order() -> None:
    played = [_played(1, 7, 8, 9), _played(2, 9, 8, 7), _played(3, 9, 7, 8)]
    assert order(_plan(), played) == (9, 7, 8)


def test_a_tie_for_who_goes_on_is_played_out_by_those_who_tie() -> None:
    played = [_played(1, 7, 8, 9), _played(2, 8, 7, 9)]
    sudden = next_deal(_plan(deals=2), played)
    assert sudden == DealPlan(3, 0, (8, 7))
    played.append(_played(3, 7, 8))
    assert next_deal(_plan(deals=2), played) is None
    assert order(_plan(deals=2), played) == (7, 8, 9)


def test_a_tie_that_decides_nothing_is_left_to_the_seed() -> None:
    played = [_played(1, 7, 8, 9), _played(2, 7, 9, 8)]
    assert next_deal(_plan(deals=2), played) is None
    assert order(_plan(deals=2), played) == (7, 8, 9)


def test_where_the_loser_deals_the_seats_go_round_from_his_left() -> None:
    plan = replace(_plan(), dealer=Dealer.LOSER)
    assert next_deal(plan, []) == DealPlan(1, 0, (8, 9, 7))
    first = _played(1, 7, 9, 8)
    assert next_deal(plan, [first]) == DealPlan(2, 0, (9, 7, 8))
    nobody = Played(2, 0, ((7, 8, 9),), "stalemate", replayed=False)
    assert next_deal(plan, [first, nobody]) == DealPlan(3, 0, (9, 7, 8))
    two = Played(2, 0, ((8,), (7, 9)), "stalemate", replayed=False)
    assert next_deal(plan, [first, two]) == DealPlan(3, 0, (7, 8, 9))


def test_a_loser_who_does_not_play_the_sudden_death_leaves_the_deal_to_his_left() -> None:
    plan = replace(_plan(deals=2), dealer=Dealer.LOSER)
    played = [_played(1, 7, 8, 9), _played(2, 8, 7, 9)]
    assert next_deal(plan, played) == DealPlan(3, 0, (8, 7))


def test_sudden_death_has_a_cap_and_then_the_seed_decides() -> None:
    plan = TablePlan((7, 8), (2, 1), deals=2, advance=1, sudden_deaths=2)
    played = [_played(1, 7, 8), _played(2, 8, 7)]
    while (deal := next_deal(plan, played)) is not None:
        played.append(Played(deal.number, deal.redeal, ((7, 8),), "ply_cap"))
    assert len(played) == 2 + 2 * 4
    assert order(plan, played) == (8, 7)


@given(st.integers(2, 6), st.integers(1, 8), st.data())
def test_every_table_ends_with_a_total_order(size: int, deals: int, data: st.DataObject) -> None:
    plan = TablePlan(
        tuple(range(size)), tuple(range(size)), deals, data.draw(st.integers(1, size - 1))
    )
    played: list[Played] = []
    while (deal := next_deal(plan, played)) is not None:
        shuffled = data.draw(st.permutations(deal.seats))
        ending = data.draw(st.sampled_from(["over", "stalemate"]))
        cut = len(shuffled) - (2 if ending == "stalemate" else 1)
        groups = (*((n,) for n in shuffled[:cut]), tuple(shuffled[cut:]))
        played.append(Played(deal.number, deal.redeal, groups, ending))
        assert sorted(deal.seats) == sorted(set(deal.seats))
        assert len(played) < (deals + 3) * 4 + 1
    assert sorted(order(plan, played)) == list(plan.seats)


def test_sums_do_not_depend_on_the_order_of_deals() -> None:
    parts = [deal_sums(((1,), (2,), (3,)), 1, 1), deal_sums(((3,), (1, 2)), 1, 2)]
    assert total(parts) == total(parts[::-1])
    assert total(parts)[2] == Sums(
        losses=1,
        deals=2,
        first_places=0,
        fair_losses=2 * UNIT // 3,
        percentiles=UNIT // 2 + UNIT // 2,
        last_loss=1002,
    )
