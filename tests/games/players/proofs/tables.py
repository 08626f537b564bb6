"""The figures as three tables of Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.engine import PRESETS
from games.players import HOUSE

BOTS = tuple(HOUSE)[::-1]


def tables(told: Mapping[str, str]) -> str:
    """All three."""
    return "\n".join((*_losses(told), "", *_variants(told), "", *_endings(told), ""))


def _losses(told: Mapping[str, str]) -> Iterator[str]:
    yield "Loses so often, all five taking turns (a quarter or a third is average):\n"
    yield from _head("rules", BOTS)
    settings = [(preset, seats) for preset in ("table", "classic") for seats in (3, 4)]
    for preset, seats in settings:
        names = [f"loses: {preset}, {seats} seats: {bot}" for bot in BOTS]
        yield _line(f"{preset}, {seats} seats", (told.get(name, "") for name in names))


def _variants(told: Mapping[str, str]) -> Iterator[str]:
    yield "Valepaska, 4 seats, two of each: loss rate minus that of the same bot that ...\n"
    habits = ("lies=never", "doubts=never", "lies=coin&doubts=coin")
    yield from _head("bot", ("never lies", "never challenges", "does both by a coin"))
    for bot, mark in (("counter", "?"), ("search?nodes=300", "&")):
        names = [f"bluff: valepaska, 4 seats: {bot} - {bot}{mark}{habit}" for habit in habits]
        yield _line(bot, (told.get(name, "") for name in names))


def _endings(told: Mapping[str, str]) -> Iterator[str]:
    yield "Stalemates among so many deals of one bot against itself:\n"
    bots = ("search?nodes=100", *BOTS[1:])
    yield from _head("rules", bots)
    for preset in PRESETS:
        for seats in (4, 2):
            names = [f"ends: {preset}, {seats} seats: {bot}" for bot in bots]
            if any(name in told for name in names):
                yield _line(f"{preset}, {seats} seats", (told.get(name, "") for name in names))


def _head(first: str, heads: Sequence[str]) -> Iterator[str]:
    yield _line(first, heads)
    yield "|---" * (len(heads) + 1) + "|"


def _line(first: str, cells: Iterable[str]) -> str:
    return f"| {first} | " + " | ".join(cells) + " |"
