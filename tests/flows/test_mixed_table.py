"""One table with all four kinds of player, on real processes: a person by the API, a bot that is
called, a bot that connects out, and a house bot."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.error import HTTPError

import pytest

from games.engine import verify_lines
from tests.flows.stack import Stack, running, wait_for
from tests.flows.test_main_job import free_port

PATIENCE_S = 300


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running(tmp_path_factory.mktemp("flow") / "mixed") as stack:
        yield stack


def bots(stack: Stack, token: str) -> list[int]:
    """A called bot and a connecting one, both running."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    called = stack.post("/api/v1/bots", {"name": "Kettu", "url": url}, token)
    stack.start_bot("lowest_bot.py", port, called["signing_secret"])
    pulling = stack.post("/api/v1/bots", {"name": "Susi", "transport": "pull"}, token)
    stack.start_pulling("keeper_bot.py", pulling["token"])
    return [called["bot"]["id"], pulling["bot"]["id"]]


def created(stack: Stack, seats: list[str], token: str) -> str:
    """A game of these seats, as soon as the bot that connects out is there."""
    made: list[str] = []

    def try_it() -> bool:
        try:
            body = {"preset": "table", "seats": seats}
            made.append(stack.post("/api/v1/games", body, token)["id"])
        except HTTPError as refused:
            assert "bot_not_accepting" in "".join(refused.__notes__)
            return False
        return True

    wait_for(try_it, 60, "the bots do not come")
    return made[0]


def choice(game: dict[str, Any]) -> str:
    """The first legal action, written out."""
    first: str = game["legal"][0]
    if first == "S":
        return "S:/"
    if first == "B":
        return f"B:{game['view']['down'][game['seat']].index(True)}"
    return first


def play(stack: Stack, game_id: str, token: str) -> dict[str, Any]:
    """Act whenever it is one's turn, until the game is over."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        game: dict[str, Any] = stack.get(f"/api/v1/games/{game_id}", token)
        if game["state"] == "over":
            return game
        assert time.monotonic() < give_up, (game["state"], game["view"]["to_act"])
        if game["legal"]:
            move = {"move_number": game["move_number"], "action": choice(game)}
            stack.post(f"/api/v1/games/{game_id}/moves", move, token)
        else:
            time.sleep(0.05)


def test_a_person_and_three_kinds_of_machine_play_one_game_to_its_proof(stack: Stack) -> None:
    owner = stack.plan("people")["token"]
    called, pulling = bots(stack, owner)
    seats = ["open", f"bot:{called}", f"bot:{pulling}", "house:cautious"]
    game_id = created(stack, seats, owner)
    stack.post(f"/api/v1/games/{game_id}/ready", {"entropy": "by hand"}, owner)
    over = play(stack, game_id, owner)

    assert sorted(seat for group in over["places"] for seat in group) == [0, 1, 2, 3]
    assert [seat["player"]["kind"] for seat in over["seats"]] == ["person", "bot", "bot", "house"]
    assert not any(seat["stand_in"] for seat in over["seats"])
    for bot in (called, pulling):
        assert stack.get(f"/api/v1/bots/{bot}/faults", owner)["results"] == []
    proof = stack.get(f"/api/v1/games/{game_id}/proof")
    acted = {int(entry[0]) for entry in proof["record"]["actions"]}
    assert (acted, set(proof["by"])) == ({0, 1, 2, 3}, {"seat"})
    (verdict,) = verify_lines(json.dumps(proof))
    assert verdict["ok"], verdict
    events = stack.get(f"/api/v1/games/{game_id}/events")["events"]
    assert [event["number"] for event in events] == list(range(len(events)))
    wait_for(
        lambda: stack.get("/api/v1/games/finished?limit=1")["results"][0]["id"] == game_id,
        20,
        "the game is not listed",
    )


def test_a_quick_game_is_filled_with_house_bots_by_the_sweep(stack: Stack) -> None:
    token = stack.post("/api/v1/players", {"name": "Bertil"})["token"]
    made = stack.post("/api/v1/games/quick", {"preset": "classic", "players": 3}, token)
    assert made["state"] == "forming"
    began = time.monotonic()
    wait_for(
        lambda: stack.get(f"/api/v1/games/{made['id']}", token)["state"] == "playing",
        60,
        "nobody comes",
    )
    assert time.monotonic() - began > 15
    over = play(stack, made["id"], token)
    assert over["state"] == "over"
