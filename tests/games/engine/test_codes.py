"""The codes of the fast way, and counts of what can be reached from small positions."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import Game, IllegalAction, Phase
from games.engine.actions import parse
from games.engine.cards import RANKS
from games.engine.codec import decode, encode
from games.engine.spoken import text_of
from tests.games.engine.support import deals, examples, position, snapshot


def _short(game: Game, code: int) -> str:
    """A code as the entry of `legal` it falls under."""
    text = text_of(game, code)[1]
    said = parse(text)
    if text[0] == "P":
        return f"P:{RANKS[said.cards[0] >> 3]}x{len(said.cards)}"
    return f"C:{RANKS[said.rank]}" if text[0] == "C" else text[0]


@settings(max_examples=examples(30))
@given(deals(), st.integers(0, 2**32))
def test_codes_are_the_legal_actions_and_no_others_are_taken(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    while game.phase is not Phase.OVER:
        codes = game.codes()
        legal = game.legal(game.answer_order()[0])
        shown = {_short(game, code) for code in codes}
        assert shown <= set(legal)
        if not game.rules.bluff:
            assert shown == set(legal)
        for code in rng.sample(range(-130, 260), 8):
            if code not in codes:
                with pytest.raises(IllegalAction):
                    game.step(code)
        game.step(rng.choice(codes))


@settings(max_examples=examples(40))
@given(deals(), st.integers(0, 2**32))
def test_the_quick_way_comes_to_the_same_as_the_one_that_tells(game: Game, seed: int) -> None:
    rng, telling = random.Random(seed), game.clone()
    telling.story = []
    while game.phase is not Phase.OVER:
        code = rng.choice(game.codes())
        game.step(code)
        telling.push(code)
        state, told = snapshot(game), snapshot(telling)
        for ours in ("_story", "here", "tops"):
            del state[ours], told[ours]
        assert (game.here.top, game.here.run) == (telling.here.top, telling.here.run)
        assert state == told


@given(st.integers(8, 2**240))
def test_a_code_survives_its_bytes(code: int) -> None:
    assert list(decode(encode(code) * 2)) == [code, code]


def reached(game: Game, depth: int) -> Iterator[int]:
    """Numbers of ways to go on, ply by ply, as perft counts them."""
    layer = [game]
    for _ in range(depth):
        following = []
        for node in layer:
            for code in node.codes():
                following.append(twin := node.clone())
                twin.step(code)
        layer = following
        yield len(layer)


REACHED: dict[str, tuple[list[int], dict[str, Any]]] = {
    "table": ([5, 17, 54, 130, 286], {"hands": ["3C 3D 9C TC JC", "3H 4C TD 2C AC"]}),
    "classic": ([5, 18, 53, 172, 474], {"hands": ["3C 3D 9C TC JC", "3H 4C TD 2C AC"]}),
    "feeding": ([4, 17, 57, 178, 526], {"hands": ["3C 9C TC AC", "4C TD 2C AD"], "stock": "5C 6C"}),
    "valepaska": ([2, 4, 9, 18, 31], {"hands": ["3C 9C", "4C TD"], "stock": "5C"}),
    "espanjalainen": (
        [2, 5, 9, 18, 25],
        {"hands": ["3C 9C", "4C 2C"], "ups": ["QC", "KC"], "stock": "5C"},
    ),
    "poytapaska": (
        [1, 2, 3, 3, 4],
        {"hands": ["3C", "4C"], "ups": ["QC QD", "KC"], "downs": ["5C 5D", "6C"]},
    ),
}


@pytest.mark.parametrize("preset", REACHED)
def test_as_many_ways_lead_on_as_have_been_counted(preset: str) -> None:
    counts, zones = REACHED[preset]
    game = position(preset, {"first_player": "left_of_dealer"}, **zones)
    assert list(reached(game, 5)) == counts
