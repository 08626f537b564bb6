"""The written form of an action (rules, section 4; records, `actions`)."""

import re
from dataclasses import dataclass, field

CARD = r"(?:[3-9TJQKA2][CDHS]|\*[1-4])"
FORMS = {
    "P": rf"P:((?:{CARD})+)",
    "C": rf"C:((?:{CARD})+)=([3-9TJQKA2*])",
    "B": r"B:(0|[1-9][0-9]*)",
    "S": rf"S:((?:{CARD})*)/((?:{CARD})*)",
    "X": "X",
    "D": "D",
    "U": "U",
    "-": "-",
    "!": "!",
    ".": r"\.",
}


@dataclass
class Action:
    """One action of a seat; `cards` are played, claimed or given, `taken` come from the row."""

    seat: int
    kind: str
    cards: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    named: str = ""
    slot: int = -1


def cards_in(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def read(entry: str, players: int) -> Action | None:
    """The action of an entry such as `0 P:7C7D`; None if it is malformed."""
    begun = re.fullmatch(r"([0-9]) (.*)", entry, re.DOTALL)
    if begun is None or int(begun[1]) >= players:
        return None
    seat = int(begun[1])
    for kind, form in FORMS.items():
        found = re.fullmatch(form, begun[2])
        if found is None:
            continue
        if kind == "P":
            return Action(seat, kind, cards=cards_in(found[1]))
        if kind == "C":
            return Action(seat, kind, cards=cards_in(found[1]), named=found[2])
        if kind == "S":
            return Action(seat, kind, cards=cards_in(found[1]), taken=cards_in(found[2]))
        if kind == "B":
            return Action(seat, kind, slot=int(found[1]) if len(found[1]) < 9 else 10**9)
        return Action(seat, kind)
    return None
