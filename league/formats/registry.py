"""The formats by name: how each draws, closes a round and plans ahead."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from league.formats import knockout, last_out, rounds, strikes
from league.formats.field import Draw, Field, Outcome
from league.formats.settings import Results, Settings
from league.formats.steps import KNOCKOUT_STEPS, LEAGUE_STEPS, STEPS


@dataclass(frozen=True)
class Format:
    """A way from entries to places. All three are pure: the same input gives the same output."""

    sentence: str
    draw: Callable[[Field, Settings, bytes], Draw]
    """Seat the next round of a field of two or more; the bytes are the round's seed."""
    close: Callable[[Field, Settings], Outcome]
    """What the last round of `Field.rounds` makes of those who are in."""
    planned: Callable[[int, Settings], list[tuple[int, ...]]]
    """Table sizes of all rounds for so many entries, as far as they can be known."""
    steps: tuple[str, ...]
    """Of the standings, where nothing else was chosen."""
    tables_decide: bool = True
    """Whether a table decides who goes on: then everybody there has a place, and it stands."""


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "knockout": Format(
            "The best of each table go on, until one is left.",
            knockout.draw,
            knockout.close,
            knockout.planned,
            KNOCKOUT_STEPS,
        ),
        "rounds": Format(
            "Everybody plays each round; fewest chips win.",
            rounds.draw,
            rounds.close,
            rounds.planned,
            LEAGUE_STEPS,
            tables_decide=False,
        ),
        "strikes": Format(
            "Who is last takes a strike and is out with too many; the last one left wins.",
            strikes.draw,
            strikes.close,
            strikes.planned,
            KNOCKOUT_STEPS,
            tables_decide=False,
        ),
        "last_out": Format(
            "Who is last at a table leaves, until one table is left; its winner wins.",
            last_out.draw,
            last_out.close,
            last_out.planned,
            KNOCKOUT_STEPS,
        ),
    }
)


def steps_of(format: str, settings: Settings) -> tuple[str, ...]:
    """The ordered steps of the standings. Where deals are played here, those that look at meetings
    are there only by choice: there may be a million deals."""
    if settings.steps:
        return settings.steps
    steps = FORMATS[format].steps
    if settings.results == Results.ENGINE:
        return tuple(code for code in steps if not STEPS[code].meets)
    return steps
