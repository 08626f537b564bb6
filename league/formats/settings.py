"""Settings of a competition, checked and complete. Source: competitions.md, "League rules".

What each means in a sentence stands in `formats.sentences`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Final


class SettingError(ValueError):
    """A setting that can't be: its name and a sentence."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"{name}: {sentence}")
        self.name = name
        self.sentence = sentence


class Seeding(StrEnum):
    """Who is drawn first."""

    LOT = "lot"


class Entrants(StrEnum):
    """Who may enter."""

    BOTS = "bots"
    PEOPLE = "people"
    ALL = "all"


class NoShow(StrEnum):
    """What becomes of an entry that has not checked in when the draw is made."""

    STAND_IN = "stand_in"
    WITHDRAW = "withdraw"


class Seating(StrEnum):
    """How `rounds`, `strikes` and `last_out` seat."""

    BALANCED = "balanced"
    STANDINGS = "standings"
    RANDOM = "random"
    FIXED = "fixed"


class Per(StrEnum):
    """What a chip is taken for: each deal, or a table's whole seating."""

    DEAL = "deal"
    TABLE = "table"


class AfterOut(StrEnum):
    """What who is out does."""

    PLAYS_ON = "plays_on"
    LEAVES = "leaves"


class OutAt(StrEnum):
    """When who has reached the limit is out: after the deal, or when the round is complete."""

    DEAL = "deal"
    ROUND = "round"


class Absence(StrEnum):
    """What a night away costs: nothing, so many chips, or what a night has cost on the mean."""

    NOTHING = "nothing"
    CHIPS = "chips"
    EXPECTED = "expected"


class Late(StrEnum):
    """The chips a late entry begins with."""

    ZERO = "zero"
    MINIMUM = "minimum"
    EXPECTED = "expected"


class Stalemate(StrEnum):
    """What becomes of a deal that nobody could end."""

    REPLAY = "replay"
    SHARE = "share"
    NONE = "none"


class Dealer(StrEnum):
    """Who deals the next deal of a table: the seats rotate, or who was last deals."""

    ROTATES = "rotates"
    LOSER = "loser"


class Results(StrEnum):
    """Where results come from: games played here, or what is typed in from a real table."""

    ENGINE = "engine"
    TYPED = "typed"


class NextRound(StrEnum):
    """When the next round is drawn."""

    AT_ONCE = "at_once"
    BY_HAND = "by_hand"


NIGHTLY: Final = ("rounds", "strikes")
"""The formats that are played in nights: who is away is in all the same."""
BIGGEST: Final = 6
"""Seats of the biggest table that a draw makes."""
CHIP_PATTERNS: Final = ("last", "last_two", "progressive")
Chips = str | tuple[tuple[int, tuple[int, ...]], ...]
"""A pattern, or chips by place for each table size."""


@dataclass(frozen=True)
class Settings:
    """What a competition is played by. 0 and "" switch a setting off.

    `forbidden_pairs` are pairs of player ids.
    """

    # Tables
    table_size: int = 4
    deals_per_table: int = 20
    dealer: str = Dealer.ROTATES
    # How long a deal waits for its people to be ready.
    ready_s: int = 300
    seating: str = Seating.BALANCED
    few_left: int = 0
    # Knockout
    advance: int = 1
    sudden_deaths: int = 3
    # Entries
    seeding: str = Seeding.LOT
    entrants: str = Entrants.BOTS
    # Versions of bots are fixed when entries close.
    freeze_versions: bool = True
    bots_per_owner: int = 20
    capacity: int = 0
    late_entry: bool = False
    late_chips: str = Late.EXPECTED
    forbidden_pairs: tuple[tuple[int, int], ...] = ()
    # Check-in opens so long before the start; 0: there is none.
    checkin_minutes: int = 30
    no_show: str = NoShow.STAND_IN
    # Play
    results: str = Results.ENGINE
    next_round: str = NextRound.AT_ONCE
    auto_confirm_minutes: int = 15
    # Chips
    chips: Chips = "last"
    chips_per: str = Per.DEAL
    word: str = ""
    limit: int = 0
    after_out: str = AfterOut.PLAYS_ON
    out_at: str = OutAt.ROUND
    stalemate: str = Stalemate.REPLAY
    # The end, whichever comes first
    rounds: int = 0
    deals: int = 0
    first_out: bool = False
    left: int = 0
    nights: int = 0
    # Who shares the win plays for it.
    playoff: bool = False
    # Nights
    rounds_per_night: int = 1
    absence: str = Absence.NOTHING
    absence_chips: int = 1
    nights_free: int = 0
    # Of the deals offered, the least share in percent that ranks.
    ranked_from: int = 0
    # So many nights count, the best of each; 0: all.
    best_of: int = 0
    # Standings
    steps: tuple[str, ...] = ()

    def puts_out(self, chips: int) -> bool:
        """Whether so many chips reach the limit, if there is one."""
        return self.limit > 0 and chips >= self.limit

    @property
    def recounts(self) -> bool:
        """Whether a result changes more than it adds: then tallies are folded anew."""
        return bool(self.best_of or self.playoff)

    def to_json(self) -> dict[str, Any]:
        """All of it, defaults too, as `read` takes it."""
        wire = asdict(self)
        wire["forbidden_pairs"] = [list(pair) for pair in self.forbidden_pairs]
        wire["steps"] = list(self.steps)
        if not isinstance(self.chips, str):
            wire["chips"] = {str(size): list(chips) for size, chips in self.chips}
        return wire


_DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "knockout": {},
    "rounds": {"rounds": 5},
    "strikes": {"chips_per": Per.TABLE, "limit": 3, "after_out": AfterOut.LEAVES, "left": 1},
    "last_out": {"chips_per": Per.TABLE},
}
"""What is different where a format is chosen and nothing is said."""


def read(given: Mapping[str, Any], format: str = "knockout") -> Settings:
    """Check settings as they come from outside; what is not given has the format's default.

    Raises `SettingError` for the first that is unknown, of the wrong type, out of range or at
    odds with another one.
    """
    for name in sorted(given):
        if name not in _CHECKS:
            raise SettingError(name, "There is no such setting.")
    values = {name: _CHECKS[name](name, value) for name, value in given.items()}
    usual = dict(_DEFAULTS[format])
    if values.get("nights"):
        # So many nights have as many rounds as they have.
        usual.pop("rounds", None)
    settings = Settings(**{**usual, **values})
    if settings.word and not settings.limit:
        settings = replace(settings, limit=len(settings.word))
    _agree(settings, format)
    return settings


def stored(kept: Mapping[str, Any]) -> Settings:
    """Settings as `to_json` wrote them; what has come up since has its default."""
    return Settings(**{name: _CHECKS[name](name, value) for name, value in kept.items()})


def _agree(settings: Settings, format: str) -> None:
    if format == "knockout" and settings.advance >= settings.table_size:
        raise SettingError("advance", "Fewer must go on than sit at a table.")
    if settings.late_entry and format not in ("rounds", "strikes"):
        raise SettingError("late_entry", "Who comes late to a knockout has nobody to have beaten.")
    if settings.capacity == 1:
        raise SettingError("capacity", "Room for two at least, or 0 for any number.")
    if settings.word and len(settings.word) != settings.limit:
        raise SettingError("word", "It has as many letters as the limit has chips.")
    if settings.limit and format not in ("rounds", "strikes"):
        raise SettingError("limit", "Only in rounds and strikes is anybody out by chips.")
    if settings.first_out and not settings.limit:
        raise SettingError("first_out", "Nobody is ever out without a limit.")
    if format == "strikes" and not settings.limit:
        raise SettingError("limit", "Strikes need a number of them that puts a player out.")
    if format == "strikes" and settings.after_out != AfterOut.LEAVES:
        raise SettingError("after_out", "In strikes whoever is out leaves.")
    _agree_on_nights(settings, format)
    if format == "rounds" and not _ends(settings):
        raise SettingError("rounds", "Say when it ends: nights, rounds, deals, or who is out.")


def _agree_on_nights(settings: Settings, format: str) -> None:
    if settings.out_at == OutAt.DEAL and settings.after_out != AfterOut.LEAVES:
        raise SettingError("out_at", "Who plays on is out when the round is complete.")
    if settings.out_at == OutAt.DEAL and settings.chips_per != Per.DEAL:
        raise SettingError("out_at", "Chips of a whole table put nobody out within it.")
    if settings.nights and format not in NIGHTLY:
        raise SettingError("nights", "Only rounds and strikes are played in nights.")
    if settings.best_of and (settings.limit or format != "rounds"):
        raise SettingError("best_of", "Only where nobody is out by chips can a night not count.")
    if settings.playoff and format != "rounds":
        raise SettingError("playoff", "Other formats have one winner, or a final.")


def _ends(settings: Settings) -> bool:
    leaves = settings.limit and settings.after_out == AfterOut.LEAVES
    ends = settings.rounds or settings.deals or settings.first_out or settings.nights
    return bool(ends or leaves)


_Check = Callable[[str, Any], Any]


