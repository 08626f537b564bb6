"""The check of a bot: what it asks, what it says, who may see what of it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bots_api import tasks
from bots_api.errors import CheckLimitError
from bots_api.models import CheckReport
from bots_api.protocol import positions
from bots_api.protocol.messages import turn_message
from bots_api.sdk import housubot
from bots_api.services import checks
from games.arena import positions as arena_positions
from games.models import Player
from tests.bots_api.cast import puller, registered
from tests.bots_api.test_pull import Sound, playing
from tests.games.api.client import Api
from tests.raw_server import answer, read_request, running
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = 1 + 1 + 12 + 2


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]


@contextmanager
def sound_bot() -> Iterator[tuple[int, list[str]]]:
    server = housubot.server(Sound(), ["whsec_AAAA"])
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server.server_port, server.RequestHandlerClass.secrets
    server.shutdown()
    thread.join()
    server.server_close()


def checked(bot_id: int, owner_id: int) -> CheckReport:
    report = checks.ask(bot_id, owner_id)
    tasks.check(str(report.pk))
    report.refresh_from_db()
    return report


def owner_of(made: Any) -> int:
    return int(made.bot.player.owner_id)


def test_a_sound_bot_passes_every_step() -> None:
    with sound_bot() as (port, secrets):
        made = registered(f"http://127.0.0.1:{port}")
        secrets[:] = [made.signing_secret or ""]
        report = checked(made.bot.pk, owner_of(made))
    assert [step["detail"] for step in report.steps if step["verdict"] == "failed"] == []
    assert (report.state, len(report.steps)) == ("passed", STEPS)
    assert report.version is not None
    assert report.p50_ms is not None and report.p95_ms is not None
    assert report.steps[5]["asked"].startswith("curl -s http://127.0.0.1")
    assert report.steps[-1]["step"] == "64 KiB"
    assert report.steps[5]["status"] == 200


def test_a_bot_that_connects_out_passes_too() -> None:
    made = puller()
    with serving() as web, playing(web, made, Sound()):
        report = checked(made.bot.pk, owner_of(made))
    assert [step["detail"] for step in report.steps if step["verdict"] == "failed"] == []
    assert (report.state, len(report.steps)) == ("passed", STEPS)


def test_an_illegal_action_is_named_with_its_rule() -> None:
    async def always_picks_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line, _, body = await read_request(reader)
            reply: dict[str, Any] = {"protocol": 1, "version": "1"}
            if line.startswith("POST"):
                message = json.loads(body)
                reply = {"action": "U"} if message["type"] == "turn" else {"nonce": "?"}
            writer.write(answer(json.dumps(reply).encode()))

    with running(always_picks_up) as port:
        made = registered(f"http://127.0.0.1:{port}")
        report = checked(made.bot.pk, owner_of(made))

    verdicts = {step["step"]: (step["verdict"], step["detail"]) for step in report.steps}
    assert report.state == "failed"
    assert verdicts["nonce"] == ("failed", "The reply has not the same `nonce`.")
    assert verdicts["position: only the pile"] == ("ok", "")
    assert verdicts["position: first play"][1].startswith("The action is illegal: ")


def test_a_bot_that_is_not_there_fails_at_the_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots_api.checks.askers.WAKING_S", 0.2)
    made = puller()
    report = checked(made.bot.pk, owner_of(made))
    assert report.state == "failed"
    assert [step["step"] for step in report.steps] == ["handshake"]


def test_two_tasks_carry_a_check_out_once() -> None:
    made = puller()
    report = checks.ask(made.bot.pk, owner_of(made))
    assert checks.claim(report.pk) == made.bot.pk
    assert checks.claim(report.pk) is None
    assert checks.waiting() == []


def test_a_check_that_nobody_finishes_is_closed() -> None:
    made = puller()
    report = checks.ask(made.bot.pk, owner_of(made))
    for _ in range(checks.MAX_ATTEMPTS):
        assert checks.claim(report.pk) is not None
        CheckReport.objects.update(lease_until="2000-01-01T00:00Z")
    assert checks.waiting() == [report.pk]
    assert checks.claim(report.pk) is None
    report.refresh_from_db()
    assert (report.state, report.steps[0]["step"]) == ("failed", "service")


def test_reports_are_public_but_for_what_was_sent_where() -> None:
    made = puller()
    api = Api(Player.objects.get(pk=owner_of(made)))
    api.headers["authorization"] = owner_token(made)
    path = f"/bots/{made.bot.pk}"

    asked = api.post(f"{path}/check")
    assert (api.status, asked["state"]) == (202, "waiting")
    assert api.post(f"{path}/check")["code"] == "check_running"
    step = {"step": "nonce", "verdict": "ok", "detail": "", "ms": 1.0, "asked": "curl secret"}
    checks.close(asked["id"], checks.Report(True, [step], 1.0, 2.0))

    assert api.get(f"{path}/checks/{asked['id']}")["steps"][0]["asked"] == "curl secret"
    public = Api().get(f"{path}/checks")["results"][0]
    assert (public["state"], public["steps"][0]["asked"]) == ("passed", "")
    assert "nonce" in Api().client.get(f"/b/{made.bot.player.name}/").content.decode()
    assert Api().get(f"{path}/checks/99999")["code"] == "check_not_found"


def test_checks_are_limited_by_the_hour_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "CHECKS_AN_HOUR", 1)
    made = puller()
    report = checks.ask(made.bot.pk, owner_of(made))
    checks.close(report.pk, checks.Report(True, [], None, None))
    with pytest.raises(CheckLimitError) as refused:
        checks.ask(made.bot.pk, owner_of(made))
    assert refused.value.data["limit"] == 1


def test_the_positions_cover_every_kind_of_decision() -> None:
    starts = {action[0] for one in positions.POSITIONS for action in positions.turn_of(one).legal}
    assert starts >= set("SPUBXDC!.")
    assert len({one.name for one in positions.POSITIONS}) == 12


def test_the_arena_puts_the_same_positions() -> None:
    shown = {one["name"]: one["message"] for one in positions.document()}
    for position in positions.POSITIONS:
        assert arena_positions.message(position) == shown[position.name]


def test_positions_and_schema_agree() -> None:
    client = Api().client
    shown = {name: client.get(f"/sdk/{name}") for name in ("positions.json", "turn.schema.json")}
    schema = json.loads(shown["turn.schema.json"].content)
    turns = Draft202012Validator({**schema, "required": [*schema["required"][:2], "view", "legal"]})
    for one in json.loads(shown["positions.json"].content):
        turns.validate(one["message"])
    for position in positions.POSITIONS:
        Draft202012Validator(schema).validate(turn_message(positions.turn_of(position), 41).shown)


def owner_token(made: Any) -> str:
    from games.models import Token  # noqa: PLC0415
    from games.services import tokens  # noqa: PLC0415

    owner = Player.objects.get(pk=owner_of(made))
    return f"Bearer {tokens.issue(owner, [Token.Scope.BOT]).text}"
