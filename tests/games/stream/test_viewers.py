"""R14 of guarantees.md in small, with real web processes; in full it is `make prove R=R14`."""

from __future__ import annotations

import pytest

from tests.chaos import r14

pytestmark = pytest.mark.django_db(transaction=True)


def test_viewers_who_come_and_go_miss_nothing_when_a_web_process_is_killed() -> None:
    proof = r14.prove(0, viewers=50, games=6, seconds=6.0)
    # How late they are on a busy machine is for the full form to say.
    assert ": 50 have every event once and in order" in proof.figure, proof.figure
