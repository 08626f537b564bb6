"""Every format ends, seats nobody twice, and gives everybody a place; whatever people do."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from league.formats import chips
from league.formats.field import Draw, Entrant, Field, Outcome, TableDone
from league.formats.grouping import Proof, share_out
from league.formats.lots import shuffled
from league.formats.registry import FORMATS
from league.formats.settings import Settings, read

ENTRIES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 29)
SIZES = (2, 3, 4, 5, 6)
Play = Callable[[tuple[int, ...], int], TableDone]


def _entrants(number: int) -> Field:
    return Field(tuple(Entrant(n, n) for n in range(1, number + 1)))


def _by_lot(seats: tuple[int, ...], round_number: int) -> TableDone:
    order = shuffled(bytes([round_number]), "result", seats)
    return TableDone(tuple((n,) for n in order))


def _charged(field: Field, settings: Settings) -> Field:
    costs: Counter[int] = Counter()
    for table in field.rounds[-1]:
        costs.update(dict(chips.taken(settings.chips, table.places)))
    return replace(
        field, entrants=tuple(replace(e, chips=e.chips + costs[e.number]) for e in field.entrants)
    )


class Event:
    """A competition played by hand: draws, results, who drops when."""

    def __init__(self, format: str, entries: int, settings: Settings, play: Play = _by_lot) -> None:
        self.format, self.settings, self._play = FORMATS[format], settings, play
        self.field = _entrants(entries)
        self.draws: list[Draw] = []
        self.places: dict[int, int] = {}
        self.last = Outcome(still_in=self.field.numbers)

    def draw(self) -> Draw:
        """Seat the next round."""
        self.draws.append(self.format.draw(self.field, self.settings, bytes([len(self.draws)])))
        return self.draws[-1]

    def finish_round(self) -> None:
        """Play the tables drawn and close the round."""
        tables, number = self.draws[-1].tables, len(self.draws)
        done = tuple(
            replace(self._play(table.seats, number), advance=table.advance) for table in tables
        )
        self.field = _charged(self.field.after(done), self.settings)
        self.last = self.format.close(self.field, self.settings)
        self.places |= self.last.places
        self.field = self.field.without(set(self.field.numbers) - set(self.last.still_in))

    def run(self) -> None:
        """To the end."""
        for _ in range(500):
            if self.last.over:
                return
            self.draw()
            self.finish_round()
        raise AssertionError("it never ends")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("size", SIZES)
def test_it_ends_and_seats_everybody_once_a_round(format: str, size: int) -> None:
    for entries in ENTRIES:
        event = Event(format, entries, read({"table_size": size}, format))
        event.run()
        alive = set(range(1, entries + 1))
        for drawn in event.draws:
            seated = [number for table in drawn.tables for number in table.seats]
            assert len(seated) == len(set(seated))
            assert set(seated) <= alive
        assert set(event.places) | set(event.last.still_in) == alive
        if format != "rounds":
            assert list(event.places.values()).count(1) >= 1
            assert max(event.places.values()) <= entries


@pytest.mark.parametrize("format", FORMATS)
def test_a_bye_is_made_only_where_no_table_can_be(format: str) -> None:
    for size in SIZES:
        for entries in ENTRIES:
            event = Event(format, entries, read({"table_size": size}, format))
            drawn = event.draw()
            alone = sum(len(table.seats) == 1 for table in drawn.tables)
            assert alone <= (size == 2 and format == "knockout")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("entries", ENTRIES)
def test_a_player_drops_after_the_draw_and_the_event_goes_on(format: str, entries: int) -> None:
    for goes in {1, 1 + entries // 2, entries}:
        event = Event(format, entries, read({"table_size": 4}, format))
        event.draw()
        event.field = event.field.without([goes])
        event.finish_round()
        assert goes not in event.last.still_in
        event.run()
        left = set(event.places) | set(event.last.still_in)
        assert left | {goes} == set(range(1, entries + 1))


@pytest.mark.parametrize("format", FORMATS)
def test_everybody_drops_and_it_is_over(format: str) -> None:
    event = Event(format, 7, read({}, format))
    event.draw()
    event.field = event.field.without(event.field.numbers)
    event.finish_round()
    assert event.last.over
    assert event.last.still_in == ()


@pytest.mark.parametrize("format", FORMATS)
def test_all_but_one_drop_and_that_one_is_left(format: str) -> None:
    event = Event(format, 7, read({}, format))
    event.draw()
    event.field = event.field.without([1, 2, 3, 5, 6, 7])
    event.finish_round()
    assert (event.last.over, event.last.still_in) == (True, (4,))


def _level(seats: tuple[int, ...], _: int) -> TableDone:
    return TableDone((seats,), deals=0)


@pytest.mark.parametrize(
    ("format", "chosen", "most"),
    [
        ("strikes", {"limit": 3}, 7 * 3 + 10),
        ("last_out", {}, 7 + 10),
        ("rounds", {"rounds": 0, "limit": 2, "first_out": True}, 7 * 2 + 10),
        ("rounds", {"rounds": 0, "limit": 2, "after_out": "leaves"}, 7 * 2 + 10),
        ("rounds", {"rounds": 0, "deals": 20}, 20 + 10),
    ],
)
def test_where_nobody_ever_loses_it_is_over_all_the_same(
    format: str, chosen: dict[str, object], most: int
) -> None:
    event = Event(format, 7, read(chosen, format), _level)
    event.run()
    assert len(event.draws) == most
    assert event.last.still_in == tuple(range(1, 8))


def _all_forfeit(seats: tuple[int, ...], _: int) -> TableDone:
    return TableDone(tuple((n,) for n in seats), forfeits=frozenset(seats))


@pytest.mark.parametrize("format", ["knockout", "last_out"])
@pytest.mark.parametrize("entries", [2, 7, 13])
def test_everybody_forfeits_and_they_share_the_win(format: str, entries: int) -> None:
    event = Event(format, entries, read({"table_size": 6}, format), _all_forfeit)
    event.run()
    assert event.last.winner is None
    assert list(event.places.values()).count(1) >= 1


def test_seven_at_tables_of_four_sit_as_four_and_three() -> None:
    drawn = Event("rounds", 7, read({}, "rounds")).draw()
    assert sorted(len(table.seats) for table in drawn.tables) == [3, 4]


def test_small_tables_take_turns() -> None:
    for entries in (7, 10, 11):
        event = Event("rounds", entries, read({"rounds": 12}, "rounds"))
        event.run()
        turns = [event.field.small_turns.get(n, 0) for n in range(1, entries + 1)]
        assert max(turns) - min(turns) <= 3


def test_a_second_round_without_repeats_is_said_to_be_impossible_only_where_it_is() -> None:
    for entries in (7, 8, 10, 11):
        event = Event("rounds", entries, read({}, "rounds"))
        first = event.draw()
        event.finish_round()
        second = event.draw()
        assert first.proof is Proof.FREE
        assert second.cost.repeats > 0
        assert second.proof in (Proof.BOUND, Proof.SEARCHED)


def test_sixteen_at_tables_of_four_meet_once_in_three_rounds() -> None:
    event = Event("rounds", 16, read({"rounds": 3}, "rounds"))
    event.run()
    assert max(event.field.meetings.values()) == 1
    assert [drawn.proof for drawn in event.draws] == [Proof.FREE] * 3


def test_fixed_seating_keeps_tables_and_takes_in_who_is_new() -> None:
    event = Event("rounds", 8, read({"seating": "fixed"}, "rounds"))
    event.draw()
    event.finish_round()
    tables = {frozenset(table.seats) for table in event.draws[0].tables}
    assert {frozenset(table.seats) for table in event.draw().tables} == tables
    event.field = replace(event.field, entrants=(*event.field.entrants, Entrant(9, 9)))
    grown = [frozenset(table.seats) for table in event.draw().tables]
    assert sorted(map(len, grown)) == [4, 5]
    assert all(any(table <= other for other in grown) for table in tables)


def test_seating_by_standings_puts_neighbours_together() -> None:
    field = Field(tuple(Entrant(n, n, standing=10 - n) for n in range(1, 10)))
    drawn = FORMATS["rounds"].draw(
        field, read({"seating": "standings", "table_size": 3}, "rounds"), b""
    )
    assert [sorted(t.seats) for t in drawn.tables] == [[7, 8, 9], [4, 5, 6], [1, 2, 3]]


def test_all_who_are_left_go_out_together_and_share_the_win() -> None:
    settings = read({"limit": 1, "chips": "progressive"}, "strikes")
    field = Field((Entrant(1, 1, chips=1), Entrant(2, 2, chips=1)))
    result = FORMATS["strikes"].close(field.after((TableDone(((1,), (2,))),)), settings)
    assert (dict(result.places), result.over) == ({1: 1, 2: 1}, True)


def test_letters_end_when_the_first_is_out() -> None:
    settings = read({"word": "paska", "first_out": True, "rounds": 0}, "rounds")
    assert (settings.word, settings.limit) == ("PASKA", 5)
    event = Event("rounds", 4, settings)
    event.run()
    assert sorted(e.chips for e in event.field.entrants)[-1] == 5
    assert len(event.last.still_in) == 4


@pytest.mark.parametrize("entries", [2, 4, 5, 7, 9, 13, 29])
def test_the_plan_of_last_out_and_knockout_is_what_is_played(entries: int) -> None:
    for format in ("last_out", "knockout"):
        event = Event(format, entries, read({}, format))
        event.run()
        played = [
            tuple(sorted((len(t.seats) for t in drawn.tables), reverse=True))
            for drawn in event.draws
        ]
        assert played == event.format.planned(entries, event.settings)


def _best(
    numbers: tuple[int, ...], sizes: tuple[int, ...], costs: dict[int, dict[int, int]]
) -> int:
    if not sizes:
        return 0
    found = []
    for rest in combinations(numbers[1:], sizes[0] - 1):
        group = (numbers[0], *rest)
        cost = sum(costs.get(a, {}).get(b, 0) for a, b in combinations(group, 2))
        left = tuple(number for number in numbers if number not in group)
        found.append(cost + _best(left, sizes[1:], costs))
    return min(found)


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([(3, 3), (4, 4), (5, 5), (6, 6), (3, 3, 3), (4, 4, 4), (2, 2, 2, 2)]),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.integers(1, 3)), max_size=60),
)
def test_up_to_twelve_entries_are_seated_as_well_as_exhaustive_search_can(
    sizes: tuple[int, ...], pairs: list[tuple[int, int, int]]
) -> None:
    people = sum(sizes)
    costs: dict[int, dict[int, int]] = {}
    for one, other, cost in pairs:
        if one != other and max(one, other) < people:
            costs.setdefault(one, {})[other] = cost
            costs.setdefault(other, {})[one] = cost
    start = [list(range(at * sizes[0], (at + 1) * sizes[0])) for at in range(len(sizes))]
    found = share_out(start, costs)
    assert found.cost == _best(tuple(range(people)), sizes, costs)
    assert found.proof is (Proof.SEARCHED if found.cost else Proof.FREE)
