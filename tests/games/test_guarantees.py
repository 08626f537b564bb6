"""Rows of guarantees.md on a real server, in small; in full by `make prove R=R2`."""

from __future__ import annotations

import pytest

from tests.chaos import r2, r3, r4, r9, r15
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def test_a_move_that_is_sent_many_times_is_applied_once() -> None:
    with serving() as address:
        proof = r2.prove(port_of(address), connections=8, times=5)
    assert proof.holds, proof.figure


def test_of_different_moves_for_one_decision_one_wins_and_is_stored() -> None:
    with serving() as address:
        proof = r3.prove(port_of(address), rounds=3)
    assert proof.holds, proof.figure


def test_a_move_at_the_deadline_is_answered_as_it_is_stored() -> None:
    with serving() as address:
        proof = r4.prove(port_of(address), games=12)
    assert proof.holds, proof.figure


def test_malformed_requests_are_refused_with_a_code() -> None:
    """R9; how fast, and what memory it takes, is proved on a machine that does nothing else."""
    with serving() as address:
        proof = r9.prove(port_of(address), requests=400)
    assert "got" not in proof.figure, proof.figure


def test_of_many_wrong_passwords_at_once_the_limit_is_tried() -> None:
    with serving() as address:
        proof = r15.prove(port_of(address), tries=30)
    assert proof.holds, proof.figure