def _whole(low: int, high: int) -> _Check:
    def check(name: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise SettingError(name, f"A whole number from {low} to {high}.")
        return value

    return check


def _one_of(choices: type[StrEnum]) -> _Check:
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in list(choices):
            raise SettingError(name, f"One of: {', '.join(choices)}.")
        return str(value)

    return check


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingError(name, "true or false.")
    return value


def _word(name: str, value: Any) -> str:
    # Some letters are two in capitals: what is kept must pass when it is read again.
    word = value.upper() if isinstance(value, str) and len(value) <= 12 else None
    if word is None or len(word) > 12 or (word and not word.isalpha()):
        raise SettingError(name, "A word of at most 12 letters.")
    return word


def _chips(name: str, value: Any) -> Chips:
    sentence = (
        f"One of: {', '.join(CHIP_PATTERNS)}; or chips by place for table sizes, from first to "
        'last: {"4": [0, 0, 1, 2]}, none fewer than the one before.'
    )
    if isinstance(value, str):
        if value not in CHIP_PATTERNS:
            raise SettingError(name, sentence)
        return value
    if not isinstance(value, Mapping) or not value:
        raise SettingError(name, sentence)
    return tuple(sorted(_vector(name, size, chips, sentence) for size, chips in value.items()))


def _vector(name: str, size: Any, chips: Any, sentence: str) -> tuple[int, tuple[int, ...]]:
    sizes = {str(number): number for number in range(2, 11)}
    if size not in sizes or not isinstance(chips, list | tuple) or len(chips) != sizes[size]:
        raise SettingError(name, sentence)
    if any(type(chip) is not int or not 0 <= chip <= 20 for chip in chips):
        raise SettingError(name, sentence)
    if list(chips) != sorted(chips) or not chips[-1]:
        raise SettingError(name, sentence)
    return sizes[size], tuple(chips)


def _pairs(name: str, value: Any) -> tuple[tuple[int, int], ...]:
    sentence = "A list of at most 1000 pairs of player ids."
    if not isinstance(value, list | tuple) or len(value) > 1000:
        raise SettingError(name, sentence)
    for pair in value:
        if not isinstance(pair, list | tuple) or [type(n) for n in pair] != [int, int]:
            raise SettingError(name, sentence)
    return tuple((first, second) for first, second in value)


def _steps(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > 20:
        raise SettingError(name, "A list of steps of the standings, the first decides first.")
    if not all(isinstance(step, str) and step in STEP_CODES for step in value):
        raise SettingError(name, f"Each one of: {', '.join(STEP_CODES)}.")
    if len(set(value)) != len(value):
        raise SettingError(name, "Each step once.")
    return tuple(value)


STEP_CODES: Final = (
    "attendance",
    "place",
    "chips",
    "loss_ratio",
    "loss_index",
    "loss_rate",
    "direct",
    "first_places",
    "percentile",
    "meeting_strength",
    "last_loss",
)

_CHECKS: Final[Mapping[str, _Check]] = {
    "table_size": _whole(2, BIGGEST),
    "deals_per_table": _whole(1, 50),
    "dealer": _one_of(Dealer),
    "ready_s": _whole(1, 86_400),
    "seating": _one_of(Seating),
    "few_left": _whole(0, 6),
    "advance": _whole(1, 5),
    "sudden_deaths": _whole(0, 10),
    "seeding": _one_of(Seeding),
    "entrants": _one_of(Entrants),
    "freeze_versions": _flag,
    "bots_per_owner": _whole(1, 20),
    "capacity": _whole(0, 5000),
    "late_entry": _flag,
    "late_chips": _one_of(Late),
    "forbidden_pairs": _pairs,
    "checkin_minutes": _whole(0, 1440),
    "no_show": _one_of(NoShow),
    "results": _one_of(Results),
    "next_round": _one_of(NextRound),
    "auto_confirm_minutes": _whole(0, 1440),
    "chips": _chips,
    "chips_per": _one_of(Per),
    "word": _word,
    "limit": _whole(0, 100),
    "after_out": _one_of(AfterOut),
    "out_at": _one_of(OutAt),
    "stalemate": _one_of(Stalemate),
    "rounds": _whole(0, 200),
    "deals": _whole(0, 10_000),
    "first_out": _flag,
    "left": _whole(0, 60),
    "nights": _whole(0, 200),
    "playoff": _flag,
    "rounds_per_night": _whole(1, 12),
    "absence": _one_of(Absence),
    "absence_chips": _whole(1, 20),
    "nights_free": _whole(0, 60),
    "ranked_from": _whole(0, 100),
    "best_of": _whole(0, 60),
    "steps": _steps,
}
assert set(_CHECKS) == {field.name for field in fields(Settings)}
