"""Views from games of every kind, samples of them, and all hidden states of a small pack."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from typing import NamedTuple

from games.engine import EventDict, Game, View, history, rules_from, view
from games.engine.cards import card_text, parse_card
from games.engine.errors import IllegalAction, RulesError
from games.players import HOUSE
from games.players.clues import Claim, Clues, gather
from games.players.movements import NoHistoryError
from games.players.states import replayed, states
from tests.games.players.support import decisions, watched

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


BLUFFS: list[tuple[str, dict[str, object]]] = [
    ("valepaska", {}),
    ("valepaska", {"true_fall": "pile_falls", "after_truth": "left_of_challenger"}),
    ("valepaska", {"draw_first": True, "challengers": "next_player", "jokers": 2}),
    ("valepaska", {"challenge_mode": "first"}),
    ("table", {"bluff": True, "pick_up": "any_time"}),
]


def open_views(number: int, rng: random.Random) -> Iterator[tuple[View, list[EventDict]]]:
    """What seats see at some of their decisions, in games without bluff."""
    while number > 0:
        try:
            rules = rules_from(rng.choice(OPEN_PRESETS), rng.choice(OPTIONS))
            for _, _, shown, events in decisions(
                rules, rng.randrange(2, 7), rng, ["random", "lowest", "cautious"]
            ):
                if number > 0 and rng.random() < 0.1:
                    number -= 1
                    yield shown, events
        except RulesError:
            continue


def bluff_views(number: int, rng: random.Random) -> Iterator[tuple[View, list[EventDict]]]:
    """The same in games with bluff."""
    while number > 0:
        preset, options = rng.choice(BLUFFS)
        rules, players = rules_from(preset, options), rng.randrange(2, 5)
        for _, _, shown, events in decisions(rules, players, rng, ["random", "counter"], 250):
            if number > 0 and rng.random() < 0.04:
                number -= 1
                yield shown, events


def could_guess(shown: View, events: list[EventDict], rng: random.Random) -> bool:
    """Check two samples; whether there were any."""
    try:
        check(shown, events, rng)
    except NoHistoryError:
        return False
    return True


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


PACK = ["3C", "3D", "4C", "5C", "6C", "7C", "7D", "8C", "KC", "KD", "2C"]
SMALL: list[tuple[str, dict[str, object]]] = [
    ("table", {"hand_size": 3, "face_up": 0, "face_down": 1}),
    ("classic", {"hand_size": 3, "hand_batches": None, "opening": "any"}),
    ("classic", {"hand_size": 3, "hand_batches": None, "pick_up": "when_stuck"}),
]


def distances(
    preset: str, options: dict[str, object], deal: int, samples: int
) -> Iterator[tuple[float, int]]:
    """In one deal of a small pack, at some decisions: how far samples are from enumeration (total
    variation), and among how many hidden states."""
    rng = random.Random(deal)
    rules = rules_from(preset, options)
    deck = [parse_card(text) for text in rng.sample(PACK, len(PACK))]
    game = Game(rules, 2, 0, tuple(deck))
    for now, seat, shown, events in watched(game, [HOUSE["lowest"]] * 2, rng, 14):
        if now.ply in (5, 9, 13) and seat == now.turn:
            pack = tuple(sorted(deck))
            yield distance(gather(shown, events, pack), events, rng, samples)


def distance(
    clues: Clues, events: list[EventDict], rng: random.Random, samples: int
) -> tuple[float, int]:
    """Total variation between what is sampled and what is possible."""
    expected = enumerated(clues, events)
    seen: Counter[str] = Counter()
    chain = states(clues, rng)
    for _ in range(samples):
        seen[key(next(chain))] += 1
    assert seen.keys() <= expected.keys()
    total = sum(expected.values())
    apart = sum(abs(seen[k] / samples - n / total) for k, n in expected.items()) / 2
    return apart, len(expected)


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
