"""A broker that hangs costs one request its time-out, and nobody an error."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator

import pytest
from celery import Celery
from django.test import Client

from config.celery import app as ours
from config.kit import wake
from config.kit.models import WakeMark

pytestmark = pytest.mark.django_db(transaction=True)

TIME_OUT_S = 0.1


@pytest.fixture
def hung(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """A broker that takes connections and says nothing; tells how many came since it was asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        # Celery heeds this before anything that an app is given.
        url = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        monkeypatch.setenv("CELERY_BROKER_URL", url)
        app = Celery("hung")
        app.conf.broker_transport_options = {"socket_timeout": TIME_OUT_S}
        app.set_current()
        wake._broker.out_until = 0.0
        server.setblocking(False)
        yield lambda: callers(server)
        ours.set_current()
        wake._broker.out_until = 0.0


def callers(server: socket.socket) -> int:
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            count += 1
    return count


def test_after_a_wake_that_failed_a_broker_that_hangs_is_left_alone(
    hung: Callable[[], int],
) -> None:
    wake.wake("games.drive")
    assert hung() > 0
    wake.wake("league.play_tables")
    wake.send("games.play_evented", "x")
    assert hung() == 0
    assert WakeMark.objects.count() == 2


def test_a_broker_that_hangs_is_told_and_keeps_nobody_from_being_ready(
    hung: Callable[[], int],
) -> None:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["broker"]) == (200, "out")
