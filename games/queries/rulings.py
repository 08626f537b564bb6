"""The referee of a rules card: every question that can be asked, answered once by the engine.

What a page needs to answer without the service: it looks answers up, by stock, top, what lies
above, rank and number, and decides nothing. Sentences are those of the rules (engine/texts.py).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from games.engine import Rules
from games.engine.cards import ACE, COURTS, JOKER, LOW, RANKS, SEVEN, TEN, THREE, TWO
from games.engine.referee import COUNTS, Lying, Referee, Verdict
from games.engine.rules import CourtsOnEmpty, TenOn
from games.engine.texts import ERRORS, option_text
from games.engine.tops import EMPTY, FREE, MUST, ONLY_THREES, Effect

LETTERS: Final = "".join(
    chr(at) for at in (*range(35, 127), *range(161, 400)) if chr(at) not in "&'<>\\"
)
"""One for each different answer of a rules card: a row of answers is a string."""
_NAMES: Final = {"T": "10", "*": "joker"}
_EFFECTS: Final = {
    Effect.STAYS: "It lies there, and the next player is on turn.",
    Effect.FEEDS_AGAIN: "The next player takes the pile and draws nothing; who laid plays again.",
    Effect.FEEDS_PASS: "The next player takes the pile, draws nothing and misses the turn.",
}
_FALLS: Final = "The pile falls: it is out of the game, and who laid it plays again."
_ON_EMPTY: Final = {TEN: "ten_on_empty", ACE: "ace_on_empty"} | dict.fromkeys(
    COURTS, "courts_on_empty"
)
_AFTER_STOCK: Final = ("relax_after_stock", "court_floor_after_stock", "courts_on_empty")


class Zone(NamedTuple):
    """Where cards are laid from: `stock` as it must be then (None: either way), and what else holds
    there."""

    key: str
    text: str
    single: bool
    stock: bool | None
    note: str


class Asked(NamedTuple):
    """A question, each part by its place in the table."""

    stock: bool
    top: int
    lying: int
    rank: int
    cards: int


@lru_cache(maxsize=64)
def referee(rules: Rules) -> dict[str, Any]:
    """All answers of a rules card, as JSON: `rows[stock][top][lying]` is a string of a letter for
    each rank and number of cards; the letter's place in `letters` is that of its verdict."""
    asked = Referee(rules)
    tops = asked.tops_there_are()
    verdicts: dict[tuple[str, ...], str] = {}
    rows = [
        [
            [
                "".join(
                    _letter(verdicts, says) for says in _row(asked, stock, Lying(top, run, threes))
                )
                for threes in asked.threes_on(top)
                for run in asked.runs(top)
            ]
            for top in tops
        ]
        for stock in (False, True)
    ]
    return {
        "hash": rules.hash,
        "letters": LETTERS[: len(verdicts)],
        "verdicts": [
            {"legal": not code, "code": code or None, "effect": effect, "says": says}
            for code, effect, *says in verdicts
        ],
        "ranks": [{"key": RANKS[rank], "text": _name(rank)} for rank in asked.ranks()],
        "tops": [_top(asked, top) for top in tops],
        "counts": len(COUNTS),
        "zones": [zone._asdict() for zone in _zones(rules)],
        "asks_stock": rules.hand_size != "all" and rows[0] != rows[1],
        "rows": rows,
    }


def looked_up(table: dict[str, Any], asked: Asked) -> dict[str, Any]:
    """The answer to a question, as the page's script finds it."""
    row = table["rows"][asked.stock][asked.top][asked.lying]
    letter = row[asked.rank * table["counts"] + asked.cards - 1]
    verdict: dict[str, Any] = table["verdicts"][table["letters"].index(letter)]
    return verdict


def _row(asked: Referee, stock: bool, there: Lying) -> list[tuple[str, ...]]:
    return [_says(asked, stock, there, rank, count) for rank in asked.ranks() for count in COUNTS]


def _letter(verdicts: dict[tuple[str, ...], str], says: tuple[str, ...]) -> str:
    return verdicts.setdefault(says, LETTERS[len(verdicts)])


def _says(asked: Referee, stock: bool, there: Lying, rank: int, count: int) -> tuple[str, ...]:
    """The answer: error code, effect, then sentences: yes or no, by which rule, and what then."""
    verdict = asked.ask(stock, there, rank, count)
    why = _why(asked, stock, there, rank, count, verdict)
    effect = verdict.effect.name.lower()
    if verdict.code is not None:
        because = ERRORS[verdict.code]
        return (verdict.code, effect, "No.", because, *(one for one in why if one != because))
    return ("", effect, "Yes.", *why, *_effect(asked.rules, there.top, rank, verdict.effect))


