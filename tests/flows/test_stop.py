"""A web process that is stopped ends its open answers at once, and has nothing to complain of."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.embedded.child import stop
from tests.flows.stack import Stack, running, wait_for

# Longer than the server waits before it calls off what is open.
GRACE_S = 3.0


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    with running(tmp_path / "stack") as made:
        yield made


def opened(stack: Stack, path: str, **headers: str) -> tuple[HTTPConnection, HTTPResponse]:
    """A stream of which the first line has come."""
    where = urlsplit(stack.address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read(500)
    answer.readline()
    return connection, answer


def test_open_streams_end_cleanly_when_the_service_is_stopped(stack: Stack) -> None:
    token = stack.plan("people")["token"]
    made = stack.post("/api/v1/bots", {"name": "Nappe", "transport": "pull"}, token)
    spar = f"/api/v1/bots/{made['bot']['id']}/sparring"
    stack.post(spar, {"house": ["lowest"], "games": 2}, token)
    game = stack.get(spar, token)["results"][0]["game"]
    mine = {"Authorization": f"Bearer {made['token']}"}
    with ExitStack() as open_ones:
        answers = []
        for path, headers in [
            *[("/api/v1/bot/stream", mine)] * 3,
            (f"/api/v1/games/{game}/events", {"Accept": "text/event-stream"}),
        ]:
            connection, answer = opened(stack, path, **headers)
            open_ones.callback(connection.close)
            open_ones.callback(answer.close)
            answers.append(answer)
        web, command = stack.children[0]
        began = time.monotonic()
        web.terminate()
        for answer in answers:
            # The end of a chunked answer: a cut one raises.
            answer.read()
        wait_for(lambda: web.poll() is not None, 30, "web does not end")
        took = time.monotonic() - began
        stop(web, command.stages)

    written = (stack.folder / "web.log").read_text()
    assert "Traceback" not in written and "Cancel" not in written, written[-3000:]
    assert took < GRACE_S, written


def test_a_worker_that_is_stopped_in_the_middle_of_turns_ends_without_a_traceback(
    stack: Stack,
) -> None:
    token = stack.plan("people")["token"]
    made = stack.post("/api/v1/bots", {"name": "Nappe", "transport": "pull"}, token)
    spar = f"/api/v1/bots/{made['bot']['id']}/sparring"
    stack.post(spar, {"house": ["lowest"], "games": 3}, token)
    mailbox = "/api/v1/bot/turns?wait=20"
    wait_for(
        lambda: any(m["type"] == "turn" for m in stack.get(mailbox, made["token"])["messages"]),
        60,
        "no turn is put",
    )
    assert stack.worker is not None
    for child, command in stack.children:
        if child is stack.worker:
            stop(child, command.stages)
    written = (stack.folder / "worker.log").read_text()
    assert "Traceback" not in written, written[-3000:]
