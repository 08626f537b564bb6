"""Every setting in a sentence, for people who choose them or play by them.

Only what holds for the format is said. The words are English here; ids are the settings' names.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from league.formats.registry import FORMATS
from league.formats.settings import (
    AfterOut,
    Dealer,
    Entrants,
    Late,
    NextRound,
    NoShow,
    Per,
    Results,
    Seating,
    Settings,
    Stalemate,
)


class Sentence(NamedTuple):
    """A setting and what it means here."""

    setting: str
    text: str


def sentences(settings: Settings, format: str) -> list[Sentence]:
    """What holds, in the order in which one would tell it."""
    told = [Sentence("format", FORMATS[format].sentence)]
    for name, say in _SAY.items():
        if name in _ONLY and format not in _ONLY[name]:
            continue
        text = say(settings)
        if text:
            told.append(Sentence(name, text))
    return told


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}s" if number != 1 else f"one {noun}"


def _table_size(s: Settings) -> str:
    return f"Tables have {s.table_size} seats where the number of entries allows it."


def _deals(s: Settings) -> str:
    return f"A table plays {_many(s.deals_per_table, 'deal')}."


def _dealer(s: Settings) -> str:
    if s.dealer == Dealer.LOSER:
        return "Who was last deals the next deal."
    return "From deal to deal the seats rotate."


def _ready(s: Settings) -> str:
    if s.entrants == Entrants.BOTS or s.results == Results.TYPED:
        return ""
    late = f"{s.ready_s} s after a deal was opened"
    return f"For a person who is not ready {late}, a stand-in plays it."


def _advance(s: Settings) -> str:
    return f"The best {_many(s.advance, 'seat')} of each table go on."


def _sudden(s: Settings) -> str:
    if not s.sudden_deaths:
        return "Who ties for the last place that goes on is told apart by the seed."
    more = _many(s.sudden_deaths, "more deal")
    return f"A tie for the last place that goes on plays at most {more}."


def _chips(s: Settings) -> str:
    for_what = "deal" if s.chips_per == Per.DEAL else "table"
    if s.chips == "last":
        return f"Who is last in a {for_what} takes a chip."
    if s.chips == "last_two":
        return f"The last two of a {for_what} take a chip each."
    if s.chips == "progressive":
        return f"In a {for_what} the second takes one chip, the third two, and so on."
    return f"Chips of a {for_what} go by place: {_vectors(s)}; at other tables the last takes one."


def _vectors(s: Settings) -> str:
    if isinstance(s.chips, str):
        return s.chips
    return ", ".join(f"{'/'.join(map(str, chips))} at {size}" for size, chips in s.chips)


def _limit(s: Settings) -> str:
    if not s.limit:
        return ""
    out = {
        AfterOut.LEAVES: "leaves",
        AfterOut.PLAYS_ON: "plays on without taking more",
    }[AfterOut(s.after_out)]
    shown = f" (the letters {'-'.join(s.word)})" if s.word else ""
    return f"Who has {_many(s.limit, 'chip')}{shown} when a round ends is out and {out}."


def _end(s: Settings) -> str:
    ends = list(_ends(s))
    first = ", whichever comes first" if len(ends) > 1 else ""
    return f"It ends {', or '.join(ends)}{first}." if ends else ""


def _ends(s: Settings) -> Iterator[str]:
    if s.rounds:
        yield f"after {_many(s.rounds, 'round')}"
    if s.deals:
        yield f"in the round in which {_many(s.deals, 'deal')} have been played"
    if s.first_out:
        yield "when the first is out"
    if s.left:
        yield f"when {s.left} are left" if s.left > 1 else "when one is left"


_SEATING: Final = {
    Seating.BALANCED: "Seats are drawn so that all meet as evenly as can be.",
    Seating.STANDINGS: "Neighbours in the standings sit together.",
    Seating.RANDOM: "Seats are drawn by lot.",
    Seating.FIXED: "Tables stay together.",
}
_LATE: Final = {
    Late.ZERO: "with no chips",
    Late.MINIMUM: "with the fewest chips of the field",
    Late.EXPECTED: "with the mean number of chips so far, rounded up",
}


def _never_out(s: Settings) -> str:
    return ", but never so many that they are out" if s.limit else ""


_STALEMATE: Final = {
    Stalemate.REPLAY: "A deal that nobody can end is dealt anew, three times at most.",
    Stalemate.SHARE: "Of a deal that nobody can end those with most cards share the loss.",
    Stalemate.NONE: "A deal that nobody can end costs nobody anything.",
}
_ENTRANTS: Final = {
    Entrants.BOTS: "Bots may enter.",
    Entrants.PEOPLE: "People may enter.",
    Entrants.ALL: "People and bots may enter.",
}


def _entrants(s: Settings) -> str:
    room = f" There is room for {s.capacity}; who comes later waits." if s.capacity else ""
    return _ENTRANTS[Entrants(s.entrants)] + room


def _checkin(s: Settings) -> str:
    if not s.checkin_minutes:
        return ""
    stands_in = ", and a stand-in plays for a bot until it appears"
    absent = {
        NoShow.STAND_IN: f"keeps the seat{'' if s.entrants == Entrants.PEOPLE else stands_in}",
        NoShow.WITHDRAW: "is withdrawn before the draw",
    }[NoShow(s.no_show)]
    opens = f"Check-in opens {_many(s.checkin_minutes, 'minute')} before the start"
    return f"{opens}; who entered before that and has not checked in by the start {absent}."


def _results(s: Settings) -> str:
    if s.results == Results.ENGINE:
        return ""
    alone = "counts when a second seat says the same, or nobody has objected for"
    minutes = _many(s.auto_confirm_minutes, "minute")
    return f"Results are typed in; a player's entry {alone} {minutes}."


_SAY: Final[Mapping[str, Callable[[Settings], str]]] = {
    "entrants": _entrants,
    "checkin_minutes": _checkin,
    "table_size": _table_size,
    "deals_per_table": _deals,
    "dealer": _dealer,
    "ready_s": _ready,
    "seating": lambda s: _SEATING[Seating(s.seating)],
    "few_left": lambda s: (
        f"When {s.few_left} or fewer are left they sit at one table." if s.few_left else ""
    ),
    "advance": _advance,
    "sudden_deaths": _sudden,
    "chips": _chips,
    "limit": _limit,
    "rounds": _end,
    "next_round": lambda s: (
        "An organiser opens each round."
        if s.next_round == NextRound.BY_HAND
        else "A round opens as soon as the one before it is over."
    ),
    "results": _results,
    "stalemate": lambda s: _STALEMATE[Stalemate(s.stalemate)],
    "late_entry": lambda s: (
        f"Late entries begin {_LATE[Late(s.late_chips)]}{_never_out(s)}." if s.late_entry else ""
    ),
    "freeze_versions": lambda s: (
        "The version of a bot is fixed when entries close."
        if s.freeze_versions and s.entrants != Entrants.PEOPLE
        else ""
    ),
    "bots_per_owner": lambda s: (
        f"One owner enters at most {_many(s.bots_per_owner, 'bot')}."
        if s.entrants != Entrants.PEOPLE
        else ""
    ),
}
_ONLY: Final[Mapping[str, tuple[str, ...]]] = {
    "seating": ("rounds", "strikes", "last_out"),
    "few_left": ("rounds", "strikes", "last_out"),
    "advance": ("knockout",),
    "sudden_deaths": ("knockout",),
    "limit": ("rounds", "strikes"),
    "rounds": ("rounds", "strikes"),
    "late_entry": ("rounds", "strikes"),
}
