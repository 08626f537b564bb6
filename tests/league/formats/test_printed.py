"""A sheet printed ahead seats whoever comes as the draw does later."""

from itertools import combinations

import pytest

from league.formats import printed, rounds
from league.formats.field import Entrant, Field
from league.formats.settings import Settings

SEED = bytes(range(32))


def field(numbers: list[int]) -> Field:
    return Field(tuple(Entrant(number, number) for number in numbers))


@pytest.mark.parametrize("people", [5, 7, 8, 11, 12])
def test_it_seats_every_attendance_as_a_later_draw_does(people: int) -> None:
    numbers = list(range(1, people + 1))
    sheet = printed.sheet(numbers, Settings(), SEED)
    told = [one.people for one in sheet.attendances]
    assert told == list(range(max(people - 4, 2), people + 3))
    for count in range(max(people - 4, 2), people + 1):
        for here in list(combinations(numbers, count))[::7]:
            drawn = rounds.draw(field(list(here)), Settings(), SEED)
            on_paper = printed.seated(sheet, [], list(here))
            assert [table.seats for table in drawn.tables] == on_paper


def test_guests_have_lots_too() -> None:
    numbers = list(range(1, 9))
    sheet = printed.sheet(numbers, Settings(), SEED)
    for here in ([*numbers, 9], [*numbers, 9, 10]):
        drawn = printed.as_printed(field(here), Settings(), SEED)
        assert [table.seats for table in drawn.tables] == printed.seated(sheet, [], here)


def test_who_has_met_whom_is_no_matter_on_paper() -> None:
    numbers = list(range(1, 9))
    sheet = printed.sheet(numbers, Settings(seating="standings"), SEED)
    drawn = printed.as_printed(field(numbers), Settings(seating="standings"), SEED)
    assert [table.seats for table in drawn.tables] == printed.seated(sheet, [], numbers)
