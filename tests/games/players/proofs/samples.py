"""The hidden states that `search` guesses, over 10,000 views and against enumeration."""

import math
import random
from collections.abc import Iterator

from tests.games.players.proofs.report import SEED, Row, row
from tests.games.players.sampling import (
    SMALL,
    bluff_views,
    check,
    could_guess,
    distances,
    open_views,
)

_SAMPLES = 20_000
_DEALS = 6
_NEAR = 0.01
"""So much further from enumeration than fair samples would be is near enough."""


def samples(scale: float) -> Iterator[Row]:
    """`check` raises where a sample is wrong; then nothing holds."""
    views, bluffs = math.ceil(7000 * scale), math.ceil(3000 * scale)
    rng = random.Random(SEED)
    for shown, events in open_views(views, rng):
        check(shown, events, rng)
    yield row(
        "samples: views given back, games without bluff",
        f"{views:,} of {views:,}, two samples each",
        "all of 7,000",
        views >= 7000,
    )
    guessed = sum(could_guess(*seen, rng) for seen in bluff_views(bluffs, rng))
    yield row(
        "samples: views given back, games with bluff",
        f"{guessed:,} of {guessed:,}, two samples each; none found for {bluffs - guessed:,} more",
        "all of 3,000 for which a history is found",
        bluffs >= 3000,
    )
    yield _frequencies(math.ceil(_SAMPLES * scale))


def _frequencies(number: int) -> Row:
    """Total variation, beyond what fair samples would leave."""
    worst, compared = 0.0, 0
    for preset, options in SMALL:
        for deal in range(_DEALS):
            for apart, states in distances(preset, options, deal, number):
                compared += 1
                worst = max(worst, apart - chance(states, number))
    return row(
        "samples: distance to enumeration, small packs",
        f"at most {worst:.2%} beyond chance, {compared} positions, {number:,} samples each",
        f"<= {_NEAR:.0%} beyond chance",
        worst <= _NEAR,
    )


def chance(states: int, number: int) -> float:
    """Expected total variation of so many fair samples of equally likely states."""
    return math.sqrt((states - 1) / (2 * math.pi * number)) if states > 1 else 0.0
