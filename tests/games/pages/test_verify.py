"""The proof checked: by the page's own script in Node.js, and by the server's page without any."""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from games.models import Seat
from games.services import phrases, resigning
from tests.flows.toolchains import node
from tests.games import cast
from tests.games.api.client import Api
from tests.games.pages.test_table import guest, page

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = Path(__file__).parents[3] / "games" / "static" / "games" / "verify.js"
RUN = """
const { check } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const told = [];
for (const proof of JSON.parse(text)) told.push(await check(proof));
console.log(JSON.stringify(told));
"""


def checked(*proofs: Any) -> list[str | None]:
    """What the page's script says of each: null, or the key that does not hold."""
    command = [node(), "--input-type=module", "-e", RUN, SCRIPT.as_uri()]
    given = json.dumps(proofs)
    done = subprocess.run(command, input=given, capture_output=True, check=True, text=True)
    told: list[str | None] = json.loads(done.stdout)
    return told


def proof_of(preset: str, seats: int = 2, jokers: int = 0) -> tuple[UUID, Any]:
    game_id, _ = cast.dealt(seats, preset, max_plies=100, jokers=jokers)
    cast.play_out(game_id)
    return game_id, Api().get(f"/games/{game_id}/proof")


def test_the_script_finds_every_broken_promise_and_no_other() -> None:
    _, whole = proof_of("table", seats=6, jokers=2)
    _, bluff = proof_of("valepaska", seats=3)
    broken = [copy.deepcopy(whole) for _ in range(6)]
    broken[0]["server_seed"] = "00" * 32
    broken[1]["commitment"] = "00" * 32
    broken[2]["entropies"][0][1] += "!"
    deck = broken[3]["record"]["deck"]
    # With two packs the first cards may be equal.
    other = next(at for at, card in enumerate(deck) if card != deck[0])
    deck[0], deck[other] = deck[other], deck[0]
    broken[4]["at_ms"][-1] += 1
    broken[5]["record"]["actions"][0] = "0 -"
    assert checked(whole, bluff, *broken) == [
        None,
        None,
        "deck_id",
        "commitment",
        "deck",
        "deck",
        "head",
        "head",
    ]


def test_the_server_checks_for_browsers_that_run_nothing() -> None:
    game_id, _ = proof_of("classic")
    assert "Verify the deal" in page(Client(), game_id)
    told = Api().get(f"/games/{game_id}/verdict")
    assert (told["ok"], told["places"]) == (True, cast.row(game_id).places)
    answer = Client().get(f"/g/{game_id}/verify")
    text = answer.content.decode()
    assert "The deal was honest" in text and "was told the cards" in text


def test_while_a_game_is_played_there_is_nothing_to_verify() -> None:
    game_id, _ = cast.dealt(2, "classic")
    assert "Verify the deal" not in page(Client(), game_id)
    assert Api().get(f"/games/{game_id}/verdict")["code"] == "deck_in_play"
    assert Client().get(f"/g/{game_id}/verify").status_code == 302


def test_phrases_are_said_and_shown_by_a_form() -> None:
    aino, game_id = guest("Aino", preset="classic")
    bertil, _ = guest("Bertil", game_id)
    for client in (aino, bertil):
        client.post(f"/g/{game_id}/ready")
    aino.post(f"/g/{game_id}/say", {"phrase": "good_luck"})
    assert "Aino: Good luck!" in page(bertil, game_id)
    bertil.post(f"/g/{game_id}/say", {"phrase": "<script>"})
    assert "no such phrase" in page(bertil, game_id)
    own = Seat.objects.get(game=game_id, index=1).player
    assert own is not None
    own.mutes_phrases = True
    own.save()
    assert "Aino: Good luck!" not in page(bertil, game_id)
    assert phrases.PAUSE_S > 0
    resigning.resign(game_id, own)
