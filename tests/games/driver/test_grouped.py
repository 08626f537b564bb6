"""What waits together is done together; one bad item, or a deadlock, takes no other down."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from django.db import InterfaceError, OperationalError
from psycopg.errors import DeadlockDetected

from games.driver.commits import DatabaseThread, Grouped


class Doubling:
    """Doubles numbers, notes the groups, and fails as it is told to."""

    def __init__(self, *failures: Exception) -> None:
        self.groups: list[list[int]] = []
        self.failures = list(failures)

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.groups.append(list(numbers))
        if self.failures:
            raise self.failures.pop(0)
        if 13 in numbers:
            raise ValueError("an unlucky number")
        return [2 * number for number in numbers]


def done(doubling: Doubling, *numbers: int) -> list[int | BaseException]:
    async def main() -> list[int | BaseException]:
        thread = DatabaseThread("test")
        grouped = Grouped(thread, doubling)
        waiting = (grouped.put(number) for number in numbers)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        await thread.close()
        return results

    return asyncio.run(main())


def deadlock() -> OperationalError:
    error = OperationalError("deadlock detected")
    error.__cause__ = DeadlockDetected()
    return error


def test_what_waits_together_is_one_group() -> None:
    doubling = Doubling()
    assert done(doubling, 1, 2, 3) == [2, 4, 6]
    assert doubling.groups == [[1, 2, 3]]


def test_a_bad_item_fails_alone() -> None:
    good, bad, last = done(Doubling(), 1, 13, 3)
    assert (good, last) == (2, 6)
    assert isinstance(bad, ValueError)


def test_after_a_deadlock_each_is_tried_again_by_itself() -> None:
    doubling = Doubling(deadlock())
    assert done(doubling, 1, 2) == [2, 4]
    assert doubling.groups == [[1, 2], [1], [2]]


@pytest.mark.parametrize("failure", [OperationalError("gone"), InterfaceError("closed")])
def test_a_database_that_is_out_fails_all_at_once(failure: Exception) -> None:
    doubling = Doubling(failure)
    assert done(doubling, 1, 2) == [failure, failure]
    assert doubling.groups == [[1, 2]]
