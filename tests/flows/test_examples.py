"""Every example that authors get plays in a real tournament, one from behind a firewall."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from standardwebhooks import Webhook

from games.arena import starters
from games.arena.run import games
from games.arena.starters import STARTERS
from tests.flows import toolchains
from tests.flows.door import Enclosed, behind_door
from tests.flows.firewall import Inside, NoFirewallError, behind_firewall
from tests.flows.stack import HOST, SDK, Stack, running, wait_for
from tests.games.arena.support import contest
from tests.not_run import not_run

# Only a run that hangs is stopped by it.
PATIENCE_S = 300
PORT = 8001
CHECKS = {
    "Shell": "shell example",
    "Firewalled": "one-way firewall",
    "Enclosed": "enclosed network",
}
LISTEN = f"import socket; s = socket.create_server(('', {PORT})); print(flush=True); s.accept()"
CONNECT = "import socket; socket.create_connection({}, 20)"


class Called(NamedTuple):
    """Where a bot is called, and the secret that calls to it are signed with."""

    url: str
    secret: str


class Field(NamedTuple):
    """What came of the tournament: by bot's name its document and faults, and the standings."""

    bots: dict[str, dict[str, Any]]
    faults: dict[str, list[Any]]
    checks: dict[str, dict[str, Any]]
    ranked: set[str]
    missing: dict[str, str]
    called: dict[str, Called]
    go: Path


def free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def wall() -> Iterator[Inside | str]:
    """A host behind a one-way firewall, or why there is none."""
    with ExitStack() as stack:
        try:
            made: Inside | str = stack.enter_context(behind_firewall())
        except NoFirewallError as error:
            made = str(error)
        yield made


@pytest.fixture(scope="module")
def enclosed() -> Iterator[Enclosed | str]:
    """A host with nothing but a door that opens outward, or why there is none."""
    with ExitStack() as stack:
        try:
            made: Enclosed | str = stack.enter_context(behind_door())
        except NoFirewallError as error:
            made = str(error)
        yield made


@pytest.fixture(scope="module")
def field(
    tmp_path_factory: pytest.TempPathFactory, wall: Inside | str, enclosed: Enclosed | str
) -> Iterator[Field]:
    """One tournament of all examples, each checked before."""
    folder = tmp_path_factory.mktemp("examples")
    building = toolchains.building_go(folder / "gobot")
    host = wall.outside if isinstance(wall, Inside) else HOST
    with running(folder / "stack", host) as stack:
        people = stack.plan("people")
        token = people["token"]
        addresses: dict[str, Called] = {}
        bots, missing = started(stack, token, wall, addresses)
        if isinstance(enclosed, Enclosed):
            enclosed.lead_to(*stack.listener.getsockname())
            argv = enclosed.command(*toolchains.python("keeper_bot.py"))
            bots["Enclosed"] = pulling(stack, token, "Enclosed", argv, enclosed.address)
        else:
            missing["Enclosed"] = enclosed
        assert building.wait() == 0
        bots["Go"] = called(stack, token, "Go", [str(folder / "gobot")], addresses)
        bots["Go out"] = pulling(stack, token, "Go out", [str(folder / "gobot")])
        checks = {name: checked(stack, token, bot["id"]) for name, bot in bots.items()}
        players = [bot["player"]["id"] for bot in bots.values()]
        stack.plan(
            "schedule",
            name="Examples",
            club=people["club"],
            players=players,
            secret="e1" * 32,
            deals=1,
        )
        wait_for(lambda: finished(stack) is not None, PATIENCE_S, "the tournament does not end")
        rows = stack.get(f"/api/v1/competitions/{finished(stack)}/standings")["results"]
        yield Field(
            {name: stack.get(f"/api/v1/bots/{bot['id']}") for name, bot in bots.items()},
            {name: faults(stack, token, bot["id"]) for name, bot in bots.items()},
            checks,
            {row["player"]["name"] for row in rows},
            missing,
            addresses,
            folder / "gobot",
        )


