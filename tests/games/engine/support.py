"""Rule sets, decks, positions and random play for the engine's tests."""

import os
import random
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from hypothesis import strategies as st

from games.engine import PRESETS, Game, Phase, Rules, packs_needed, rules_from, shuffled_deck
from games.engine.board import Board
from games.engine.cards import (
    RANKS,
    cards_in,
    cards_text,
    mask_of,
    ordered_pack,
    parse_card,
    renumbered,
    texts,
)
from games.engine.errors import RulesError
from games.engine.events import trace_text
from games.engine.holdings import ONE, holding
from games.engine.rules import OPTIONS

EXAMPLES = float(os.environ.get("HOUSU_EXAMPLES", "1"))


def examples(number: int) -> int:
    """How many examples a test of random play takes: `number`, or HOUSU_EXAMPLES times as many."""
    return max(1, round(number * EXAMPLES))


WORDS: dict[str, Sequence[Any]] = {
    "decks": ["auto", 1, 2],
    "second_deck_from": [None, 2, 3, 4, 5, 6],
    "jokers": [0, 1, 2, 4],
    "hand_size": [3, 4, 5, 6, "all"],
    "hand_batches": [None],
    "face_down": [0, 1, 2, 3, 5],
    "face_up": [0, 1, 2, 3, 5],
    "swap": ["none", "before_play"],
    "first_player": ["left_of_dealer", "most_lowest"],
    "opening": ["any", "deciding_rank"],
    "ten_on": ["any", "low", "not_two"],
    "ten_on_empty": ["falls", "stays", "feeds_again", "feeds_pass", "illegal"],
    "ace_on": ["courts", "floor"],
    "ace_on_empty": ["falls", "stays", "feeds_again", "feeds_pass", "illegal"],
    "two_on": ["except_ace_ten", "any"],
    "after_two": ["any", "twos"],
    "court_floor": [0, 6, 7, 8, 9],
    "court_floor_after_stock": [None, 0],
    "courts_on_empty": ["yes", "no", "not_while_stock"],
    "courts_per_play": ["any", "one"],
    "specials_per_play": ["any", "one"],
    "pick_up": ["when_stuck", "any_time"],
    "stock_chance": ["off", "when_stuck"],
    "relax_after_stock": [[], ["aces"], ["courts", "tens"], ["aces", "courts", "tens", "twos"]],
    "challengers": ["anyone", "next_player"],
    "challenge_mode": ["sealed", "first"],
    "after_truth": ["claimant_opens", "left_of_challenger"],
    "after_lie": ["left_of_liar", "challenger_opens"],
    "true_fall": ["challenger_takes", "pile_falls"],
    "max_plies": [100, 300],
    "stalemate_repeats": [2, 6],
}
WORDS |= {name: [False, True] for name in OPTIONS if name not in WORDS}


