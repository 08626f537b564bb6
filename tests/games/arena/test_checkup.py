"""`housu.pyz check` and `new`: what they ask, what they find, and that starters play at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bots_api.sdk import housubot
from games.arena import checkup, starters
from games.arena.bundle import bundle
from games.arena.positions import POSITIONS, found, message

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"


class Sound(housubot.Bot):
    version = "1.4.2"

    def choose(self, turn: housubot.Turn) -> str:
        return turn.otherwise()


@contextmanager
def sdk_server(secrets: list[str]) -> Iterator[str]:
    server = housubot.server(Sound(), secrets)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


Reply = Callable[[dict[str, Any]], tuple[int, bytes]]


@contextmanager
def answering(reply: Reply) -> Iterator[str]:
    """A bot whose answers to messages are whatever `reply` makes of them."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.say(200, b'{"protocol": 1, "version": "1"}')

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.say(*reply(json.loads(body)))

        def say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def checked(bot: str, *secrets: str) -> dict[str, checkup.Step]:
    way = checkup.way(bot, secrets)
    try:
        return {step.name: step for step in checkup.steps(way)}
    finally:
        way.close()


def failed(steps: dict[str, checkup.Step]) -> set[str]:
    return {name for name, step in steps.items() if step.verdict == "failed"}


def test_a_sound_bot_passes_and_refuses_strangers() -> None:
    with sdk_server([SECRET]) as url:
        steps = checked(url, SECRET)
    assert failed(steps) == set()
    assert steps["signature"].verdict == "ok"
    assert len(steps) == 1 + 2 + len(POSITIONS) + 2


def test_a_bot_passes_while_its_secret_is_rotated() -> None:
    with sdk_server([OTHER]) as url:
        assert failed(checked(url, SECRET, OTHER)) == set()


def test_a_bot_with_another_secret_fails_by_its_own_words() -> None:
    with sdk_server([OTHER]) as url:
        steps = checked(url, SECRET)
    assert "signature is not right" in steps["nonce"].detail
    assert len(failed(steps)) == len(steps) - 2  # the handshake is open, the stranger was refused


def test_a_bot_that_obeys_strangers_is_told_so() -> None:
    with sdk_server([]) as url:
        assert "nobody signed" in checked(url, SECRET)["signature"].detail
        assert "HOUSUBOT_SECRET" in checked(url)["signature"].detail


def test_an_illegal_action_is_named_with_its_rule_and_what_is_legal() -> None:
    with answering(lambda _: (200, b'{"action": "U"}')) as url:
        steps = checked(url)
    assert steps["position: only the pile"].verdict == "ok"
    wrong = steps["position: first play"]
    assert wrong.detail.startswith("illegal_action: ")
    assert "P:4x1" in wrong.detail
    assert wrong.asked.startswith("curl -s http://127.0.0.1")


@pytest.mark.parametrize(
    ("status", "body", "fault"),
    [
        (500, b"{}", "http_status"),
        (302, b"", "redirect"),
        (200, b"<html>", "bad_json"),
        (200, b'{"action": "U", "action": "S:/"}', "bad_json"),
        (200, b"[]", "bad_reply"),
        (200, b'{"action": 7}', "bad_reply"),
        (200, b'{"action": ""}', "bad_reply"),
        (200, b'{"action": "U", "note": "%s"}' % (b"x" * 257), "bad_reply"),
        (200, b" " * 16_385, "too_large"),
    ],
)
def test_what_is_no_answer_is_called_as_the_service_calls_it(
    status: int, body: bytes, fault: str
) -> None:
    with answering(lambda _: (status, body)) as url:
        steps = checked(url)
    assert steps["position: swap"].detail.startswith(fault)


def test_a_bot_that_is_not_there_fails_at_the_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "WAKING_S", 0.5)
    steps = checked("http://127.0.0.1:9")
    assert list(steps) == ["handshake"]
    assert steps["handshake"].detail.startswith("connect: ")


