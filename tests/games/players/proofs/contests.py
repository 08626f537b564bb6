"""Contests in the arena and what is read off them: endings, strength, what bluffing is worth."""

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from games.arena import command
from games.arena.figures import Figures, Interval
from games.arena.run import games
from games.arena.seating import Contest, deck_of, seatings
from games.engine import PRESETS, Ending
from games.players import HOUSE, house_agent, play_out
from tests.games.players.proofs.report import SEED, Row, row

BOTS: Final = tuple(HOUSE)[::-1]
"""The strongest first."""
CHEAP_SEARCH: Final = "search?nodes=300"
"""`search` with a fifth of its budget, where many deals count."""
QUICK_SEARCH: Final = "search?nodes=100"
"""With a fifteenth: what a deal costs then is the guessing, not the playing out."""
_APART: Final = frozenset(combinations(("search", "lowest", "random"), 2))
_HABITS: Final = ("lies=never", "doubts=never", "lies=coin&doubts=coin")
_FEW: Final = 0.005
"""Stalemates are to be rarer than this."""


def play(bots: Sequence[str], preset: str, players: int, number: int) -> Figures:
    """The figures of a contest as `manage.py arena --duplicate` plays it."""
    figures = Figures(bots, duplicate=True)
    for played in games(_contest(bots, preset, players, number, "--duplicate")):
        figures.add(played)
    return figures


def _contest(bots: Sequence[str], preset: str, players: int, number: int, *more: str) -> Contest:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    line = [f"house:{bot}" for bot in bots]
    line += ["--preset", preset, "--players", str(players), "--games", str(number)]
    return command.contest_from(parser.parse_args([*line, "--seed", str(SEED), *more]))


def endings(scale: float) -> Iterator[Row]:
    """Each bot alone: 10,000 deals of `table` for four, fewer of the rest and for two."""
    for bot in (*BOTS[1:], QUICK_SEARCH):
        for preset in PRESETS:
            number = 10_000 if preset == "table" else 100 if bot == QUICK_SEARCH else 1000
            yield ending(bot, preset, 4, number * scale)
        if bot in ("lowest", "random"):
            yield ending(bot, "table", 2, 10_000 * scale)


def ending(bot: str, preset: str, players: int, number: float) -> Row:
    """How deals of one bot alone end: those of `manage.py arena`, without what it measures."""
    contest, ends = _contest((bot,), preset, players, math.ceil(number)), Counter[str]()
    agents = [house_agent(bot)] * players
    for block in range(contest.blocks):
        for deal in seatings(contest, block):
            deck = deck_of(contest, deal)
            game = play_out(contest.rules, players, deal.dealer, deck, agents, deal.secret)
            ends[str(game.ending)] += 1
    stale, capped = ends[str(Ending.STALEMATE)], ends[str(Ending.PLY_CAP)]
    share = stale / ends.total()
    at_cap = f", {capped} at the cap" if capped else ""
    return row(
        f"ends: {preset}, {players} seats: {bot}",
        f"{stale} of {ends.total():,} ({share:.2%}){at_cap}",
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


def duels(scale: float) -> Iterator[Row]:
    """Neighbours in strength with nobody else at the table, where `random` takes most losses."""
    for one, other, number in (("counter", "cautious", 1600), ("search", "counter", 400)):
        for preset in ("table", "classic"):
            figures = play((one, other), preset, 4, math.ceil(number * scale))
            yield _pair("duel", f"{preset}, 4 seats", figures, one, other)


def bluffing(scale: float) -> Iterator[Row]:
    """`counter`, and `search` with less to spend, against themselves with worse habits."""
    for bot, number in (("counter", 4000), (CHEAP_SEARCH, 1000)):
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
