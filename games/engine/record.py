"""Game records: read, checked, written and replayed (records.md). Knows nothing of storage."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from games.engine.actions import parse
from games.engine.cards import card_text, ordered_pack, parse_card, renumbered
from games.engine.errors import Code, IllegalAction, MalformedRecord, RulesError
from games.engine.game import Game
from games.engine.judge import judge
from games.engine.presets import rules_from
from games.engine.rules import Rules, packs_needed
from games.engine.shuffle import shuffled_deck

FORMAT: Final = "paskahousu-record"
VERSION: Final = 1
_KEYS: Final = frozenset(
    ("format", "version", "rules", "players", "dealer", "deck", "deal_seed", "actions", "tags")
)
_SEED: Final = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Record:
    """One round, complete: all that a replay needs, and tags that never change play."""

    preset: str
    players: int
    dealer: int
    deck: tuple[int, ...]
    actions: tuple[str, ...]
    """Entries as `"0 P:7C7D"`."""
    options: Mapping[str, object] = field(default_factory=dict)
    deal_seed: bytes | None = None
    tags: object = None

    @property
    def rules(self) -> Rules:
        """The rule set that preset and options name."""
        return rules_from(self.preset, self.options)

    def game(self) -> Game:
        """The game as dealt, before any action."""
        return Game(self.rules, self.players, self.dealer, self.deck)

    def to_json(self) -> dict[str, Any]:
        """The JSON object; the deck stands in it even where a seed gives it too."""
        wire: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "rules": {"preset": self.preset, "options": dict(self.options)},
            "players": self.players,
            "dealer": self.dealer,
            "deck": [card_text(card) for card in self.deck],
            "actions": list(self.actions),
        }
        if self.deal_seed is not None:
            wire["deal_seed"] = self.deal_seed.hex()
        if self.tags is not None:
            wire["tags"] = self.tags
        return wire


def parse_record(wire: object) -> Record:
    """Read a record from its JSON value. Raises `MalformedRecord`, the first detail that fits."""
    if not isinstance(wire, dict):
        _malformed("json")
    _refuse_unknown(wire, _KEYS, "")
    if wire.get("format") != FORMAT:
        _malformed("format")
    _number(wire.get("version"), range(VERSION, VERSION + 1), "version")
    preset, options, rules = _rules(wire.get("rules"))
    players, dealer = _seats(wire)
    packs = _packs(rules, players)
    seed = _seed(wire)
    deck = _deck(wire, seed, packs, rules.jokers)
    actions = wire.get("actions")
    if not isinstance(actions, list) or not all(isinstance(entry, str) for entry in actions):
        _malformed("actions")
    tags = wire.get("tags")
    return Record(preset, players, dealer, deck, tuple(actions), options, seed, tags)


def read_json(text: str) -> object:
    """A JSON value by the letter of the standard. Raises `MalformedRecord`."""
    try:
        text.encode()  # lone surrogates are bytes that were no UTF-8 (written as \u they are text)
        return json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        _malformed("json")


def values(text: str) -> list[str]:
    """One JSON value as a whole is one record; else every line that is not blank is one. Only a
    line feed ends a line."""
    try:
        read_json(text)
    except MalformedRecord:
        return [line for line in text.split("\n") if line.strip()]
    return [text]


def replay(record: Record) -> Game:
    """The game that a record tells. Raises `IllegalAction` at an entry that is no legal action."""
    game = record.game()
    for entry in record.actions:
        play_entry(game, entry)
    return game


def play_entry(game: Game, entry: str) -> None:
    """Play one entry of a record, strictly in its notation. Raises `IllegalAction`."""
    seat, text = split_entry(entry)
    game.push(judge(game, seat, parse(text)))


def split_entry(entry: str) -> tuple[int, str]:
    """Seat and action of an entry; `malformed_action` if it has no seat and one space."""
    if entry[:1] not in _SEATS or entry[1:2] != " ":
        raise IllegalAction(Code.MALFORMED_ACTION)
    return int(entry[0]), entry[2:]


_SEATS: Final = ("0", "1", "2", "3", "4", "5")


def _malformed(detail: str) -> NoReturn:
    raise MalformedRecord(detail)


def _no_json(constant: str) -> NoReturn:
    raise ValueError(constant)


def _number(value: object, allowed: range, detail: str) -> int:
    if type(value) is not int or value not in allowed:
        _malformed(detail)
    return value


def _refuse_unknown(wire: Mapping[str, object], known: frozenset[str], prefix: str) -> None:
    for key in sorted(wire):
        if key not in known:
            _malformed(prefix + key)


def _rules(wire: object) -> tuple[str, Mapping[str, object], Rules]:
    if not isinstance(wire, dict):
        _malformed("rules")
    _refuse_unknown(wire, frozenset(("preset", "options")), "rules.")
    options = wire.get("options", {})
    if not isinstance(options, dict):
        _malformed("rules.options")
    try:
        return wire.get("preset", ""), options, rules_from(wire.get("preset", ""), options)
    except RulesError as error:
        _malformed(error.code if error.option is None else f"{error.code}:{error.option}")


def _seats(wire: Mapping[str, Any]) -> tuple[int, int]:
    players = _number(wire.get("players"), range(2, 7), "players")
    return players, _number(wire.get("dealer"), range(players), "dealer")


def _packs(rules: Rules, players: int) -> int:
    try:
        return packs_needed(rules, players)[0]
    except RulesError as error:
        _malformed(error.code)


def _seed(wire: Mapping[str, object]) -> bytes | None:
    if "deal_seed" not in wire:
        return None
    seed = wire["deal_seed"]
    if not isinstance(seed, str) or not _SEED.fullmatch(seed):
        _malformed("deal_seed")
    return bytes.fromhex(seed)


def _deck(
    wire: Mapping[str, object], seed: bytes | None, packs: int, jokers: int
) -> tuple[int, ...]:
    shuffled = None if seed is None else shuffled_deck(seed, packs, jokers)
    if "deck" not in wire and shuffled is not None:
        return shuffled
    deck = _read_deck(wire.get("deck"))
    if sorted(deck) != sorted(ordered_pack(packs, jokers)):
        _malformed("deck")
    if shuffled is not None and deck != shuffled:
        _malformed("deck")
    return deck


def _read_deck(wire: object) -> tuple[int, ...]:
    if not isinstance(wire, list):
        _malformed("deck")
    try:
        return renumbered(parse_card(text) for text in wire)
    except (KeyError, TypeError):
        _malformed("deck")
