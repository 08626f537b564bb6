"""Verdicts on records and proofs, one each (records.md). Text in, JSON objects out; no files."""

from collections.abc import Iterator
from typing import Any

from games.engine import proof
from games.engine.errors import EngineError, IllegalAction
from games.engine.game import Game
from games.engine.record import Record, parse_record, play_entry, read_json, values


def verify_lines(text: str) -> Iterator[dict[str, Any]]:
    """One verdict a record or proof: whether it can be read, all its actions are legal and, of a
    proof, every promise holds. `ok` says it; else `error` and what else is known of it."""
    for number, value in enumerate(values(text), start=1):
        yield {"record": number, **_verdict(value)}


def _verdict(text: str) -> dict[str, Any]:
    try:
        wire = read_json(text)
        if isinstance(wire, dict) and wire.get("format") == proof.FORMAT:
            return {**_end(proof.prove(proof.parse_proof(wire))), "proof": True}
        record = parse_record(wire)
    except (EngineError, proof.BadProof) as error:
        return {"ok": False, "error": error.code, **error.data}
    return _replayed(record)


def _replayed(record: Record) -> dict[str, Any]:
    game = record.game()
    for entry in record.actions:
        try:
            play_entry(game, entry)
        except IllegalAction as error:
            return {"ok": False, "error": error.code, "ply": game.ply, "action": entry}
    return _end(game)


def _end(game: Game) -> dict[str, Any]:
    ending = None if game.ending is None else game.ending.value
    places = [list(group) for group in game.places]
    return {"ok": True, "plies": game.ply, "ending": ending, "places": places}
