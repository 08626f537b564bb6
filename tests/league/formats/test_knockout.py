"""Draws of every size end with one winner, seat nobody twice and are level."""

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats.field import Cost, Draw, Entrant, Field, TableDone
from league.formats.grouping import Proof, level
from league.formats.knockout import close, draw, tables
from league.formats.lots import seeding, shuffled
from league.formats.settings import Settings

SHAPES = [(size, advance) for size in range(2, 7) for advance in range(1, size)]


def _field(entrants: Iterable[Entrant]) -> Field:
    return Field(tuple(entrants))


@pytest.mark.parametrize(("size", "advance"), SHAPES)
def test_two_to_sixty_entries_split_without_an_avoidable_bye(size: int, advance: int) -> None:
    for entries in range(2, 61):
        sizes = tables(entries, size, advance)
        assert sum(sizes) == entries
        assert max(sizes) <= size
        assert max(sizes) - min(sizes) <= 1
        assert sizes.count(1) == (1 if size == 2 and entries % 2 else 0)


def _shape(size: int, advance: int = 1) -> Settings:
    return Settings(table_size=size, advance=advance)


def _play(drawn: Draw, seed: bytes) -> tuple[TableDone, ...]:
    return tuple(
        TableDone(tuple((n,) for n in shuffled(seed, "result", table.seats)), table.advance)
        for table in drawn.tables
    )


def _run(entries: int, shape: Settings, seed: bytes) -> tuple[list[Draw], dict[int, int]]:
    order = seeding(dict.fromkeys(range(1, entries + 1)), seed)
    field = Field(tuple(Entrant(number, rank) for rank, number in enumerate(order, 1)))
    draws: list[Draw] = []
    places: dict[int, int] = {}
    while True:
        draws.append(draw(field, shape, seed + bytes([len(draws)])))
        done = _play(draws[-1], seed)
        # Where most go on everybody has met everybody soon: nothing to search for.
        past = (*field.rounds, done) if shape.advance < 3 else (done,)
        field = Field(field.entrants, past)
        result = close(field, shape)
        places |= result.places
        if result.over:
            return draws, places
        field = field.without(result.places)


@pytest.mark.parametrize(("size", "advance"), SHAPES)
def test_every_knockout_ends_with_one_winner_and_seats_nobody_twice(
    size: int, advance: int
) -> None:
    for entries in range(2, 61):
        draws, places = _run(entries, _shape(size, advance), b"seed")
        assert sorted(places) == list(range(1, entries + 1))
        assert [number for number, place in places.items() if place == 1] != []
        assert list(places.values()).count(1) == 1
        for drawn in draws:
            seated = [number for table in drawn.tables for number in table.seats]
            assert len(seated) == len(set(seated))
            assert all(table.advance >= 1 for table in drawn.tables)
        assert len(draws[-1].tables) == 1


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    for entries in range(3, 61):
        draws, _ = _run(entries, _shape(2), b"seed")
        had: set[int] = set()
        for drawn in draws:
            alive = {number for table in drawn.tables for number in table.seats}
            for table in drawn.tables:
                if len(table.seats) == 1:
                    assert table.seats[0] not in had or alive <= had
                    had.add(table.seats[0])


def test_the_first_bye_goes_to_the_top_seed() -> None:
    drawn = draw(_field(Entrant(number, 6 - number) for number in range(1, 6)), _shape(2), b"")
    assert drawn.tables[-1].seats == (5,)


@pytest.mark.parametrize("rows", range(1, 7))
@pytest.mark.parametrize("count", range(1, 12))
def test_sums_of_seeds_come_out_level(count: int, rows: int) -> None:
    groups = level(range(count * rows), [rows] * count)
    sums = [sum(group) for group in groups]
    assert sorted(number for group in groups for number in group) == list(range(count * rows))
    assert max(sums) - min(sums) <= (count - 1 if rows == 1 else 1)


def test_a_short_row_goes_to_the_weakest_top_seeds() -> None:
    assert level(range(8), [2, 3, 3]) == [[0, 5], [1, 4, 7], [2, 3, 6]]


def test_rated_entries_are_seeded_before_unrated_and_equals_by_lot() -> None:
    order = seeding({1: 10, 2: None, 3: 30, 4: 10, 5: None}, b"x")
    assert order[0] == 3
    assert set(order[1:3]) == {1, 4}
    assert seeding({1: 10, 4: 10}, b"x") == seeding({4: 10, 1: 10}, b"x")
    assert len({seeding(dict.fromkeys(range(5)), bytes([n])) for n in range(20)}) > 10


def _pairs(drawn: Draw) -> set[frozenset[int]]:
    return {frozenset(pair) for t in drawn.tables for pair in combinations(t.seats, 2)}