def started(
    stack: Stack, token: str, wall: Inside | str, addresses: dict[str, Called]
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Register and start all but Go; and what can't be started here, with the reason."""
    javascript = [toolchains.node(), str(toolchains.EXAMPLES / "js" / "bot.mjs")]
    bots = {
        "JavaScript": called(stack, token, "JavaScript", javascript, addresses),
        "Python": called(stack, token, "Python", toolchains.python("keeper_bot.py"), addresses),
    }
    bots["JavaScript out"] = pulling(stack, token, "JavaScript out", javascript)
    missing = {}
    if toolchains.has_curl():
        bots["Shell"] = pulling(stack, token, "Shell", toolchains.shell())
    else:
        missing["Shell"] = "no curl here"
    if isinstance(wall, Inside):
        argv = wall.command(*toolchains.python("lowest_bot.py"))
        bots["Firewalled"] = pulling(stack, token, "Firewalled", argv)
    else:
        missing["Firewalled"] = wall
    return bots, missing


def called(
    stack: Stack, token: str, name: str, argv: list[str], addresses: dict[str, Called]
) -> dict[str, Any]:
    """A bot that the service calls."""
    port = free_port()
    url = f"http://{HOST}:{port}"
    made = stack.post("/api/v1/bots", {"name": name, "url": url}, token)
    secret = made["signing_secret"]
    addresses[name] = Called(url, secret)
    argv = [*argv, "--port", str(port)]
    stack.start_program(name, argv, HOUSUBOT_SECRET=secret, PYTHONPATH=str(SDK))
    bot: dict[str, Any] = made["bot"]
    return bot


def pulling(
    stack: Stack, token: str, name: str, argv: list[str], address: str = ""
) -> dict[str, Any]:
    """A bot that connects to the service."""
    made = stack.post("/api/v1/bots", {"name": name, "transport": "pull"}, token)
    env = {"HOUSUBOT_TOKEN": made["token"], "PYTHONPATH": str(SDK), "JQ": toolchains.jq()}
    stack.start_program(name, [*argv, "--pull", address or stack.address], **env)
    bot: dict[str, Any] = made["bot"]
    return bot


def checked(stack: Stack, token: str, bot_id: int) -> dict[str, Any]:
    """The report of a check by the service, once it is done."""
    path = f"/api/v1/bots/{bot_id}/checks/"
    path += str(stack.post(f"/api/v1/bots/{bot_id}/check", {}, token)["id"])
    done: Callable[[], bool] = lambda: stack.get(path)["finished_at"] is not None  # noqa: E731
    wait_for(done, PATIENCE_S, "the check does not end")
    report: dict[str, Any] = stack.get(path)
    return report


def finished(stack: Stack) -> int | None:
    """The number of the tournament, once it is over."""
    for one in stack.get("/api/v1/competitions")["results"]:
        if (one["name"], one["state"]) == ("Examples", "finished"):
            return int(one["id"])
    return None


def faults(stack: Stack, token: str, bot_id: int) -> list[Any]:
    found: list[Any] = stack.get(f"/api/v1/bots/{bot_id}/faults", token)["results"]
    return found


@pytest.mark.parametrize(
    "name",
    [
        *("Python", "JavaScript", "Go", "JavaScript out", "Go out"),
        *("Shell", "Firewalled", "Enclosed"),
    ],
)
def test_an_example_passes_its_check_and_plays_a_tournament_without_a_fault(
    name: str, field: Field
) -> None:
    if name in field.missing:
        not_run(CHECKS[name], field.missing[name])
    wrong = [step for step in field.checks[name]["steps"] if step["verdict"] == "failed"]
    assert wrong == []
    assert field.bots[name]["version"] == "1.0"
    assert field.faults[name] == []
    assert name in field.ranked


NONCE = b'{"type": "nonce", "protocol": 1, "nonce": "n1"}'
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"


def signed(
    secret: str, age_s: int = 0, body: bytes = NONCE, message_id: str = "m1"
) -> dict[str, str]:
    at = datetime.now(UTC) - timedelta(seconds=age_s)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(message_id, at, body.decode()),
    }


