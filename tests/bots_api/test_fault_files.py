"""A fault as a test at home: it fails at the bot that did it, and passes at one that is sound."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bots_api.models import Bot, BotVersion, Fault
from bots_api.protocol import positions
from bots_api.protocol.positions import POSITIONS
from bots_api.reproduce import test_file as exported
from bots_api.services import heard
from bots_api.services.heard import AskedTurn
from config.kit.ids import uuid7
from games.arena import positions as arena_positions
from games.driver.resident import Resident
from tests.bots_api.cast import driven_game, house, owner, puller, registered
from tests.bots_api.test_suspension import bearer, sound_bot
from tests.games.api.client import Api
from tests.raw_server import Script, answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

SAYING = b'{"protocol": 1, "version": "1", "presets": ["table"]}'
EXAMPLE = "bots_api/examples/python/lowest_bot.py"


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]


@pytest.fixture
def driver() -> Iterator[Resident]:
    resident = Resident()
    yield resident
    resident.close()


def answering(raw: bytes) -> Script:
    """A bot that says these bytes to every turn."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            hello = line.startswith("GET")
            turn = not hello and json.loads(body)["type"] == "turn"
            writer.write(answer(SAYING) if hello else raw if turn else answer(b"{}"))

    return script


BROKEN = {
    "illegal_action": answer(b'{"action": "P:2x4"}'),
    "bad_json": answer(b'{"action": "U", "action": "P:9x1"}'),
    "bad_reply": answer(b'{"choice": "U"}'),
    "http_status": answer(b"oh no", "500 Oops"),
    "redirect": answer(b"", "302 Found", "Location: /elsewhere"),
    "too_large": answer(b'{"action": "U", "note": "' + b"x" * 20_000 + b'"}'),
    "bad_encoding": answer(b'{"action": "U"}', "200 OK", "Content-Encoding: br"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_file_fails_at_the_broken_bot_and_passes_at_a_sound_one(
    kind: str, driver: Resident, tmp_path: Path
) -> None:
    with running(answering(BROKEN[kind])) as port:
        made = registered(f"http://127.0.0.1:{port}")
        driven_game(made.bot.player, house())
        driver.run_slice(lambda _: None, 60)
        fault = Fault.objects.order_by("pk")[0]
        assert fault.kind == kind
        file = tmp_path / "test_fault.py"
        file.write_text(downloaded(made.bot, fault))
        assert run(file) == 1
    with sound_bot() as port:
        assert run(file, BOT_URL=f"http://127.0.0.1:{port}") == 0


def test_a_bot_that_connects_out_is_tried_by_its_command_line(tmp_path: Path) -> None:
    bot = puller().bot
    fault = faulty(bot, 1)
    file = tmp_path / "test_fault.py"
    file.write_text(exported(fault, ""))
    sdk = {"PYTHONPATH": "bots_api/sdk"}
    assert run(file, BOT_COMMAND=f"{sys.executable} {EXAMPLE} --stdio", **sdk) == 0
    assert run(file, BOT_COMMAND=f"{sys.executable} -c print()", **sdk) == 1
    assert run(file) == 1


def test_a_changed_version_is_a_failing_test_until_the_bound_one_answers(tmp_path: Path) -> None:
    with sound_bot() as port:
        bot = registered(f"http://127.0.0.1:{port}").bot
        evidence = {"frozen": "1", "version": "2", "asked": {"type": "handshake"}}
        asked = AskedTurn(uuid7(), 0, 1)
        heard.fault(bot.pk, asked, Fault.Kind.VERSION_CHANGED, evidence)
        right, wrong = tmp_path / "test_right.py", tmp_path / "test_wrong.py"
        text = exported(Fault.objects.get(), bot.url)
        right.write_text(text)
        wrong.write_text(text.replace('"frozen": "1"', '"frozen": "0"'))
        assert (run(right), run(wrong)) == (0, 1)


def test_every_position_has_sound_answers_told_from_illegal_ones(tmp_path: Path) -> None:
    """The file's own judgement agrees with the rules."""
    case = loaded(tmp_path)
    for position in POSITIONS:
        turn = positions.turn_of(position)
        message = {"legal": turn.legal, "view": turn.wire, "seat": turn.seat}
        game, seat = arena_positions.found(position)
        tried = [game.default_action(seat), *turn.legal, "U", "P:2x4", "P:3C3C", "B:9", "S:/", "!"]
        tried += ["S:AC/", "S:3C/KD", "C:3C=9", "C:=9", "P:", "", "P:9C8C", ".", "-", "X", "D"]
        for action in tried:
            if action in ("S", "B") or (action[:2] == "C:" and "=" not in action):
                continue
            wanted = positions.refusal(position, action) is None
            assert case.is_legal(action, message) == wanted, (position.name, action)


def test_the_inbox_is_read_by_version_and_kind_page_by_page() -> None:
    oskari = owner()
    bot = registered("https://robo.example.org", of=oskari).bot
    for version in ("1", "2"):
        heard.handshake(bot.pk, {"version": version})
        for number in range(3):
            kind = Fault.Kind.TIMEOUT if number else Fault.Kind.BAD_JSON
            heard.fault(bot.pk, AskedTurn(uuid7(), 0, number), kind, {"detail": "late"})
    api = Api(authorization=bearer(oskari))
    path = f"/bots/{bot.pk}/faults"

    assert len(api.get(path)["results"]) == 6
    first = api.get(f"{path}?version=2&kind=timeout&limit=1")
    rest = api.get(first["next"].removeprefix("/api/v1"))
    found = first["results"] + rest["results"]
    assert [(one["version"], one["kind"]) for one in found] == [("2", "timeout")] * 2
    assert rest["next"] is None
    assert api.get(f"{path}?kind=sneeze")["code"] == "invalid_request"
    assert api.get(f"{path}/{found[0]['id']}") == found[0]
    assert api.get(f"{path}/999999")["code"] == "fault_not_found"


def test_somebody_elses_faults_are_not_to_be_downloaded() -> None:
    bot = puller().bot
    fault = faulty(bot, 1)
    api = Api(authorization=bearer(owner("Bertil")))
    for path in (f"/{fault.pk}", f"/{fault.pk}/test.py"):
        assert api.get(f"/bots/{bot.pk}/faults{path}")["code"] == "not_your_bot"
    assert BotVersion.objects.count() == 0


def faulty(bot: Bot, number: int) -> Fault:
    asked = {**positions.document()[number]["message"], "request_id": "msg_1"}
    turn = AskedTurn(uuid7(), 0, 1)
    heard.fault(bot.pk, turn, Fault.Kind.TIMEOUT, {"detail": "no answer", "asked": asked})
    return Fault.objects.get(bot=bot)


def downloaded(bot: Bot, fault: Fault) -> str:
    api = Api(authorization=bearer(bot.player.owner or owner()))
    path = f"/api/v1/bots/{bot.pk}/faults/{fault.pk}/test.py"
    response = api.client.get(path, headers=api.headers)
    assert response["Content-Type"] == "text/x-python; charset=utf-8"
    assert f"test_fault_{fault.pk}.py" in response["Content-Disposition"]
    return response.content.decode()


def run(file: Path, **env: str) -> int:
    """pytest's exit code on the file alone, without this project's settings."""
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir"]
    argv += [str(file.parent), "-c", os.devnull, str(file)]
    done = subprocess.run(
        argv, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode


def loaded(folder: Path) -> ModuleType:
    file = folder / "case.py"
    file.write_text(Path("bots_api/reproduce/case.py").read_text())
    spec = importlib.util.spec_from_file_location("case", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
