"""A broker that hangs costs one request its time-out, and nobody an error."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest
from celery import Celery
from django.test import Client

from config.celery import app as ours
from config.kit import wake
from config.kit.models import WakeMark

pytestmark = pytest.mark.django_db(transaction=True)

TIME_OUT_S = 0.1


@pytest.fixture
def hung(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A broker that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        # Celery heeds this before anything that an app is given.
        url = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        monkeypatch.setenv("CELERY_BROKER_URL", url)
        app = Celery("hung")
        app.conf.broker_transport_options = {"socket_timeout": TIME_OUT_S}
        app.set_current()
        wake._broker.out_until = 0.0
        yield
        ours.set_current()
        wake._broker.out_until = 0.0


def test_only_the_first_wake_waits_for_a_broker_that_hangs(hung: None) -> None:
    began = time.monotonic()
    wake.wake("games.drive")
    first = time.monotonic() - began
    wake.wake("league.play_tables")
    wake.send("games.play_evented", "x")
    assert first >= TIME_OUT_S
    assert time.monotonic() - began < first + 0.3
    assert WakeMark.objects.count() == 2


def test_a_broker_that_hangs_keeps_nobody_from_being_ready(hung: None) -> None:
    began = time.monotonic()
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["broker"]) == (200, "out")
    assert time.monotonic() - began < 3
