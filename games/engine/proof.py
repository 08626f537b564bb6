"""Proofs: that a deal was dealt and kept honestly (records.md, "Proofs"; guarantees.md).

Reads a proof and checks each of its promises with the hashes of fairness.py. What no hash covers
(tags, the clock's word in `by`) is checked for its form alone, defaults against the game.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from games.engine.fairness import chain, commitment, deal_seed, deck_id
from games.engine.game import Game
from games.engine.record import Record, parse_record, play_entry, split_entry
from games.engine.shuffle import shuffled_deck

FORMAT: Final = "paskahousu-proof"
VERSION: Final = 1
BY: Final = ("seat", "default", "stand_in")
MOST_ENTROPY: Final = 64
"""Bytes a seat may give."""
_KEYS: Final = frozenset(
    (
        "format",
        "version",
        "record",
        "deck_id",
        "commitment",
        "server_seed",
        "entropies",
        "at_ms",
        "by",
        "head",
    )
)


class BadProof(Exception):  # noqa: N818
    """A proof that can't be read, or a promise in it that does not hold: `code` names the key."""

    def __init__(self, code: str, data: dict[str, object] | None = None) -> None:
        super().__init__(code)
        self.code, self.data = code, data or {}


@dataclass(frozen=True)
class Proof:
    """A record with what binds it: hashes as bytes, one time and one `by` an action."""

    record: Record
    deck_id: str
    commitment: bytes
    server_seed: bytes
    entropies: tuple[tuple[str | int, str], ...]
    at_ms: tuple[int | None, ...]
    by: tuple[str, ...]
    head: bytes


def parse_proof(wire: dict[str, Any]) -> Proof:
    """Read a proof from its JSON object. Raises `BadProof` (`malformed_proof` with the key), and
    `MalformedRecord` for its record."""
    for key in sorted(set(wire) ^ _KEYS):
        _malformed(key)
    if wire["format"] != FORMAT:
        _malformed("format")
    if type(wire["version"]) is not int or wire["version"] != VERSION:
        _malformed("version")
    record = parse_record(wire["record"])
    plies = len(record.actions)
    return Proof(
        record=record,
        deck_id=_hex(wire, "deck_id", 16).hex(),
        commitment=_hex(wire, "commitment", 32),
        server_seed=_hex(wire, "server_seed", 32),
        entropies=tuple((pair[0], pair[1]) for pair in _list(wire, "entropies", _is_entropy)),
        at_ms=tuple(_list(wire, "at_ms", _is_time, plies)),
        by=tuple(_list(wire, "by", lambda by: by in BY, plies)),
        head=_hex(wire, "head", 32),
    )


def prove(proof: Proof) -> Game:
    """Check every promise and return the game. Raises `BadProof` with the key that does not hold,
    `IllegalAction` at an action that is not legal."""
    seed = proof.server_seed
    _must(proof.deck_id == deck_id(seed), "deck_id")
    _must(proof.commitment == commitment(seed), "commitment")
    _must(_is_dealt_from(proof.record, deal_seed(seed, proof.deck_id, proof.entropies)), "deal")
    _must(_rises(proof.at_ms), "at_ms")
    actions = [split_entry(entry) for entry in proof.record.actions]
    _must(proof.head == chain(seed, actions, proof.at_ms), "head")
    return _replayed(proof)


def _is_dealt_from(record: Record, seed: bytes) -> bool:
    packs = len(record.deck) // 52
    dealt = shuffled_deck(seed, packs, record.rules.jokers)
    return record.deck == dealt and record.deal_seed in (None, seed)


def _rises(times: Sequence[int | None]) -> bool:
    """House games keep no times; others keep all, and none comes before the one before it."""
    kept = [at for at in times if at is not None]
    return not kept or (len(kept) == len(times) and kept == sorted(kept))


def _replayed(proof: Proof) -> Game:
    game = proof.record.game()
    for entry, by in zip(proof.record.actions, proof.by, strict=True):
        seat, action = split_entry(entry)
        if by == "default" and game.check(seat, action) != game.default_action(seat):
            raise BadProof("by", {"ply": game.ply})
        play_entry(game, entry)
    return game


def _must(holds: bool, key: str) -> None:
    if not holds:
        raise BadProof(key)


def _malformed(key: str) -> NoReturn:
    raise BadProof("malformed_proof", {"detail": key})


def _hex(wire: dict[str, Any], key: str, size: int) -> bytes:
    value = wire[key]
    if not isinstance(value, str) or not re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", value):
        _malformed(key)
    return bytes.fromhex(value)


def _list(
    wire: dict[str, Any], key: str, fits: Callable[[Any], bool], size: int | None = None
) -> list[Any]:
    values = wire[key]
    if not isinstance(values, list) or not all(map(fits, values)):
        _malformed(key)
    if size is not None and len(values) != size:
        _malformed(key)
    return values


def _is_time(at: object) -> bool:
    return at is None or (type(at) is int and at >= 0)


def _is_entropy(pair: object) -> bool:
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    entrant, text = pair
    if type(entrant) not in (int, str) or not isinstance(text, str):
        return False
    try:
        return str(entrant).encode() is not None and len(text.encode()) <= MOST_ENTROPY
    except UnicodeEncodeError:
        return False
