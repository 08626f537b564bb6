"""Verdicts on records and proofs, one each (records.md). Text in, JSON objects out; no files."""

from collections.abc import Iterator
from typing import Any

from games.engine import proof, resigning
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
            told = proof.parse_proof(wire)
            return {**_end(proof.prove(told), told.record), "proof": True}
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
    return _end(game, record)


def _end(game: Game, record: Record) -> dict[str, Any]:
    """How it ended; who resigned stands in the tags, which nothing binds."""
    ending = None if game.ending is None else game.ending.value
    places = game.places
    resigned = _resigned(record)
    if resigned:
        ending = ending or resigning.ENDING
        places = resigning.final_places(game, resigned)
    return {"ok": True, "plies": game.ply, "ending": ending, "places": [list(g) for g in places]}


def _resigned(record: Record) -> list[int]:
    """The seats that resigned, in order; none where the tags do not say so in our way."""
    told = record.tags.get("resigned") if isinstance(record.tags, dict) else None
    if not isinstance(told, list) or not all(isinstance(one, list) and one for one in told):
        return []
    seats = [one[0] for one in told]
    right = all(type(seat) is int and 0 <= seat < record.players for seat in seats)
    return seats if right and len(set(seats)) == len(seats) else []
