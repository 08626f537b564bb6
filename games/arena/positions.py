"""The twelve positions of a check: real games, played to where something is to be decided.

Every phase and kind of decision once. The games come from fixed seeds, so that everybody can have
them: the service's check, `housu.pyz check` and `/sdk/positions.json` all take them from here.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from uuid import UUID

from games.engine import (
    HOUSE_RULES,
    Game,
    IllegalAction,
    packs_needed,
    recent_events,
    rules_from,
    shuffled_deck,
    view,
)

DEADLINE_MS: Final = 1000
BANK_MS: Final = 30_000
LONG_HAND: Final = 25
_SEEDS: Final = 64
_LONGEST: Final = 600


@dataclass(frozen=True)
class Position:
    """A game by its rules, players and a seed, and the decision in it that is asked for."""

    name: str
    preset: str
    when: Callable[[Game, int], bool]
    players: int = 3
    options: tuple[tuple[str, object], ...] = ()


def _may(start: str) -> Callable[[Game, int], bool]:
    return lambda game, seat: any(action.startswith(start) for action in game.legal(seat))


def _only(action: str) -> Callable[[Game, int], bool]:
    return lambda game, seat: list(game.legal(seat)) == [action]


def _pile(game: Game, seat: int) -> int:
    return len(view(game, seat).wire()["pile"])


def _hand(game: Game, seat: int) -> int:
    return len(view(game, seat).wire()["hand"] or ())


POSITIONS: Final = (
    Position("swap", "table", _may("S")),
    Position(
        "first play", "table", lambda g, s: _may("P:")(g, s) and not view(g, s).wire()["pile"]
    ),
    Position("joker", "table", _may("P:*"), options=tuple(HOUSE_RULES["jokers"].items())),
    Position("only the pile", "classic", _only("U")),
    Position("face-down card", "table", _may("B")),
    Position("try the stock", "feeding", _may("X")),
    Position(
        "draw before the play", "table", _may("D"), options=tuple(HOUSE_RULES["draw_first"].items())
    ),
    Position("claim", "valepaska", _may("C:")),
    Position("answer to a claim", "valepaska", _may("!")),
    Position("two players", "poytapaska", lambda g, s: g.ply > 20 and _may("P:")(g, s), players=2),
    Position(
        "long hand", "valepaska", lambda g, s: _hand(g, s) >= LONG_HAND and not _may("!")(g, s)
    ),
    Position("two packs", "table", lambda g, s: g.ply > 20 and _may("P:")(g, s), players=6),
)


@cache
def found(position: Position) -> tuple[Game, int]:
    """The game of a position and the seat that is to act. Not to be played on."""
    for seed in range(_SEEDS):
        game = _dealt(position, seed)
        while game.ending is None and game.ply < _LONGEST:
            for seat in game.to_act():
                if position.when(game, seat):
                    return game, seat
            _step(game)
    raise LookupError(position.name)


def game_id(position: Position) -> UUID:
    """The id that its game goes by."""
    return UUID(hashlib.md5(position.name.encode(), usedforsecurity=False).hexdigest())


def message(position: Position) -> dict[str, Any]:
    """The turn as it is sent, without an id of its own."""
    game, seat = found(position)
    options = dict(position.options)
    rules = {"preset": position.preset, "options": options, "hash": game.rules.hash}
    return {
        "type": "turn",
        "protocol": 1,
        "game": {
            "id": str(game_id(position)),
            "rules": rules,
            "players": game.players,
            "dealer": game.dealer,
            "competition": None,
        },
        "seat": seat,
        "move_number": game.move_number(seat),
        "view": {**view(game, seat).wire(), "events": recent_events(game, seat)},
        "legal": list(game.legal(seat)),
        "deadline_ms": DEADLINE_MS,
        "bank_ms": BANK_MS,
        "last_rtt_ms": None,
        "faults": 0,
    }


def refusal(position: Position, action: str) -> str | None:
    """The code of the rule that forbids this action there, None if it is legal."""
    game, seat = found(position)
    try:
        game.check(seat, action)
    except IllegalAction as error:
        return error.code
    return None


def _dealt(position: Position, seed: int) -> Game:
    rules = rules_from(position.preset, dict(position.options))
    packs, _ = packs_needed(rules, position.players)
    deck = shuffled_deck(bytes([seed]) * 32, packs, rules.jokers)
    return Game(rules, position.players, 0, deck)


def _step(game: Game) -> None:
    """One ply by chance that is no chance: the same everywhere, owed to no house bot."""
    seat = next(iter(game.to_act()))
    legal = game.legal(seat)
    chosen = legal[hashlib.sha256(f"{game.ply}".encode()).digest()[0] % len(legal)]
    whole = chosen not in ("B", "S") and not chosen.startswith("C:")
    game.play(seat, chosen if whole else game.default_action(seat))
