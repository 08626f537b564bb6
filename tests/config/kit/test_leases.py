"""Leases: a claim that was given back is no attempt, one that was lost is."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from config.kit import leases
from games.models import Game
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def due_game() -> QuerySet[Game]:
    game_id, _ = cast.dealt(2, "classic")
    rows = Game.objects.filter(pk=game_id)
    rows.update(due_at="2020-01-01T00:00Z")
    return rows


def test_a_claim_that_is_given_back_is_no_attempt() -> None:
    rows = due_game()
    for owner in "abcdef":
        (lease,) = leases.claim(rows, owner, 1)
        assert leases.release(rows, owner, [lease.pk]) == 1
    assert (rows.get().attempts, rows.get().lease_owner) == (0, "")


def test_giving_back_does_not_forget_the_attempts_of_those_who_died() -> None:
    rows = due_game()
    leases.claim(rows, "dead", 1)
    rows.update(lease_until="2020-01-01T00:00Z")
    (lease,) = leases.claim(rows, "alive", 1)
    leases.release(rows, "alive", [lease.pk])
    assert rows.get().attempts == 1


def test_a_lease_of_another_owner_is_not_given_back() -> None:
    rows = due_game()
    (lease,) = leases.claim(rows, "mine", 1)
    assert leases.release(rows, "yours", [lease.pk]) == 0
    assert rows.get().lease_owner == "mine"


def test_renewing_many_leases_never_waits_in_a_ring_with_a_commit_of_many() -> None:
    """Rows lie in the table the other way round than their keys, as old ones do in time."""
    pks = sorted(cast.dealt(2, "classic")[0] for _ in range(12))
    rows = Game.objects.filter(pk__in=pks)
    for pk in reversed(pks):
        rows.filter(pk=pk).update(due_at="2020-01-01T00:00Z")
    leases.claim(rows, "mine", 12)
    renewed: list[int] = []
    done = threading.Event()

    def renewing() -> None:
        while not done.is_set():
            renewed.append(leases.renew(rows, "mine", list(reversed(pks))))
        connection.close()

    thread = threading.Thread(target=renewing)
    thread.start()
    for _ in range(15):
        with transaction.atomic():
            for pk in pks:
                rows.select_for_update().get(pk=pk)
    done.set()
    thread.join()
    assert set(renewed) == {12}
