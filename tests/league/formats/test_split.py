"""Splits of competitions.md, and what holds for all of them."""

import pytest

from league.formats.split import split


@pytest.mark.parametrize(
    ("people", "sizes"), [(7, (4, 3)), (9, (5, 4)), (10, (4, 3, 3)), (11, (4, 4, 3)), (5, (5,))]
)
def test_tables_come_close_to_four(people: int, sizes: tuple[int, ...]) -> None:
    assert split(people) == sizes


def test_nine_with_one_pack_sit_at_three_tables() -> None:
    assert split(9, one_pack_serves=4) == (3, 3, 3)


def test_everybody_from_three_to_sixty_has_a_seat() -> None:
    for people in range(3, 61):
        assert sum(split(people)) == people


def test_what_can_not_be_split_is_empty() -> None:
    assert split(2) == ()
    assert split(7, smallest=5, largest=6) == ()
