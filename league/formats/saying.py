"""What somebody says of a deal, and what becomes of it beside what stood there before.

Source: competitions.md, "The ledger": partial results, confirmation, corrections. Pure: who sat
where and who may rule is told, nothing is looked up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from league.formats.field import Places

MOST_AT_A_TABLE = 10


class SayingError(ValueError):
    """No deal can have gone like that; says why."""


class LeftOutError(SayingError):
    """Somebody has no place whose place decides; `numbers` says who."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(f"Not told: {', '.join(map(str, numbers))}.")
        self.numbers = list(numbers)


class Step(Enum):
    """What an entry does to the result of its deal."""

    NOTHING = "nothing"  # it says what stands there already
    REPORT = "reported"
    CONFIRM = "confirmed"
    AMEND = "amended"
    DISPUTE = "disputed"
    RULE = "ruled"
    VOID = "voided"
    CONFLICT = "conflict"  # it was said without knowing of what stands there


@dataclass(frozen=True)
class Standing:
    """The result that stands: its version, state and places, and who entered it."""

    version: int
    state: str
    places: Places
    by: int | None


@dataclass(frozen=True)
class Saying:
    """What is entered: places, by which player, whether he may rule, the version he has seen."""

    places: Places
    by: int
    rules: bool
    seen: int | None = None
    forfeits: tuple[int, ...] = ()
    """Who of the last gave up."""


def places_of(
    said: Sequence[Sequence[int]],
    sat: Sequence[int],
    others: Sequence[int],
    must: Sequence[int] = (),
) -> Places:
    """Check places as they come from outside: groups of who played, each once, two at least.

    `sat` are the seats of the table; all of them must be told, but those that did not play this
    deal, whom only `others` (who joined from elsewhere) may replace; who `must` be told can't be
    left out. An empty list is a deal that was abandoned. Raises `SayingError`, `LeftOutError`.

    >>> places_of([[3, 1], [2]], [1, 2, 3], [])
    ((1, 3), (2,))
    """
    if not said:
        return ()
    named = [number for group in said for number in group]
    if len(named) != len(set(named)) or not all(said):
        raise SayingError("Everybody stands in one group, and no group is empty.")
    if not 2 <= len(named) <= MOST_AT_A_TABLE:
        raise SayingError(f"Two to {MOST_AT_A_TABLE} play a deal.")
    strangers = sorted(set(named) - set(sat) - set(others))
    if strangers:
        raise SayingError(f"Not at this table: {', '.join(map(str, strangers))}.")
    missing = sorted(set(must) - set(named))
    if missing:
        raise LeftOutError(missing)
    return tuple(tuple(sorted(group)) for group in said)


def only_last(last: Sequence[int], sat: Sequence[int]) -> Places:
    """Places where only who was last is known: the others share the first.

    >>> only_last([2], [1, 2, 3])
    ((1, 3), (2,))
    """
    others = tuple(sorted(number for number in sat if number not in last))
    if not last or not others or not set(last) <= set(sat):
        raise SayingError("Name who of the table was last, and leave somebody who was not.")
    return (others, tuple(sorted(set(last))))


def step(stands: Standing | None, says: Saying) -> Step:
    """What becomes of an entry. A different result needs to know of the one that stands."""
    if stands is None or (stands.state == "void" and not stands.places):
        return Step.CONFIRM if says.rules else Step.REPORT
    if stands.state == "void":
        return _after_void(stands, says)
    if stands.state == "disputed":
        return _in_dispute(stands, says)
    if stands.places == says.places:
        agrees = stands.state == "reported" and (says.rules or says.by != stands.by)
        return Step.CONFIRM if agrees else Step.NOTHING
    return _differs(stands, says)


def _differs(stands: Standing, says: Saying) -> Step:
    if says.seen != stands.version:
        return Step.CONFLICT
    if says.rules:
        return Step.AMEND
    own = stands.state == "reported" and says.by == stands.by
    return Step.REPORT if own else Step.DISPUTE


def _after_void(stands: Standing, says: Saying) -> Step:
    """What was voided comes back only by who knows that it was: a repeat must not bring it back."""
    if says.seen != stands.version:
        return Step.CONFLICT
    return Step.RULE if says.rules else Step.REPORT


def _in_dispute(stands: Standing, says: Saying) -> Step:
    if not says.rules:
        return Step.NOTHING
    return Step.RULE if says.seen == stands.version else Step.CONFLICT