@pytest.mark.parametrize(
    "hello",
    [
        {"version": "1"},
        {"protocol": 1},
        {"protocol": 1, "version": ""},
        {"protocol": 1, "version": "1", "presets": "table"},
        {"protocol": 1, "version": "1", "concurrency": 65},
        {"protocol": 1, "version": "1", "concurrency": True},
    ],
)
def test_a_handshake_that_says_too_little_fails(hello: dict[str, Any], tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(f"import sys\nprint({json.dumps(hello)!r}, flush=True)\nsys.stdin.read()\n")
    assert failed(checked(f"{sys.executable} {program}")) == {"handshake"}


def test_a_turn_of_the_greatest_length_fits_into_64_kib() -> None:
    longest = {**checkup.full(message(POSITIONS[-2])), "request_id": "msg_" + "0" * 32}
    size = len(json.dumps(longest, separators=(",", ":")))
    assert 60 * 1024 < size <= checkup.MAX_MESSAGE


def test_a_position_is_asked_as_it_stands_in_the_game() -> None:
    for position in POSITIONS:
        game, seat = found(position)
        asked = message(position)
        assert asked["legal"] == list(game.legal(seat))
        assert asked["view"]["seat"] == seat


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("housu") / "housu.pyz"
    file.write_bytes(bundle())
    return file


def run(pyz: Path, *arguments: str, at: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(pyz), *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=at)


def test_the_python_starter_plays_and_passes_at_once(pyz: Path, tmp_path: Path) -> None:
    made = run(pyz, "new", "python", "robo", at=tmp_path)
    assert made.returncode == 0, made.stderr
    robo = tmp_path / "robo"
    assert {file.name for file in robo.iterdir()} == {
        *("bot.py", "housubot.py", "README.md", "housu.pyz")
    }
    program = f"{sys.executable} bot.py --stdio"
    played = run(robo / "housu.pyz", "arena", program, "house:lowest", "--games", "4", at=robo)
    assert played.returncode == 0, played.stderr
    assert "faults" in played.stdout
    checked = run(robo / "housu.pyz", "check", program, at=robo)
    assert (checked.returncode, checked.stdout.splitlines()[-1][:6]) == (0, "passed")


def test_a_check_that_is_not_passed_says_so_by_its_exit_code(pyz: Path, tmp_path: Path) -> None:
    assert run(pyz, "check", "no-such-program", at=tmp_path).returncode == 1
    assert run(pyz, "check", 'a "', at=tmp_path).returncode == 2
    assert "ftp" in run(pyz, "check", "ftp://x", at=tmp_path).stderr


def test_the_secret_of_a_check_comes_from_the_environment(pyz: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-I", "-S", str(pyz), "check"]
    with sdk_server([SECRET]) as url:
        env = {**os.environ, "HOUSUBOT_SECRET": SECRET}
        good = subprocess.run([*line, url], capture_output=True, text=True, check=False, env=env)
        env["HOUSUBOT_SECRET"] = "whsec_ä"
        bad = subprocess.run([*line, url], capture_output=True, text=True, check=False, env=env)
    assert good.returncode == 0, good.stdout
    assert (bad.returncode, "no signing secret" in bad.stderr) == (2, True)


def test_a_folder_that_is_in_use_is_left_alone(pyz: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    made = run(pyz, "new", "go", ".", at=tmp_path)
    assert (made.returncode, "in it already" in made.stderr) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("language", sorted(starters.STARTERS))
def test_every_starter_brings_its_files_and_tells_how_to_start(
    language: str, tmp_path: Path
) -> None:
    names = starters.lay_out(language, tmp_path / "bot")
    starter = starters.STARTERS[language]
    assert {file.name for file in (tmp_path / "bot").iterdir()} == set(names)
    assert os.access(tmp_path / "bot" / starter.main, os.X_OK)
    told = (tmp_path / "bot" / "README.md").read_text()
    assert f'arena "{starter.command} --stdio"' in told
    assert f'HOUSUBOT_TOKEN=hlb_... {starter.command} --pull "$SERVICE"' in told
    assert "$python" not in told
