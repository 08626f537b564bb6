"""Rows of guarantees.md on a whole service of processes that die; in full by `make prove R=R1`."""

from tests.chaos import Proof, r1, r5, r6, r7, r25

# Nobody is asked at this port: each has a service of its own.
NOBODY = 0


def _holds(proof: Proof) -> None:
    assert proof.holds, proof.figure


def test_whatever_is_killed_nothing_is_lost_or_played_twice() -> None:
    """How soon it goes on is proved on a machine that does nothing else."""
    _holds(r1.prove(NOBODY, games=20, most_s={}))


def test_tasks_delivered_several_times_at_once_play_every_game_once() -> None:
    _holds(r5.prove(NOBODY, games=20))


def test_three_beats_open_the_slots_of_a_day_when_clocks_change_once() -> None:
    _holds(r6.prove(NOBODY, days=1))


def test_without_a_broker_requests_are_answered_and_all_games_end() -> None:
    _holds(r7.prove(NOBODY, games=20, stopped_s=3.0))


def test_who_reads_a_stream_through_cuts_has_every_row_once_and_in_order() -> None:
    _holds(r25.prove(NOBODY, games=20, breaks=4))
