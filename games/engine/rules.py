"""A rule set: every option of rules.md section 11, checked, with its card and its hash.

Owns what an option may be; what it does to play is compiled in tables.py.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Final, Literal

from games.engine.errors import RulesCode, RulesError


class Swap(StrEnum):
    """Whether cards may be swapped between hand and face-up row before play."""

    NONE = "none"
    BEFORE_PLAY = "before_play"


class FirstPlayer(StrEnum):
    """Who plays first."""

    LEFT_OF_DEALER = "left_of_dealer"
    MOST_LOWEST = "most_lowest"


class Opening(StrEnum):
    """What the first play of the round must be."""

    ANY = "any"
    DECIDING_RANK = "deciding_rank"


class TenOn(StrEnum):
    """What a ten may be laid on."""

    ANY = "any"
    LOW = "low"
    NOT_TWO = "not_two"


class OnEmpty(StrEnum):
    """What a ten or an ace does on an empty pile."""

    FALLS = "falls"
    STAYS = "stays"
    FEEDS_AGAIN = "feeds_again"
    FEEDS_PASS = "feeds_pass"  # noqa: S105
    ILLEGAL = "illegal"


class AceOn(StrEnum):
    """What an ace may be laid on."""

    COURTS = "courts"
    FLOOR = "floor"


class TwoOn(StrEnum):
    """What a 2 may be laid on."""

    EXCEPT_ACE_TEN = "except_ace_ten"
    ANY = "any"


class AfterTwo(StrEnum):
    """What may be laid on a 2."""

    ANY = "any"
    TWOS = "twos"


class CourtsOnEmpty(StrEnum):
    """Whether courts may open an empty pile."""

    YES = "yes"
    NO = "no"
    NOT_WHILE_STOCK = "not_while_stock"


class PerPlay(StrEnum):
    """How many courts or specials one play may hold."""

    ANY = "any"
    ONE = "one"


class PickUp(StrEnum):
    """When the pile may be picked up."""

    WHEN_STUCK = "when_stuck"
    ANY_TIME = "any_time"


class StockChance(StrEnum):
    """Whether a stuck player may try the top stock card."""

    OFF = "off"
    WHEN_STUCK = "when_stuck"


class Challengers(StrEnum):
    """Who may challenge a claim."""

    ANYONE = "anyone"
    NEXT_PLAYER = "next_player"


class ChallengeMode(StrEnum):
    """How answers to a claim are given."""

    SEALED = "sealed"
    FIRST = "first"


class AfterTruth(StrEnum):
    """Who opens after a true claim was challenged."""

    CLAIMANT_OPENS = "claimant_opens"
    LEFT_OF_CHALLENGER = "left_of_challenger"


class AfterLie(StrEnum):
    """Who opens after a lie was caught."""

    LEFT_OF_LIAR = "left_of_liar"
    CHALLENGER_OPENS = "challenger_opens"


class TrueFall(StrEnum):
    """What becomes of a true claim that would have made the pile fall."""

    CHALLENGER_TAKES = "challenger_takes"
    PILE_FALLS = "pile_falls"


RELAXATIONS: Final = ("aces", "courts", "tens", "twos")


@dataclass(frozen=True)
class Rules:
    """One rule set. The values that stand here are those of the preset `table`."""

    decks: Literal["auto", 1, 2] = "auto"
    second_deck_from: int | None = 6
    jokers: int = 0
    hand_size: int | Literal["all"] = 5
    hand_batches: tuple[int, ...] | None = None
    face_down: int = 3
    face_up: int = 3
    swap: Swap = Swap.BEFORE_PLAY
    first_player: FirstPlayer = FirstPlayer.LEFT_OF_DEALER
    opening: Opening = Opening.ANY
    ten_on: TenOn = TenOn.ANY
    ten_on_empty: OnEmpty = OnEmpty.FALLS
    ace_on: AceOn = AceOn.COURTS
    ace_falls: bool = False
    ace_on_empty: OnEmpty = OnEmpty.STAYS
    two_on: TwoOn = TwoOn.EXCEPT_ACE_TEN
    after_two: AfterTwo = AfterTwo.ANY
    court_floor: int = 7
    court_floor_after_stock: int | None = None
    courts_on_empty: CourtsOnEmpty = CourtsOnEmpty.YES
    courts_per_play: PerPlay = PerPlay.ANY
    specials_per_play: PerPlay = PerPlay.ANY
    four_falls: bool = True
    four_twos_fall: bool = True
    invisible_threes: bool = False
    seven_stop: bool = False
    pick_up: PickUp = PickUp.WHEN_STUCK
    stock_chance: StockChance = StockChance.OFF
    draw_first: bool = False
    relax_after_stock: tuple[str, ...] = ()
    bluff: bool = False
    challengers: Challengers = Challengers.ANYONE
    challenge_mode: ChallengeMode = ChallengeMode.SEALED
    after_truth: AfterTruth = AfterTruth.CLAIMANT_OPENS
    after_lie: AfterLie = AfterLie.LEFT_OF_LIAR
    true_fall: TrueFall = TrueFall.CHALLENGER_TAKES
    max_plies: int = 5000
    stalemate_repeats: int = 6

    def options(self) -> dict[str, object]:
        """Every option with its JSON value."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    def card(self) -> str:
        """The rules card: the full option set in canonical JSON."""
        return canonical_json(self.options())

    def __hash__(self) -> int:
        """Of the rules' own hash: rule sets are keys wherever something is remembered of them."""
        return hash(self.hash)

    @cached_property
    def hash(self) -> str:
        """First 12 hex digits of the card's SHA-256."""
        return hashlib.sha256(self.card().encode()).hexdigest()[:12]

    @property
    def swaps(self) -> bool:
        """Whether a round of these rules has a swap phase."""
        return self.swap is Swap.BEFORE_PLAY and self.face_up > 0


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: object) -> str:
    """Keys sorted, no white space, text as it is: the one way in which things that are hashed are
    written."""
    return _canonical(value)