def said(url: str, headers: dict[str, str], body: bytes = NONCE) -> tuple[int, Any]:
    request = urllib.request.Request(f"{url}/move", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


@pytest.mark.parametrize("name", ["Python", "JavaScript", "Go"])
def test_an_example_that_is_called_refuses_what_the_service_did_not_sign(
    name: str, field: Field
) -> None:
    url, secret = field.called[name]
    good = signed(secret)
    for refused in (
        {},
        signed(OTHER),
        signed(secret, age_s=310),
        signed(secret, age_s=-310),
        good | {"webhook-id": "m2"},
        good | {"webhook-timestamp": str(int(good["webhook-timestamp"]) - 5)},
        good | {"webhook-signature": ""},
        good | {"webhook-signature": good["webhook-signature"].replace("v1,", "v2,")},
    ):
        assert said(url, refused)[0] == 401, refused
    assert said(url, good, NONCE + b" ")[0] == 401

    both = signed(OTHER)["webhook-signature"] + " " + good["webhook-signature"]
    for accepted in (good, good, good | {"webhook-signature": both}, signed(secret, age_s=290)):
        assert said(url, accepted) == (200, {"nonce": "n1"})


@pytest.mark.parametrize("name", ["Python", "JavaScript", "Go"])
def test_an_example_that_is_called_lives_through_nonsense(name: str, field: Field) -> None:
    url, secret = field.called[name]
    for number, body in enumerate((b"", b"[]", b"null", b"{", b"7", b"[" * 60_000)):
        headers = signed(secret, body=body, message_id=f"nonsense{number}")
        assert said(url, headers, body)[0] == 400, body[:10]
    said(url, signed(secret, body=b'{"type": "turn"}', message_id="empty"), b'{"type": "turn"}')
    with contextlib.suppress(OSError):  # who sends too much may be hung up on
        assert said(url, {}, b"x" * 70_000)[0] == 413
    assert said(url, signed(secret))[0] == 200


@pytest.mark.parametrize("language", sorted(STARTERS))
def test_a_starter_plays_in_the_arena_at_once(
    language: str, tmp_path: Path, field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    starters.lay_out(language, tmp_path / "bot")
    monkeypatch.chdir(tmp_path / "bot")
    for tool, line in programs(language, field):
        monkeypatch.setenv("JQ", tool)
        played = list(games(contest(f"{line} --stdio", "house:lowest", games=4)))
        assert [game.tallies[0].faults + game.tallies[1].faults for game in played] == [{}] * 4


def programs(language: str, field: Field) -> list[tuple[str, str]]:
    """The command lines of a starter; the shell one with every jq that there is."""
    if language == "sh":
        return [(jq, "sh bot.sh") for jq in {toolchains.jq(), shutil.which("jq")} if jq]
    go = shlex.quote(str(field.go))
    found = {"python": f"{sys.executable} bot.py", "js": f"{toolchains.node()} bot.mjs", "go": go}
    return [("", found[language])]


def test_the_firewall_lets_out_and_not_in(wall: Inside | str) -> None:
    if isinstance(wall, str):
        not_run("one-way firewall", wall)
    with socket.create_server((wall.outside, 0)) as server:
        call = CONNECT.format((wall.outside, server.getsockname()[1]))
        assert subprocess.run(wall.command(sys.executable, "-c", call), check=False).returncode == 0
    listen = wall.command(sys.executable, "-c", LISTEN)
    with subprocess.Popen(listen, stdout=subprocess.PIPE) as listening:
        assert listening.stdout is not None and listening.stdout.readline()
        with pytest.raises(TimeoutError):
            socket.create_connection((wall.address, PORT), timeout=1)
        call = CONNECT.format((wall.address, PORT))
        assert subprocess.run(wall.command(sys.executable, "-c", call), check=False).returncode == 0


def test_the_door_opens_outward_alone(enclosed: Enclosed | str, field: Field) -> None:
    if isinstance(enclosed, str):
        not_run("enclosed network", enclosed)
    listen = f"import socket; s = socket.create_server(('127.0.0.1', {free_port()})); "
    listen += "print(s.getsockname()[1], flush=True); s.accept()"
    with subprocess.Popen(
        enclosed.command(sys.executable, "-c", listen), stdout=subprocess.PIPE
    ) as listening:
        assert listening.stdout is not None
        port = int(listening.stdout.readline())
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HOST, port), timeout=1)
        call = CONNECT.format((HOST, port))
        inside = enclosed.command(sys.executable, "-c", call)
        assert subprocess.run(inside, check=False).returncode == 0
