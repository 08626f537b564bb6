"""Verdicts on records and proofs: an honest one passes, whatever is changed in one is found."""

import json
import random
from typing import Any

import pytest

from games.engine import (
    Game,
    Phase,
    Record,
    chain,
    commitment,
    deal_seed,
    deck_id,
    packs_needed,
    rules_from,
    shuffled_deck,
    verify_lines,
)
from games.engine.record import split_entry
from tests.games.engine.support import play_on

SEED = bytes(range(32))


def proof_of(preset: str = "table", players: int = 3, seed: int = 1) -> dict[str, Any]:
    """A game of random play with its proof, as JSON."""
    rules = rules_from(preset)
    entropies = [(seat, f"entropy of {seat} ä") for seat in range(players)]
    dealt = deal_seed(SEED, deck_id(SEED), entropies)
    packs, _ = packs_needed(rules, players)
    game = Game(rules, players, 0, shuffled_deck(dealt, packs, rules.jokers))
    deck, played = game.deck, play_on(game, random.Random(seed))
    times = [1000 * n for n in range(len(played))]
    actions = tuple(f"{seat} {text}" for seat, text in played)
    record = Record(preset, players, 0, deck, actions, deal_seed=dealt)
    return {
        "format": "paskahousu-proof",
        "version": 1,
        "record": record.to_json(),
        "deck_id": deck_id(SEED),
        "commitment": commitment(SEED).hex(),
        "server_seed": SEED.hex(),
        "entropies": [list(pair) for pair in entropies],
        "at_ms": times,
        "by": ["seat"] * len(played),
        "head": chain(SEED, played, times).hex(),
    }


def verdict(value: object) -> dict[str, Any]:
    (told,) = verify_lines(value if isinstance(value, str) else json.dumps(value))
    return told


@pytest.mark.parametrize("preset", ["table", "valepaska", "ruotsalainen"])
def test_an_honest_proof_holds(preset: str) -> None:
    told = verdict(proof_of(preset))
    assert (told["ok"], told["proof"], told["ending"]) == (True, True, "over")
    assert sorted(seat for group in told["places"] for seat in group) == [0, 1, 2]


def test_a_game_of_house_bots_keeps_no_times() -> None:
    proof = proof_of()
    actions = [split_entry(entry) for entry in proof["record"]["actions"]]
    proof |= {"at_ms": [None] * len(actions), "head": chain(SEED, actions).hex()}
    assert verdict(proof)["ok"]
    proof["at_ms"][0] = 0
    assert verdict(proof)["error"] == "at_ms"


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("server_seed", "00" * 32, "deck_id"),
        ("deck_id", "00" * 16, "deck_id"),
        ("commitment", "00" * 32, "commitment"),
        ("head", "00" * 32, "head"),
        ("entropies", [[0, "another"], [1, "b"], [2, "c"]], "deal"),
        ("version", 2, "malformed_proof"),
        ("format", "paskahousu-proofs", "malformed_record"),
        ("by", ["clock"], "malformed_proof"),
        ("entropies", [[0, "x" * 65]], "malformed_proof"),
        ("entropies", [[0, "\ud800"]], "malformed_proof"),
        ("entropies", [[True, "x"]], "malformed_proof"),
        ("head", "AB" * 32, "malformed_proof"),
        ("at_ms", [1.5], "malformed_proof"),
        ("record", [], "malformed_record"),
    ],
)
def test_a_promise_that_does_not_hold_is_named(key: str, value: object, error: str) -> None:
    told = verdict(proof_of() | {key: value})
    assert (told["ok"], told["error"]) == (False, error)


def test_a_missing_and_an_unknown_key_are_named() -> None:
    proof = proof_of()
    assert verdict(proof | {"more": 1})["detail"] == "more"
    del proof["head"]
    assert verdict(proof)["detail"] == "head"


def test_a_time_before_the_one_before_it_is_found() -> None:
    proof = proof_of()
    proof["at_ms"][3] = 0
    assert verdict(proof)["error"] == "at_ms"


def test_a_default_that_is_none_is_found() -> None:
    proof = proof_of()
    swapped = next(n for n, entry in enumerate(proof["record"]["actions"]) if "/" in entry[3:-1])
    proof["by"][swapped] = "default"
    assert verdict(proof) == {"record": 1, "ok": False, "error": "by", "ply": swapped}


def test_another_action_deck_or_time_breaks_the_chain_or_the_deal() -> None:
    proof = proof_of()
    for change in (_last_action_gone, _two_cards_changed, _a_second_later):
        assert not verdict(change(json.loads(json.dumps(proof))))["ok"]


def _last_action_gone(proof: dict[str, Any]) -> dict[str, Any]:
    for entries in (proof["record"]["actions"], proof["at_ms"], proof["by"]):
        entries.pop()
    return proof


def _two_cards_changed(proof: dict[str, Any]) -> dict[str, Any]:
    deck = proof["record"]["deck"]
    deck[-1], deck[-2] = deck[-2], deck[-1]
    return proof


def _a_second_later(proof: dict[str, Any]) -> dict[str, Any]:
    proof["at_ms"][-1] += 1000
    return proof


def test_a_changed_byte_is_found() -> None:
    """Anywhere but in what no hash covers: options that this game never met, and `by`."""
    proof = proof_of()
    text = json.dumps(proof)
    free = [(text.index('"rules"'), text.index('"players"')), (text.index('"by"'), len(text))]
    free[1] = (free[1][0], text.index('"head"'))
    rng = random.Random(3)
    for _ in range(400):
        at = rng.randrange(len(text))
        changed = chr(rng.choice([c for c in range(33, 127) if c != ord(text[at])]))
        if any(start <= at < end for start, end in free) or text[at] == " " == changed:
            continue
        told = list(verify_lines(text[:at] + changed + text[at + 1 :]))
        assert not any(line["ok"] for line in told), (at, text[at - 20 : at + 20], changed)


def test_a_record_that_ends_before_the_round_does_is_a_legal_prefix() -> None:
    record = proof_of()["record"]
    record["actions"] = record["actions"][:5]
    assert verdict(record) == {"record": 1, "ok": True, "plies": 5, "ending": None, "places": []}


def test_records_and_proofs_may_be_mixed() -> None:
    proof = proof_of()
    lines = [json.dumps(value) for value in (proof, proof["record"])]
    told = list(verify_lines("\n".join(lines)))
    assert [line["ok"] for line in told] == [True, True]
    assert told[1]["ending"] == Phase.OVER
