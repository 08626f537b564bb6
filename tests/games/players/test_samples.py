"""What `search` guesses: each state gives back exactly view and events, all equally often."""

import os
import random
from collections import Counter
from itertools import islice, permutations
from typing import NamedTuple

import pytest

from games.engine import EventDict, Game, View, history, rules_from, view
from games.engine.cards import card_text, parse_card
from games.engine.errors import IllegalAction, RulesError
from games.players import HOUSE
from games.players.clues import Claim, Clues, gather
from games.players.movements import NoHistoryError
from games.players.states import replayed, states
from tests.games.players.support import decisions, watched

VIEWS = int(os.environ.get("HOUSU_VIEWS", "150"))
"""How many views are sampled for; 10,000 is the promise, these are for every day."""
OPTIONS: list[dict[str, object]] = [
    {},
    {},
    {"jokers": 2},
    {"pick_up": "when_stuck"},
    {"draw_first": True},
    {"invisible_threes": True},
    {"stock_chance": "when_stuck"},
    {"courts_on_empty": "no"},
    {"first_player": "most_lowest", "opening": "any"},
    {"first_player": "most_lowest", "opening": "deciding_rank"},
]
OPEN_PRESETS = ("table", "classic", "feeding", "poytapaska", "ruotsalainen", "espanjalainen")


def check(shown: View, events: list[EventDict], rng: random.Random) -> None:
    """Two samples: one as first found, one changed from it; each is what its log leads to."""
    assert shown.seat is not None
    for game in islice(states(gather(shown, events), rng), 2):
        assert view(game, shown.seat) == shown
        assert history(game, shown.seat) == events
        again = Game(game.rules, game.players, game.dealer, game.deck)
        again.story = []
        for code in game.log:
            again.push(code)
        assert state(game) == state(again)


def state(game: Game) -> dict[str, object]:
    """All that a game goes on from."""
    names = (name for kind in type(game).__mro__ for name in getattr(kind, "__slots__", ()))
    left_out = ("_story", "plain")
    return {name: getattr(game, name) for name in names if name not in left_out}


def test_every_sample_gives_back_the_view_and_the_events() -> None:
    rng, left = random.Random(11), VIEWS
    while left > 0:
        try:
            rules = rules_from(rng.choice(OPEN_PRESETS), rng.choice(OPTIONS))
            for _, _, shown, events in decisions(
                rules, rng.randrange(2, 7), rng, ["random", "lowest", "cautious"]
            ):
                if rng.random() < 0.1:
                    check(shown, events, rng)
                    left -= 1
        except RulesError:
            continue


BLUFFS: list[tuple[str, dict[str, object]]] = [
    ("valepaska", {}),
    ("valepaska", {"true_fall": "pile_falls", "after_truth": "left_of_challenger"}),
    ("valepaska", {"draw_first": True, "challengers": "next_player", "jokers": 2}),
    ("valepaska", {"challenge_mode": "first"}),
    ("table", {"bluff": True, "pick_up": "any_time"}),
]


def test_bluff_histories_give_back_the_view_and_the_events() -> None:
    rng, left, lost = random.Random(12), VIEWS // 3, 0
    while left > 0:
        preset, options = rng.choice(BLUFFS)
        rules, players = rules_from(preset, options), rng.randrange(2, 5)
        for _, _, shown, events in decisions(rules, players, rng, ["random", "counter"], 250):
            if rng.random() < 0.04:
                left -= 1
                try:
                    check(shown, events, rng)
                except NoHistoryError:
                    lost += 1
    assert lost <= VIEWS // 50


PACK = ["3C", "3D", "4C", "5C", "6C", "7C", "7D", "8C", "KC", "KD", "2C"]
SMALL: list[tuple[str, dict[str, object]]] = [
    ("table", {"hand_size": 3, "face_up": 0, "face_down": 1}),
    ("classic", {"hand_size": 3, "hand_batches": None, "opening": "any"}),
    ("classic", {"hand_size": 3, "hand_batches": None, "pick_up": "when_stuck"}),
]


@pytest.mark.parametrize(("preset", "options"), SMALL)
@pytest.mark.parametrize("deal", range(2))
def test_samples_are_as_frequent_as_enumeration_says(
    preset: str, options: dict[str, object], deal: int
) -> None:
    rng = random.Random(deal)
    rules = rules_from(preset, options)
    deck = [parse_card(text) for text in rng.sample(PACK, len(PACK))]
    game = Game(rules, 2, 0, tuple(deck))
    for now, seat, shown, events in watched(game, [HOUSE["lowest"]] * 2, rng, 14):
        if now.ply in (5, 9, 13) and seat == now.turn:
            pack = tuple(sorted(deck))
            compare(gather(shown, events, pack), events, rng)


def compare(clues: Clues, events: list[EventDict], rng: random.Random) -> None:
    """Total variation between what is sampled and what is possible."""
    expected = enumerated(clues, events)
    found: Counter[str] = Counter()
    chain = states(clues, rng)
    for _ in range(SAMPLES):
        found[key(next(chain))] += 1
    assert found.keys() <= expected.keys()
    total = sum(expected.values())
    apart = sum(abs(found[k] / SAMPLES - n / total) for k, n in expected.items()) / 2
    assert apart < 0.02 + 0.6 * (len(expected) / SAMPLES) ** 0.5


SAMPLES = 800


class Deck(NamedTuple):
    """A guess that is told."""

    order: tuple[int, ...]

    def next(self) -> None:
        """There is no other."""

    def deck(self) -> tuple[int, ...]:
        return self.order

    def cards(self, claim: Claim) -> list[int]:
        return []


def enumerated(clues: Clues, events: list[EventDict]) -> Counter[str]:
    """How many decks lead to each hidden state, by trying all."""
    hidden = [n for n in range(clues.size) if n not in clues.fixed]
    cards = list(clues.pack)
    for card in clues.fixed.values():
        cards.remove(card)
    assert len(cards) <= 8
    found: Counter[str] = Counter()
    for order in permutations(cards):
        deck = [clues.fixed.get(n, 0) for n in range(clues.size)]
        for position, card in zip(hidden, order, strict=True):
            deck[position] = card
        try:
            game = replayed(clues, Deck(tuple(deck)))
        except IllegalAction:
            continue
        assert clues.view.seat is not None
        if view(game, clues.view.seat) == clues.view and history(game, clues.view.seat) == events:
            found[key(game)] += 1
    return found


def key(game: Game) -> str:
    """The hidden state: hands, face-down cards, and the stock as a set."""
    stock = sorted(game.deck[game.at :])
    return f"{game.hands} {game.downs} {' '.join(map(card_text, stock))}"
