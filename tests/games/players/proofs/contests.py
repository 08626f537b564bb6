"""Contests in the arena and what is read off them: endings, strength, what bluffing is worth."""

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from games.arena import command
from games.arena.figures import Figures, Interval
from games.arena.run import games
from games.engine import PRESETS
from games.players import HOUSE
from tests.games.players.proofs.report import SEED, Row, row

BOTS: Final = tuple(HOUSE)[::-1]
"""The strongest first."""
_APART: Final = frozenset(combinations(("search", "lowest", "random"), 2))
_HABITS: Final = ("lies=never", "doubts=never", "lies=coin&doubts=coin")
_FEW: Final = 0.005
"""Stalemates are to be rarer than this."""


def play(
    bots: Sequence[str], preset: str, players: int, number: int, *, duplicate: bool = True
) -> Figures:
    """The figures of a contest as `manage.py arena` would play it."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    line = [f"house:{bot}" for bot in bots]
    line += ["--preset", preset, "--players", str(players), "--games", str(number)]
    line += ["--seed", str(SEED), *(["--duplicate"] if duplicate else [])]
    contest = command.contest_from(parser.parse_args(line))
    figures = Figures(bots, duplicate)
    for played in games(contest):
        figures.add(played)
    return figures


def endings(scale: float) -> Iterator[Row]:
    """Each bot alone: 10,000 deals of `table` for four, fewer of the rest and for two."""
    for bot in BOTS:
        slow = bot == "search"
        for preset in PRESETS:
            number = 10_000 if preset == "table" else 1000
            yield _ending(bot, preset, 4, number * scale / (20 if slow else 1))
        if bot in ("lowest", "random"):
            yield _ending(bot, "table", 2, 10_000 * scale)


def _ending(bot: str, preset: str, players: int, number: float) -> Row:
    figures = play((bot,), preset, players, math.ceil(number), duplicate=False)
    stale, capped = figures.endings["stalemate"], figures.endings["ply_cap"]
    share = stale / figures.games
    at_cap = f", {capped} at the cap" if capped else ""
    return row(
        f"ends: {preset}, {players} seats: {bot}",
        f"{stale} of {figures.games:,} ({share:.2%}){at_cap}",
        "none at the cap, stalemates < 0.5 %" if players == 4 else "none at the cap",
        not capped and (players != 4 or share < _FEW),
    )


def strength(scale: float) -> Iterator[Row]:
    """All five at `table` and `classic`, with 3 and 4 seats."""
    for preset in ("table", "classic"):
        for players in (3, 4):
            yield from of_all(preset, players, scale)


def of_all(preset: str, players: int, scale: float) -> Iterator[Row]:
    """All five; once more without `search`, which is slow, many more games."""
    every = play(BOTS, preset, players, math.ceil(2000 * scale))
    quick = play(BOTS[1:], preset, players, math.ceil(8000 * scale))
    for number, bot in enumerate(BOTS):
        yield row(f"loses: {preset}, {players} seats: {bot}", _around(every.loss_rate(number)))
    for one, other in combinations(BOTS, 2):
        figures = every if one == "search" else quick
        yield _pair("strength", f"{preset}, {players} seats", figures, one, other)


def bluffing(scale: float) -> Iterator[Row]:
    """`counter`, and `search` with less to spend, against themselves with worse habits."""
    for bot, number in (("counter", 4000), ("search?nodes=300", 1000)):
        for habit in _HABITS:
            other = f"{bot}{'&' if '?' in bot else '?'}{habit}"
            figures = play((bot, other), "valepaska", 4, math.ceil(number * scale))
            yield _pair("bluff", "valepaska, 4 seats", figures, bot, other, must=True)


def _pair(
    kind: str, setting: str, figures: Figures, one: str, other: str, *, must: bool = False
) -> Row:
    gap = figures.difference(figures.names.index(one), figures.names.index(other))
    must |= (one, other) in _APART
    return row(
        f"{kind}: {setting}: {one} - {other}",
        f"{gap.value:+.3f} ({gap.low:+.3f} to {gap.high:+.3f}), {figures.games:,} games",
        "below 0 at 95 %" if must else "not above 0 at 95 %",
        gap.high < 0 if must else gap.low <= 0,
    )


def _around(rate: Interval) -> str:
    return f"{rate.value:.3f} ± {rate.high - rate.value:.3f}"
