"""Leases: a claim that was given back is no attempt, one that was lost is."""

from __future__ import annotations

import pytest
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
