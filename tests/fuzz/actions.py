"""Random entries for a round: legal ones in several styles, and every kind of wrong one."""

from collections.abc import Callable
from random import Random

from tests.reference import judge
from tests.reference.cards import JOKER, RANKS, rank, strength, whole_pack
from tests.reference.laying import laying_error
from tests.reference.notation import Action
from tests.reference.state import Round

KINDS = "PPPPPPCCCCBXDU-S!."
GARBLED = [
    "",
    " ",
    "0",
    "0 ",
    " 0 U",
    "0  U",
    "0 U ",
    "0 U\n",
    "0\tU",
    "00 U",
    "+1 U",
    "-1 U",
    "7 U",
    "9 .",
    "0 u",
    "0 P",
    "0 P:",
    "0 P:3",
    "0 P:3c",
    "0 P:10C",
    "0 P:3C ",
    "0 P:3C,3D",
    "0 P:3x1",
    "0 C:3x1=3",
    "0 P:*0",
    "0 P:*5",
    "0 C:3C",
    "0 C:=3",
    "0 C:3C=",
    "0 C:3C=33",
    "0 C:3C=1",
    "0 C:3C=*1",
    "0 C:=*",
    "0 B",
    "0 B:",
    "0 B:00",
    "0 B:01",
    "0 B:-1",
    "0 B:+1",
    "0 B:1,2",
    "0 B:٣",
    "٠ U",
    "0 B:1_0",
    "0 S",
    "0 S:",
    "0 S:3C",
    "0 S:3C/4",
    "0 S://",
    "0 !!",
    "0 ..",
    "0 --",
    "0 XX",
    "0 D:",
    "0 U:",
    "0 Ⅹ",
    "0 P:３C",
]


def entry(random: Random, table: Round, style: str, wrong: float) -> str:
    """The next entry of a record; with probability `wrong` one that is likely illegal."""
    if table.phase == "over" or random.random() < wrong:
        return wrong_entry(random, table)
    choices = judge.legal(table)
    seat = random.choice(list(choices))
    return f"{seat} {spelled(random, table, int(seat), chosen(random, choices[seat], style))}"


def chosen(random: Random, legal: list[str], style: str) -> str:
    """One of the legal forms: any, the weakest play, or rather the pile than a play."""
    plays = [form for form in legal if form[:2] in ("P:", "C:")]
    if style == "low" and plays and legal[0] not in ("!", "."):
        return min(plays, key=weight)
    if style == "shedding" and plays and legal[0] not in ("!", "."):
        return max(plays, key=lambda form: (form[-1], -weight(form)[0], random.random()))
    if style == "hoarding" and "U" in legal and random.random() < 0.7:
        return "U"
    if style == "trusting" and "." in legal and random.random() < 0.9:
        return "."
    return random.choice(legal)


def weight(form: str) -> tuple[int, str]:
    return (len(RANKS) if form[2] == JOKER else strength(form[2])), form


def spelled(random: Random, table: Round, seat: int, form: str) -> str:
    """A full action of that legal form, its cards in any order."""
    if form == "S":
        number = random.randint(0, min(len(table.hands[seat]), len(table.up[seat])))
        given = random.sample(table.hands[seat], number)
        return f"S:{''.join(given)}/{''.join(random.sample(table.up[seat], number))}"
    if form == "B":
        row = table.down[seat]
        return f"B:{random.choice([slot for slot, card in enumerate(row) if card])}"
    if form.startswith("P:"):
        zone = table.hands[seat] or table.up[seat]
        cards = [card for card in zone if rank(card) == form[2]]
        return f"P:{''.join(random.sample(cards, int(form[4:])))}"
    if form.startswith("C:"):
        return f"C:{''.join(claimed(random, table, seat, form[2]))}={form[2]}"
    return form


def claimed(random: Random, table: Round, seat: int, named: str) -> list[str]:
    """True cards if there are some and honesty wins, else anything; within the limits."""
    hand = table.hands[seat]
    true = [card for card in hand if rank(card) == named]
    pool = true if true and random.random() < 0.6 else hand
    limit = max(1, min(len(pool), random.choice([1, 1, 2, 2, 3, 4, 9])))
    if laying_error(table, named, 2) is not None:
        limit = 1
    return random.sample(pool, random.randint(1, limit))


def wrong_entry(random: Random, table: Round) -> str:
    """Something that is mostly refused: malformed, another seat, any action, any cards."""
    makers: list[Callable[[], str]] = [
        lambda: random.choice(GARBLED),
        lambda: garbled(random, f"{any_seat(random, table)} {anything(random, table)}"),
        lambda: f"{any_seat(random, table)} {anything(random, table)}",
        lambda: f"{likely_seat(random, table)} {anything(random, table)}",
    ]
    return random.choices(makers, [1, 1, 3, 8])[0]()


def any_seat(random: Random, table: Round) -> int:
    return random.randrange(table.players + (random.random() < 0.1))


def likely_seat(random: Random, table: Round) -> int:
    return random.choice(judge.to_act(table) or [0])


def anything(random: Random, table: Round) -> str:
    """An action of any kind with cards from anywhere, its owner's and real ones preferred."""
    seat = likely_seat(random, table)
    kind = random.choice(KINDS + likely_kinds(table, seat))
    while judge.is_off(table, Action(seat, kind)) and random.random() < 0.9:
        kind = random.choice(KINDS)
    if kind == "P":
        return f"P:{''.join(some_set(random, table, seat))}"
    if kind == "C":
        cards = some_set(random, table, seat)
        return f"C:{''.join(cards)}={random.choice([*RANKS, JOKER, rank(cards[0])])}"
    if kind == "B":
        return f"B:{random.choice([0, 1, 2, 3, 4, 5, 17, 10**20])}"
    if kind == "S":
        given = random.sample(table.hands[seat], min(len(table.hands[seat]), random.randint(0, 2)))
        taken = random.sample(table.up[seat], min(len(table.up[seat]), random.randint(0, 2)))
        if random.random() < 0.2:
            given, taken = taken, given
        return f"S:{''.join(given)}/{''.join(taken)}"
    return kind


def likely_kinds(table: Round, seat: int) -> str:
    """Kinds whose finer errors show only in this situation."""
    kinds = {"swap": "S" * 20, "respond": "!.PCUD"}.get(table.phase, "")
    if table.drawn:
        kinds += "DDDD"
    return kinds + "BBBBBB" * (table.zone(seat) == "down")


def some_set(random: Random, table: Round, seat: int) -> list[str]:
    """Cards of one rank that the seat holds, or a wilder choice."""
    hand, row = table.hands[seat], table.up[seat]
    own = random.choice([hand, hand, hand, row, hand + row]) or hand + row
    blind = table.blind_cards(seat)
    everything = whole_pack(1, 4)
    pool = random.choices([own, blind or own, everything], [8, 1, 1])[0] or everything
    first = random.choice(pool)
    if random.random() < 0.7:
        same = [card for card in pool if rank(card) == rank(first)]
        return random.sample(same, random.randint(1, len(same)))
    if random.random() < 0.3:
        return [first, first]
    return random.sample(pool, min(len(pool), random.randint(1, 3)))


def garbled(random: Random, text: str) -> str:
    """The text with one character changed, lost, doubled or added."""
    at = random.randrange(len(text))
    other = random.choice(" 0:/=*!.CDHS23TAkq\n")
    middle = random.choice(["", text[at] * 2, other, text[at] + " "])
    return text[:at] + middle + text[at + 1 :]
