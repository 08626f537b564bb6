"""The tasks as the broker calls them: in any number, at any time, they end one tournament."""

import pytest

from config.kit import clock
from league import tasks
from league.models import Competition, Table
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _finished() -> bool:
    return Competition.objects.get().state == Competition.State.FINISHED


def test_sweep_and_slices_bring_nine_entries_to_a_winner() -> None:
    competition = cast.cup(cast.house_bots(9), {"deals_per_table": 1})
    Competition.objects.update(starts_at=clock.now())
    assert tasks.sweep() > 0
    for _ in range(20):
        if _finished():
            break
        tasks.play_tables()
    assert _finished()
    assert Table.objects.filter(state="done").count() == 4
    assert competition.entries.filter(place=1).count() == 1


def test_tasks_after_the_end_change_nothing() -> None:
    test_sweep_and_slices_bring_nine_entries_to_a_winner()
    seq = Competition.objects.get().ledger_seq
    cast.at_once(tasks.play_tables, 3)
    assert tasks.sweep() == 0
    assert Competition.objects.get().ledger_seq == seq
