"""Random records with illegal actions mixed in, to be traced by two engines and compared.

`python -m tests.games.engine.random_records NUMBER SEED` writes them, one a line.
"""

import json
import random
import sys
from contextlib import suppress
from typing import Any

from games.engine import Game, IllegalAction, Phase, card_text
from games.engine.actions import entry_text
from games.engine.cards import RANKS, SUITS, texts
from games.engine.record import play_entry
from tests.games.engine.support import choices, random_game

CARDS = [rank + suit for rank in RANKS[1:14] for suit in SUITS] + ["*1", "*2", "*3", "*4"]
FORMS = [
    *("U", "X", "D", "-", "!", ".", "S:/", "B:0", "B:1", "B:2", "B:4", "B:7"),
    *("", "P:", "P:7c", "C:7C", "S:7C", "B:00", "U ", "P:9x1", "S:3C/"),
]


def random_record(rng: random.Random) -> dict[str, Any]:
    """One record of any rule set; about a third of its entries are refused."""
    game = random_game(rng)
    deck, actions = [card_text(card) for card in game.deck], []
    for _ in range(rng.choice((20, 80, 400))):
        entry = _entry(game, rng)
        actions.append(entry)
        with suppress(IllegalAction):
            play_entry(game, entry)
    return {
        "format": "paskahousu-record",
        "version": 1,
        "rules": {"preset": "table", "options": game.rules.options()},
        "players": game.players,
        "dealer": game.dealer,
        "deck": deck,
        "actions": actions,
    }


def _entry(game: Game, rng: random.Random) -> str:
    if game.phase is Phase.OVER or rng.random() < 0.3:
        seat = rng.randrange(game.players)
        if rng.random() < 0.6 and game.phase is not Phase.OVER:
            seat = rng.choice(game.to_act())
        return entry_text(seat, _nonsense(game, seat, rng))
    seat = rng.choice(game.to_act())
    return entry_text(seat, rng.choice(choices(game, seat, rng)))


def _nonsense(game: Game, seat: int, rng: random.Random) -> str:
    """Something that is mostly illegal, often by a little only."""
    own = texts(game.hands[seat]) + texts(game.ups[seat])
    cards = "".join(rng.choice(own or CARDS) for _ in range(rng.choice((1, 1, 2, 3))))
    other = rng.choice(CARDS)
    named = rng.choice(RANKS[1:])
    row = "".join(texts(game.ups[seat])[: len(cards) // 2])
    made = [f"P:{cards}", f"P:{cards}", f"P:{other}", f"C:{cards}={named}", f"S:{cards}/{row}"]
    return rng.choice([*made, rng.choice(FORMS)])


if __name__ == "__main__":
    number, seed = int(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    for _ in range(number):
        sys.stdout.write(json.dumps(random_record(dice)) + "\n")
