"""The authors' file against a service that misbehaves while the bot connects out."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bots_api.sdk import housubot

NONCE = {"type": "nonce", "nonce": "n1", "request_id": "m9", "cursor": 9, "reply_to": "/replies"}
BROKEN = {"type": "turn", "request_id": "m8", "cursor": 8, "reply_to": "/games/1/moves"}
GOOD = json.dumps(NONCE).encode() + b"\n"
HOSTILE = [
    b"[]\n",
    b"{}\n",
    b"\xff\xfe\n",
    b'{"cursor": "x", "request_id": "a"}\n',
    b"[" * 100_000 + b"\n",
    b"x" * 1_000_000,
    b'{"cursor": 1',
    json.dumps({**NONCE, "request_id": "m1", "reply_to": 7}).encode() + b"\n" + GOOD,
    json.dumps({**NONCE, "request_id": "m2", "reply_to": "/a\r\nb: c"}).encode() + b"\n" + GOOD,
    json.dumps(BROKEN).encode() + b"\n" + GOOD,
]


class Service(ThreadingHTTPServer):
    """Says one line to a stream and hangs up; keeps what is posted."""

    daemon_threads = True
    line = b""
    status = 200
    heard: list[Any]
    answered: threading.Event


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        streams.append(self.path)
        self.send_response(self.server.status if len(streams) == 1 else 200)
        self.end_headers()
        self.wfile.write(self.server.line if len(streams) == 1 else GOOD)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append(json.loads(body))
        self.send_response(204)
        self.end_headers()
        self.server.answered.set()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


streams: list[str] = []


@contextmanager
def service(line: bytes, status: int = 200) -> Iterator[Service]:
    streams.clear()
    server = Service(("127.0.0.1", 0), Handler)
    server.line, server.status, server.heard = line, status, []
    server.answered = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


class Echo(housubot.Bot):
    def choose(self, turn: housubot.Turn) -> str:
        return turn.otherwise()


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housubot, "FIRST_PAUSE_S", 0.01)


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_bot_that_connects_lives_through_what_a_broken_service_says(line: bytes) -> None:
    with service(line) as broken:
        puller = housubot.Puller(Echo(), f"http://127.0.0.1:{broken.server_port}", "hlb_x")
        thread = threading.Thread(target=puller.run)
        thread.start()
        assert broken.answered.wait(20)
        puller.stop()
        thread.join(20)
    assert broken.heard == [{"request_id": "m9", "reply": {"nonce": "n1"}}]


@pytest.mark.parametrize("status", [302, 404, 429, 500, 503])
def test_a_stream_that_is_refused_is_asked_for_again(status: int) -> None:
    with service(b"", status) as broken:
        puller = housubot.Puller(Echo(), f"http://127.0.0.1:{broken.server_port}", "hlb_x")
        thread = threading.Thread(target=puller.run)
        thread.start()
        assert broken.answered.wait(20)
        puller.stop()
        thread.join(20)


def test_a_token_that_is_not_accepted_ends_it_with_the_reason() -> None:
    with service(b"", 401) as broken:
        puller = housubot.Puller(Echo(), f"http://127.0.0.1:{broken.server_port}", "hlb_x")
        with pytest.raises(PermissionError):
            puller.run()


@pytest.mark.parametrize("url", ["localhost:8000", "service.example.org", "ftp://x"])
def test_an_address_without_its_scheme_is_told_at_the_start(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOUSUBOT_TOKEN", "hlb_x")
    with pytest.raises(SystemExit):
        housubot.run(Echo(), ["--pull", url])
    assert "such as https://" in capsys.readouterr().err