@settings(max_examples=60, deadline=None)
@given(
    st.integers(4, 20),
    st.integers(2, 5),
    st.lists(st.integers(0, 5), min_size=20, max_size=20),
    st.binary(max_size=4),
)
def test_two_bots_of_an_owner_meet_only_where_there_is_no_other_way(
    entries: int, size: int, owners: list[int], seed: bytes
) -> None:
    field = _field(Entrant(number, number, owners[number]) for number in range(entries))
    drawn = draw(field, _shape(size), seed)
    shared = sum(owners[a] == owners[b] for a, b in map(tuple, _pairs(drawn)))
    assert shared == drawn.cost.same_owner
    if shared == 0:
        assert drawn.proof is Proof.FREE
    tables_ = sum(len(table.seats) > 1 for table in drawn.tables)
    if max(map(owners[:entries].count, set(owners[:entries]))) <= 1:
        assert shared == 0
    if drawn.proof is Proof.BOUND:
        assert max(map(owners[:entries].count, set(owners[:entries]))) > tables_


def _partitions(numbers: tuple[int, ...], sizes: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    if not sizes:
        return [[]]
    found = []
    for rest in combinations(numbers[1:], sizes[0] - 1):
        group = (numbers[0], *rest)
        left = tuple(number for number in numbers if number not in group)
        found += [[group, *more] for more in _partitions(left, sizes[1:])]
    return found


@settings(max_examples=30, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=24), st.data())
def test_forbidden_pairs_are_as_few_as_exhaustive_search_finds(
    pairs: set[tuple[int, int]], data: st.DataObject
) -> None:
    forbidden = frozenset(frozenset(pair) for pair in pairs if pair[0] != pair[1])
    nine = tuple(Entrant(n, n) for n in range(9))
    drawn = draw(Field(nine, forbidden=forbidden), _shape(3), b"")
    best = min(
        sum(frozenset(pair) in forbidden for group in groups for pair in combinations(group, 2))
        for groups in _partitions(tuple(range(9)), (3, 3, 3))
    )
    assert drawn.cost.forbidden == best


def _round(*tables: tuple[int, ...], advance: int = 1) -> tuple[TableDone, ...]:
    return tuple(TableDone(tuple((n,) for n in table), advance) for table in tables)


def test_winners_of_a_round_are_drawn_apart() -> None:
    before = _round((0, 3), (1, 4), (2, 5), advance=2)
    field = Field(tuple(Entrant(number, number) for number in range(6)), (before,))
    drawn = draw(field, _shape(2), b"")
    assert all(sorted(n // 3 for n in table.seats) == [0, 1] for table in drawn.tables)


def test_who_has_met_is_seated_apart_where_it_can_be() -> None:
    four = tuple(Entrant(n, n) for n in (1, 2, 3, 4))
    drawn = draw(Field(four, (_round((1, 2), (3, 4), advance=2),)), _shape(2), b"")
    assert drawn.cost == Cost()
    nine = tuple(Entrant(n, n) for n in range(9))
    everybody = draw(Field(nine, (_round(tuple(range(9)), advance=9),)), _shape(3), b"")
    assert everybody.cost == Cost(repeats=9)
    assert everybody.proof is Proof.BOUND


def test_who_leaves_in_a_round_shares_places_by_place_at_the_table() -> None:
    done = _round((4, 2, 1), (3, 5), (6,))
    result = close(Field(tuple(Entrant(n, n) for n in range(1, 7)), (done,)), _shape(3))
    assert result.still_in == (4, 3, 6)
    assert result.places == {2: 4, 5: 4, 1: 6}


def test_who_has_dropped_since_goes_on_from_nowhere_and_the_next_one_does_instead() -> None:
    done = _round((4, 2, 1), (3, 5, 6))
    result = close(_field(Entrant(n, n) for n in (1, 2, 3, 5, 6)).after(done), _shape(3))
    assert result.still_in == (2, 3)
    assert result.places == {5: 3, 1: 4, 6: 4, 4: 6}


def test_both_forfeit_the_final_and_share_the_win() -> None:
    final = TableDone(((1,), (2,)), 1, forfeits=frozenset((1, 2)))
    result = close(_field(Entrant(n, n) for n in (1, 2)).after((final,)), _shape(2))
    assert (result.places, result.over, result.winner) == ({1: 1, 2: 1}, True, None)


def test_a_forfeit_in_the_final_gives_the_win_to_who_sat_there() -> None:
    final = TableDone(((1,), (2,), (3,)), 1, forfeits=frozenset((1, 3)))
    result = close(_field(Entrant(n, n) for n in (1, 2, 3)).after((final,)), _shape(3))
    assert (dict(result.places), result.winner) == ({2: 1, 1: 2, 3: 2}, 2)


def test_the_same_entries_and_seed_give_the_same_draw() -> None:
    some = [Entrant(number, number, number % 3) for number in range(1, 14)]
    field = _field(some)
    assert draw(field, _shape(4), b"s") == draw(_field(some[::-1]), _shape(4), b"s")
    assert draw(field, _shape(4), b"s") != draw(field, _shape(4), b"t")