def _why(
    asked: Referee, stock: bool, there: Lying, rank: int, count: int, verdict: Verdict
) -> list[str]:
    rules = asked.rules
    if verdict.code in ("one_court", "one_special"):
        name = "courts_per_play" if rank in COURTS else "specials_per_play"
        return [option_text(rules, name)[1]]
    if not stock and asked.ask(True, there, rank, count) != verdict:
        return [option_text(rules, name)[1] for name in _AFTER_STOCK if _changes(rules, name)]
    return [_reason(rules, there.top, rank)]


def _changes(rules: Rules, name: str) -> bool:
    """Whether an option says that something changes when the stock is gone."""
    if name == "courts_on_empty":
        return rules.courts_on_empty is CourtsOnEmpty.NOT_WHILE_STOCK
    return getattr(rules, name) not in (None, ())


def _reason(rules: Rules, top: int, rank: int) -> str:  # noqa: PLR0911
    """The rule that decides whether a rank goes on a top, as a sentence."""
    if top > MUST:
        return option_text(rules, "opening")[1]
    if top == EMPTY:
        name = _ON_EMPTY.get(rank)
        return option_text(rules, name)[1] if name else "On an empty pile any card may be laid."
    if top == FREE:
        return "When all have passed any card may open."
    if top == ONLY_THREES or (rank == THREE and rules.invisible_threes):
        return option_text(rules, "invisible_threes")[1]
    if rank == JOKER:
        return "A joker may be laid on anything."
    if top == SEVEN and rules.seven_stop:
        return option_text(rules, "seven_stop")[1]
    return _by_rank(rules, top, rank)


def _by_rank(rules: Rules, top: int, rank: int) -> str:  # noqa: PLR0911
    if rank == TWO:
        return option_text(rules, "two_on")[1]
    if top == TWO and not (rank == TEN and rules.ten_on is not TenOn.LOW):
        return option_text(rules, "after_two")[1]
    if rank == TEN:
        return option_text(rules, "ten_on")[1]
    if top in (TEN, ACE) and rank != top:
        return ERRORS["only_ten_on_ten" if top == TEN else "only_ace_on_ace"]
    if rank == ACE:
        return option_text(rules, "ace_on")[1]
    if rank in COURTS and top in LOW:
        return option_text(rules, "court_floor")[1]
    return ERRORS["too_low"]


def _effect(rules: Rules, top: int, rank: int, effect: Effect) -> list[str]:
    if effect in _EFFECTS:
        return [_EFFECTS[effect]]
    return [*_cause(rules, top, effect), _FALLS]


def _cause(rules: Rules, top: int, effect: Effect) -> list[str]:
    """Why the pile falls, where the rule that let it be laid has not said so."""
    if effect is Effect.FOUR:
        return [option_text(rules, "four_falls")[1]]
    if effect is Effect.JOKER:
        return ["A joker makes the pile fall."]
    if effect is Effect.ACE and top != EMPTY and rules.ace_falls and top in COURTS:
        return [option_text(rules, "ace_falls")[1]]
    if effect is Effect.TEN and top != EMPTY:
        return ["A ten clears the pile."]
    return []


def _top(asked: Referee, top: int) -> dict[str, Any]:
    return {
        "key": _top_key(top),
        "text": _top_text(top),
        "runs": list(asked.runs(top)),
        "threes": list(asked.threes_on(top)),
    }


def _top_key(top: int) -> str:
    if top > MUST:
        return f"first-{RANKS[top - MUST]}"
    return {EMPTY: "none", FREE: "passed", ONLY_THREES: "threes"}.get(top) or RANKS[top]


def _top_text(top: int) -> str:
    if top > MUST:
        return f"the first play of the deal, decided by {_name(top - MUST)}s"
    words = {EMPTY: "nothing", FREE: "nothing, and all have passed", ONLY_THREES: "only 3s"}
    return words.get(top) or _name(top)


def _name(rank: int) -> str:
    return _NAMES.get(RANKS[rank], RANKS[rank])


def _zones(rules: Rules) -> list[Zone]:
    found = [Zone("hand", "the hand", False, None, _hand_note(rules))]
    if rules.face_up:
        note = "The row is played from when the hand is empty and the stock is gone."
        found.append(Zone("row", "the face-up row", False, False, note))
    if rules.face_down:
        note = "It is turned over alone; one that may not be laid goes to the hand with the pile."
        found.append(Zone("down", "the face-down row", True, False, note))
    if rules.stock_chance == "when_stuck":
        note = (
            "Only who can't lay anything; one that may not be laid goes to the hand with the pile."
        )
        found.append(Zone("stock", "the stock, tried", True, None, note))
    return found


def _hand_note(rules: Rules) -> str:
    if rules.bluff:
        return "What counts is the rank that is named; the others may challenge it."
    return option_text(rules, "hand_size")[1]
