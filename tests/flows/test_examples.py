"""Every example that authors get plays in a real tournament, one from behind a firewall."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest

from tests.flows import toolchains
from tests.flows.firewall import Inside, NoFirewallError, behind_firewall
from tests.flows.stack import HOST, SDK, Stack, running, wait_for
from tests.not_run import not_run

# Only a run that hangs is stopped by it.
PATIENCE_S = 600
PORT = 8001
LISTEN = f"import socket; s = socket.create_server(('', {PORT})); print(flush=True); s.accept()"
CONNECT = "import socket; socket.create_connection({}, 20)"


class Field(NamedTuple):
    """What came of the tournament: by bot's name its document and faults, and the standings."""

    bots: dict[str, dict[str, Any]]
    faults: dict[str, list[Any]]
    checks: dict[str, dict[str, Any]]
    ranked: set[str]
    missing: dict[str, str]


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
def field(tmp_path_factory: pytest.TempPathFactory, wall: Inside | str) -> Iterator[Field]:
    """One tournament of all examples beside two house bots, each checked before."""
    folder = tmp_path_factory.mktemp("examples")
    building = toolchains.building_go(folder / "gobot")
    host = wall.outside if isinstance(wall, Inside) else HOST
    with running(folder / "stack", host) as stack:
        people = stack.plan("people")
        token = people["token"]
        bots, missing = started(stack, token, wall)
        assert building.wait() == 0
        bots["Go"] = called(stack, token, "Go", [str(folder / "gobot")])
        checks = {name: checked(stack, token, bot["id"]) for name, bot in bots.items()}
        players = [people["house"][0], *(bot["player"]["id"] for bot in bots.values())]
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
        )


def started(
    stack: Stack, token: str, wall: Inside | str
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Register and start all but Go; and what can't be started here, with the reason."""
    javascript = [toolchains.node(), str(toolchains.EXAMPLES / "js" / "bot.mjs")]
    bots = {
        "JavaScript": called(stack, token, "JavaScript", javascript),
        "Python": called(stack, token, "Python", toolchains.python("keeper_bot.py")),
    }
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


def called(stack: Stack, token: str, name: str, argv: list[str]) -> dict[str, Any]:
    """A bot that the service calls."""
    port = free_port()
    made = stack.post("/api/v1/bots", {"name": name, "url": f"http://{HOST}:{port}"}, token)
    secret = made["signing_secret"]
    argv = [*argv, "--port", str(port)]
    stack.start_program(name, argv, HOUSUBOT_SECRET=secret, PYTHONPATH=str(SDK))
    bot: dict[str, Any] = made["bot"]
    return bot


def pulling(stack: Stack, token: str, name: str, argv: list[str]) -> dict[str, Any]:
    """A bot that connects to the service."""
    made = stack.post("/api/v1/bots", {"name": name, "transport": "pull"}, token)
    env = {"HOUSUBOT_TOKEN": made["token"], "PYTHONPATH": str(SDK), "JQ": toolchains.jq()}
    stack.start_program(name, [*argv, "--pull", stack.address], **env)
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


@pytest.mark.parametrize("name", ["Python", "JavaScript", "Go", "Shell", "Firewalled"])
def test_an_example_passes_its_check_and_plays_a_tournament_without_a_fault(
    name: str, field: Field
) -> None:
    if name in field.missing:
        check = "shell example" if name == "Shell" else "one-way firewall"
        not_run(check, field.missing[name])
    wrong = [step for step in field.checks[name]["steps"] if step["verdict"] == "failed"]
    assert wrong == []
    assert field.bots[name]["version"] == "1.0"
    assert field.faults[name] == []
    assert name in field.ranked


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