def altered(rules: Rules, options: Mapping[str, object]) -> Rules:
    """The rule set with some options changed; raises `RulesError` (names, values, conflicts, each
    in code point order)."""
    for name in sorted(options):
        if name not in _READERS:
            raise RulesError(RulesCode.UNKNOWN_OPTION, name)
    values = {name: _READERS[name](name, options[name]) for name in sorted(options)}
    changed = replace(rules, **values)  # type: ignore[arg-type]
    _refuse_conflicts(changed)
    return changed


def rules_from_card(card: str) -> Rules:
    """The rule set that a rules card tells; raises `RulesError`, or `ValueError` for no JSON."""
    return altered(Rules(), json.loads(card))


def packs_needed(rules: Rules, players: int) -> tuple[int, bool]:
    """How many packs a deal takes, and whether that is worth the notice `second_deck_needed`
    (section 2.1). Raises `deal_impossible`."""
    hand = 1 if rules.hand_size == "all" else rules.hand_size
    needed = players * (rules.face_down + rules.face_up + hand)
    by_players = rules.second_deck_from is not None and players >= rules.second_deck_from
    by_cards = needed > 52 + rules.jokers
    auto = 2 if by_players or by_cards else 1
    packs = auto if rules.decks == "auto" else rules.decks
    if needed > 52 * packs + rules.jokers:
        raise RulesError(RulesCode.DEAL_IMPOSSIBLE)
    return packs, rules.decks == "auto" and by_cards and not by_players


def _refuse_conflicts(rules: Rules) -> None:
    if rules.hand_batches is not None and sum(rules.hand_batches) != rules.hand_size:
        raise RulesError(RulesCode.OPTION_CONFLICT, "hand_batches")
    if rules.stock_chance is not StockChance.OFF and rules.bluff:
        raise RulesError(RulesCode.OPTION_CONFLICT, "stock_chance")


_Reader = Callable[[str, object], object]


def _one_of(*allowed: object) -> _Reader:
    """Accept these values, in their very type: `true` is not 1."""

    def read(name: str, value: object) -> object:
        for known in allowed:
            if value == known and type(value) is type(known):
                return known
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)

    return read


def _between(least: int, most: int) -> _Reader:
    def read(name: str, value: object) -> object:
        if type(value) is int and least <= value <= most:
            return value
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)

    return read


def _word(kind: type[StrEnum]) -> _Reader:
    def read(name: str, value: object) -> object:
        if isinstance(value, str) and value in list(kind):
            return kind(value)
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)

    return read


def _batches(name: str, value: object) -> object:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or any(type(n) is not int or n < 1 for n in value):
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)
    return tuple(value)


def _relaxations(name: str, value: object) -> object:
    if not isinstance(value, list | tuple) or any(v not in RELAXATIONS for v in value):
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)
    if len(set(value)) < len(value):
        raise RulesError(RulesCode.BAD_OPTION_VALUE, name)
    return tuple(sorted(value))


def _reader(name: str, kind: object) -> _Reader:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _word(kind)
    return _one_of(False, True) if kind is bool else _NUMBERS[name]


_NUMBERS: Final[Mapping[str, _Reader]] = {
    "decks": _one_of("auto", 1, 2),
    "second_deck_from": _one_of(None, *range(2, 7)),
    "jokers": _one_of(*range(5)),
    "hand_size": _one_of("all", *range(3, 7)),
    "hand_batches": _batches,
    "face_down": _one_of(*range(6)),
    "face_up": _one_of(*range(6)),
    "court_floor": _one_of(0, 6, 7, 8, 9),
    "court_floor_after_stock": _one_of(None, 0),
    "relax_after_stock": _relaxations,
    "max_plies": _between(100, 100_000),
    "stalemate_repeats": _one_of(*range(2, 11)),
}
_READERS: Final[Mapping[str, _Reader]] = {f.name: _reader(f.name, f.type) for f in fields(Rules)}
OPTIONS: Final = tuple(sorted(_READERS))
