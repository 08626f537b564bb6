"""Receipts: kept for a day, and then forgotten by the sweep."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models.functions import Now

from config.kit import receipts
from config.kit.models import Receipt
from games import tasks

pytestmark = pytest.mark.django_db(transaction=True)


def draft(key: str) -> receipts.Draft:
    return receipts.Draft.of("player:1", key, "POST /x", b"{}")


def stored(key: str, hours: float) -> None:
    with transaction.atomic():
        receipts.keep(draft(key), {"game": 1})
    age = timedelta(hours=hours)
    Receipt.objects.filter(key=key).update(created_at=Now() - age)


def test_the_sweep_forgets_receipts_after_24_hours_and_no_sooner() -> None:
    stored("old", 24.1)
    stored("young", 23.9)
    tasks.sweep()
    assert list(Receipt.objects.values_list("key", flat=True)) == ["young"]
    with transaction.atomic():
        assert receipts.repeated(draft("young")) == {"game": 1}
        assert receipts.repeated(draft("old")) is None


def test_many_old_receipts_go_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "FORGOTTEN_AT_ONCE", 2)
    for number in range(5):
        stored(str(number), 30)
    assert [receipts.forget_old() for _ in range(4)] == [2, 2, 1, 0]
