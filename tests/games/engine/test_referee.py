"""The referee says what the engine does: for every preset and house rule, in games as they go."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine import HOUSE_RULES, PRESETS, Game, IllegalAction, Rules, packs_needed, rules_from
from games.engine.actions import claim_text
from games.engine.cards import RANK_MASK, RANKS, lowest
from games.engine.errors import RulesError
from games.engine.events import Kind
from games.engine.phases import Phase
from games.engine.referee import Lying, Referee
from games.engine.shuffle import shuffled_deck
from games.engine.stand import Zone
from games.engine.tops import Effect
from games.queries.rulings import Asked, looked_up, referee
from tests.games.engine.support import examples


def rule_sets() -> Iterator[tuple[str, Rules]]:
    for preset in PRESETS:
        yield preset, rules_from(preset)
        for name, options in HOUSE_RULES.items():
            try:
                yield f"{preset}+{name}", rules_from(preset, options)
            except RulesError:
                continue
    many = {
        "jokers": 4,
        "invisible_threes": True,
        "seven_stop": True,
        "relax_after_stock": ["aces"],
    }
    yield "many", rules_from("table", {**many, "ten_on": "low", "ten_on_empty": "feeds_again"})
    barred = {"ten_on_empty": "illegal", "ace_on_empty": "illegal", "courts_on_empty": "no"}
    yield "barred", rules_from("classic", barred)


SETS = dict(rule_sets())


@pytest.mark.parametrize("name", SETS)
def test_each_answer_is_what_the_engine_does(name: str) -> None:
    rules = SETS[name]
    table, rng = referee(rules), random.Random(name)
    for number in range(examples(3)):
        game = dealt(rules, number)
        while game.phase is not Phase.OVER and game.ply < 400:
            if game.phase is Phase.PLAY:
                compare(table, game)
            seat = rng.choice(game.to_act())
            game.push(rng.choice(game.codes()) if game.phase is Phase.PLAY else answer(game, seat))


@pytest.mark.parametrize("name", SETS)
def test_it_is_no_matter_whether_hand_or_row_is_played(name: str) -> None:
    asked = Referee(SETS[name])
    for top in asked.tops_there_are():
        there = Lying(top, asked.runs(top)[0], asked.threes_on(top)[0])
        for rank in asked.ranks():
            for stock in (False, True):
                assert asked.ask(stock, there, rank, 1) == asked.ask(
                    stock, there, rank, 1, row=True
                )


def test_it_names_the_rule_in_words() -> None:
    said = looked_up(referee(PRESETS["table"]), question("table", "9", "K"))
    assert said["says"][:2] == ["Yes.", "Courts may be laid on a 7 or higher."]
    said = looked_up(referee(PRESETS["table"]), question("table", "6", "K"))
    assert said["code"] == "court_floor"
    assert said["says"][0] == "No."
    said = looked_up(referee(PRESETS["feeding"]), question("feeding", "none", "A"))
    assert said["effect"] == "feeds_pass"
    assert "misses the turn" in said["says"][-1]


def question(preset: str, top: str, card: str) -> Asked:
    table = referee(PRESETS[preset])
    tops, ranks = ([one["key"] for one in table[part]] for part in ("tops", "ranks"))
    return Asked(True, tops.index(top), 0, ranks.index(card), 1)


def dealt(rules: Rules, number: int) -> Game:
    players = 2 + number % 3
    packs, _ = packs_needed(rules, players)
    deck = shuffled_deck(number.to_bytes(32), packs, rules.jokers)
    return Game(rules, players, number % players, deck)


def answer(game: Game, seat: int) -> int:
    del seat
    return game.codes()[game.ply % len(game.codes())]


def compare(table: dict[str, Any], game: Game) -> None:
    """All that the seat on turn could lay, by the table and by the game."""
    stand = game.stand()
    if stand.zone is Zone.DOWN:
        return
    held = stand.hand or stand.row
    for at, rank in enumerate(table["ranks"]):
        number = RANKS.index(rank["key"])
        here = (held & RANK_MASK[number]).bit_count()
        for count in range(1, min(here, 4) + 1):
            cards = lowest(held & RANK_MASK[number], count)
            said = looked_up(table, asked_of(table, game, at, count))
            text = claim_text(cards, number) if stand.claims else f"P:{rank['key']}x{count}"
            assert (said["code"], said["effect"]) == outcome(game, text), (rank, count)


def asked_of(table: dict[str, Any], game: Game, at: int, count: int) -> Asked:
    keys = [one["key"] for one in table["tops"]]
    top = keys.index(top_key(game.top))
    runs, threes = table["tops"][top]["runs"], table["tops"][top]["threes"]
    run = runs.index(game.here.run) if len(runs) > 1 else 0
    lying = threes.index(min(game.threes, 3)) * len(runs) + run
    return Asked(game.stock > 0, top, lying, at, count)


def top_key(top: int) -> str:
    if top > 16:
        return f"first-{RANKS[top - 16]}"
    return {0: "none", 15: "threes", 16: "passed"}.get(top) or RANKS[top]


def outcome(game: Game, text: str) -> tuple[str | None, str]:
    """What becomes of it in a copy of the game."""
    twin = game.clone()
    twin.story = []
    seat = game.turn
    try:
        twin.play(seat, text)
    except IllegalAction as error:
        return error.code, "stays"
    if twin.phase is Phase.RESPOND:
        return None, twin.claim.name.lower()
    assert twin.story is not None
    causes = [event.cause for event in twin.story if event.kind is Kind.FALL]
    if causes:
        return None, Effect(causes[0]).name.lower()
    if not any(event.kind is Kind.FED for event in twin.story):
        return None, "stays"
    option = "ten_on_empty" if text[2] == "T" else "ace_on_empty"
    return None, str(getattr(game.rules, option))