@st.composite
def deals(draw: st.DrawFn) -> Game:
    """A game just dealt, of any preset with any options that go together."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_game(rng)


def random_game(rng: random.Random) -> Game:
    while True:
        try:
            return _dealt(rng)
        except RulesError:
            continue


def _dealt(rng: random.Random) -> Game:
    options = {name: rng.choice(WORDS[name]) for name in rng.sample(OPTIONS, rng.randrange(12))}
    rules = rules_from(rng.choice(list(PRESETS)), {"max_plies": 300, **options})
    players = rng.randrange(2, 7)
    packs, _ = packs_needed(rules, players)
    deck = shuffled_deck(rng.randbytes(32), packs, rules.jokers)
    return Game(rules, players, rng.randrange(players), deck)


def choices(game: Game, seat: int, rng: random.Random) -> list[str]:
    """Some legal actions of a seat in full, of each entry in `legal` at least one."""
    return [text for entry in game.legal(seat) for text in _full(game, seat, entry, rng)]


def _full(game: Game, seat: int, entry: str, rng: random.Random) -> Iterator[str]:
    hand = list(cards_in(game.hands[seat]))
    zone = hand or list(cards_in(game.ups[seat]))
    if entry == "S":
        number = rng.randrange(min(len(hand), game.ups[seat].bit_count()) + 1)
        given, row = rng.sample(hand, number), rng.sample(list(cards_in(game.ups[seat])), number)
        yield f"S:{cards_text(mask_of(given))}/{cards_text(mask_of(row))}"
    elif entry == "B":
        yield from (f"B:{slot}" for slot in range(5) if game.filled[seat] >> slot & 1)
    elif entry.startswith("C:"):
        one = RANKS.index(entry[2]) in game.tables.single
        number = 1 if one else rng.randrange(1, min(len(hand), 4) + 1)
        yield f"C:{cards_text(mask_of(rng.sample(hand, number)))}={entry[2]}"
    elif entry.startswith("P:"):
        same = [card for card in zone if card >> 3 == RANKS.index(entry[2])]
        yield f"P:{cards_text(mask_of(rng.sample(same, int(entry[4:]))))}"
    else:
        yield entry


def step(game: Game, rng: random.Random) -> tuple[int, str]:
    """Play one random legal action; says which."""
    seat = rng.choice(game.to_act())
    text = rng.choice(choices(game, seat, rng))
    game.play(seat, text)
    return seat, text


def play_on(game: Game, rng: random.Random, plies: int = 10_000) -> list[tuple[int, str]]:
    """Random legal play until the end, or for so many plies."""
    played: list[tuple[int, str]] = []
    while game.phase is not Phase.OVER and len(played) < plies:
        played.append(step(game, rng))
    return played


def snapshot(game: Game) -> dict[str, Any]:
    """All of a game's state, as values."""
    state = {str(name): getattr(game, name) for name in Board.__slots__}
    mutable = list, dict
    return {name: copy(v) if isinstance(v, mutable) else v for name, v in state.items()}


def mask(text: str) -> int:
    """Cards written with blanks; a code named twice is both copies."""
    return mask_of(renumbered(parse_card(code) for code in text.split()))


def position(
    preset: str,
    options: dict[str, object] | None = None,
    *,
    hands: Sequence[str],
    ups: Sequence[str] = (),
    downs: Sequence[str] = (),
    pile: str = "",
    stock: str = "",
    turn: int = 0,
) -> Game:
    """A game of these zones in `play`, one pack (or as many as the rules fix), the rest fallen."""
    rules = rules_from(preset, {"swap": "none", "opening": "any", **(options or {})})
    players = len(hands)
    packs, _ = packs_needed(rules, players)
    game = Game(rules, players, players - 1, ordered_pack(packs, rules.jokers))
    rest = [parse_card(code) for code in stock.split()]
    game.deck = (*(0,) * (len(game.deck) - len(rest)), *rest)
    game.stock = len(rest)
    game._look_up()
    game.holdings = [holding(mask(hand)) for hand in hands]
    game.rows = tuple(holding(mask(row)) for row in ups or [""] * players)
    rows = [[parse_card(code) for code in row.split()] for row in downs or [""] * players]
    game.downs = tuple(sum(card << 8 * slot for slot, card in enumerate(row)) for row in rows)
    game.filled = tuple((1 << len(row)) - 1 for row in rows)
    game.turn = turn
    for code in pile.split():
        card = parse_card(code)
        game._stack(ONE[card], card >> 3, 1)
    game.story = []
    return game


def seen(game: Game, seat: int) -> dict[str, list[str]]:
    """A seat's open zones, written."""
    return {"hand": texts(game.hands[seat]), "up": texts(game.ups[seat])}


def told(game: Game) -> list[str]:
    """The story's events as traces write them."""
    return [trace_text(event) for event in game.story or []]


def rules_of(preset: str = "table", **options: object) -> Rules:
    return rules_from(preset, options)
