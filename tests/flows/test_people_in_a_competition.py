"""A cup with people, a bot that is called and a house bot, on real processes, to its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.flows.stack import Stack, running, wait_for
from tests.flows.test_main_job import free_port

PATIENCE_S = 600
READY_S = 5


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(tmp_path_factory.mktemp("flow") / "people") as stack:
        yield stack


class Person:
    """Somebody who looks at his own games and does what is the first legal thing to do."""

    def __init__(self, stack: Stack, name: str) -> None:
        made = stack.post("/api/v1/players", {"name": name}, "")
        self.stack, self.token, self.id = stack, made["token"], made["player"]["id"]
        self.played: set[str] = set()

    def look_after(self) -> None:
        """Be ready where it is asked, move where it is his turn."""
        for game in self.stack.get("/api/v1/me/games", self.token)["results"]:
            self.played.add(game["id"])
            if game["state"] == "ready" and not self._is_ready(game):
                self._post(game, "ready", {"entropy": f"of {self.id}"})
            elif game["state"] == "playing":
                self._move(game)

    def _is_ready(self, game: dict[str, Any]) -> bool:
        (seat,) = [s for s in game["seats"] if s["player"]["id"] == self.id]
        return bool(seat["ready"])

    def _move(self, game: dict[str, Any]) -> None:
        shown = self.stack.get(f"/api/v1/games/{game['id']}", self.token)
        for _ in range(20):
            if not shown["legal"]:
                return
            # A swap is a form to be filled in: here nothing is swapped.
            action = "S:/" if shown["legal"] == ["S"] else shown["legal"][0]
            move = {"move_number": shown["move_number"], "action": action}
            self._post(game, "moves", move)
            shown = self.stack.get(f"/api/v1/games/{game['id']}", self.token)

    def _post(self, game: dict[str, Any], what: str, body: dict[str, Any]) -> None:
        self.stack.post(f"/api/v1/games/{game['id']}/{what}", body, self.token)


def test_people_a_bot_and_a_house_bot_play_and_who_stays_away_stops_nobody(stack: Stack) -> None:
    organiser = stack.plan("people")["token"]
    aino, absent = Person(stack, "Aino"), Person(stack, "Bertil")
    port = free_port()
    wish = {"name": "Kettu", "url": f"http://127.0.0.1:{port}"}
    bot = stack.post("/api/v1/bots", wish, organiser)
    stack.start_bot("lowest_bot.py", port, bot["signing_secret"])
    settings = {"entrants": "all", "deals_per_table": 2, "table_size": 4, "ready_s": READY_S}
    cup = stack.post(
        "/api/v1/competitions",
        {
            "club": "kulma",
            "name": "People's cup",
            "format": "rounds",
            "settings": {**settings, "rounds": 1, "stalemate": "share", "dealer": "loser"},
            "secret": "5c" * 16,
        },
        organiser,
    )
    one = f"/api/v1/competitions/{cup['id']}"
    for player in (aino.id, absent.id, bot["bot"]["player"]["id"], "house:lowest"):
        stack.post(f"{one}/entries", {"player": player}, organiser)
    stack.post(f"{one}/start", {}, organiser)

    def over() -> bool:
        aino.look_after()
        return bool(stack.get(one)["state"] == "finished")

    began = time.monotonic()
    wait_for(over, PATIENCE_S, "the people's cup does not end")
    assert time.monotonic() - began >= READY_S
    rows = stack.get(f"{one}/ledger?limit=100")["results"]
    (result,) = [row["body"] for row in rows if row["event"] == "result.confirmed"]
    assert (result["source"], len(result["deals"])) == ("online", 2)
    number = {entry["player"]["id"]: entry["number"] for entry in entries(stack, one)}
    marked = {mark["entry"] for mark in result["marks"] if mark["stand_in"]}
    assert marked == {number[absent.id]}
    assert len(aino.played) == 2
    stack.manage("recompute", "--check")


def entries(stack: Stack, one: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = stack.get(f"{one}/entries")["results"]
    return found
