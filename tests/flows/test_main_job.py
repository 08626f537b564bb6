"""The main job: a slot opens a knockout, workers play it with real bots, a kill changes nothing."""

from __future__ import annotations

import socket
import urllib.request
from typing import Any

import pytest

from tests.flows.stack import Stack, running, wait_for

SECRET = "5c" * 32
DEALS = 2
BOTS = {"Kettu": "lowest_bot.py", "Karhu": "keeper_bot.py"}
PULLING = {"Susi": "lowest_bot.py", "Ilves": "keeper_bot.py"}
# Only a run that hangs is stopped by it: how fast it is says the benchmark, not this test.
PATIENCE_S = 600


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running(tmp_path_factory.mktemp("flow") / "main") as stack:
        yield stack


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def entries(stack: Stack) -> dict[str, Any]:
    """Register and start two bots that are called and two that connect, beside five house bots."""
    people = stack.plan("people")
    bots = []
    for name, file in BOTS.items():
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        made = stack.post("/api/v1/bots", {"name": name, "url": url}, people["token"])
        stack.start_bot(file, port, made["signing_secret"])
        bots.append(made["bot"])
    for name, file in PULLING.items():
        made = stack.post("/api/v1/bots", {"name": name, "transport": "pull"}, people["token"])
        stack.start_pulling(file, made["token"])
        bots.append(made["bot"])
    remote = [bot["player"]["id"] for bot in bots]
    return {**people, "bots": bots, "players": [*people["house"], *remote]}


def opened(stack: Stack, name: str) -> dict[str, Any] | None:
    """The competition of that name, once a slot has opened it."""
    found = [c for c in stack.get("/api/v1/competitions")["results"] if c["name"] == name]
    return found[0] if found else None


def finished(stack: Stack, name: str) -> bool:
    competition = opened(stack, name)
    return competition is not None and competition["state"] == "finished"


def test_a_knockout_survives_the_death_of_its_worker(stack: Stack) -> None:
    who = entries(stack)
    plan = {"club": who["club"], "players": who["players"], "secret": SECRET, "deals": DEALS}
    stack.plan("schedule", name="Calm", **plan)
    wait_for(lambda: finished(stack, "Calm"), PATIENCE_S, "the calm run does not end")

    stack.plan("schedule", name="Killed", **plan)
    wait_for(lambda: halfway(stack, "Killed"), PATIENCE_S, "the second run does not begin")
    stack.kill_worker()
    assert not finished(stack, "Killed")
    stack.start_worker()
    wait_for(lambda: finished(stack, "Killed"), PATIENCE_S, "the killed run does not end")

    calm, killed = opened(stack, "Calm"), opened(stack, "Killed")
    assert calm is not None
    assert killed is not None
    assert fingerprint(stack, calm) == fingerprint(stack, killed)
    assert standings(stack, calm) == standings(stack, killed)
    assert faults(stack, who) == []
    check_whole(stack, killed)


def halfway(stack: Stack, name: str) -> bool:
    """A driven game is under way and something has been played already."""
    competition = opened(stack, name)
    if competition is None or competition["state"] != "running":
        return False
    progress = stack.get(f"/api/v1/competitions/{competition['id']}/dashboard")["progress"]
    done, planned = int(progress["games_done"]), int(progress["games_planned"])
    return 0 < done < planned


def fingerprint(stack: Stack, competition: dict[str, Any]) -> str:
    return stack.manage("fingerprint", competition["slug"]).strip()


def standings(stack: Stack, competition: dict[str, Any]) -> list[Any]:
    rows = stack.get(f"/api/v1/competitions/{competition['id']}/standings")["results"]
    return [(row["player"]["name"], row["rank"], row["chips"]) for row in rows]


def faults(stack: Stack, who: dict[str, Any]) -> list[Any]:
    lists = [stack.get(f"/api/v1/bots/{b['id']}/faults", who["token"]) for b in who["bots"]]
    return [fault for found in lists for fault in found["results"]]


def check_whole(stack: Stack, competition: dict[str, Any]) -> None:
    """Nine entries, each with a place; chips are the losses of all deals; nothing to recompute."""
    rows = stack.get(f"/api/v1/competitions/{competition['id']}/standings")["results"]
    assert len(rows) == 9
    # Three tables of three, then the final: each deal has one loser.
    assert sum(row["chips"] for row in rows) == 4 * DEALS
    stack.manage("recompute", "--check")


def test_the_page_shows_the_tournament(stack: Stack) -> None:
    competition = opened(stack, "Killed")
    assert competition is not None
    with urllib.request.urlopen(f"{stack.address}/c/{competition['slug']}/", timeout=20) as page:
        html = page.read().decode()
    for name in BOTS | PULLING:
        assert name in html
