"""What a seat on turn may lay, and the small questions that all house bots ask about it.

Knows the rules by asking tables.py; knows no bot's taste.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from games.engine.cards import JOKER, RANK_MASK, RANKS, TEN, THREE, TWO, lowest, rank_of
from games.engine.history import EventDict
from games.engine.rules import Rules
from games.engine.stand import Stand
from games.engine.tops import Effect
from games.engine.view import View
from games.players.agent import Dice

_TAKES = frozenset(("pick_up", "blind_failed", "chance_failed", "fed", "lie", "truth"))
_LOOKS_BACK = 60
"""So many of the last events are searched for signs of a loop."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards of one rank that may be laid together."""

    rank: int
    cards: int

    @property
    def count(self) -> int:
        """Number of cards."""
        return self.cards.bit_count()


def groups(stand: Stand) -> list[Lay]:
    """The most that may be laid of each rank, the lowest rank first."""
    found = []
    rest = stand.playable
    while rest:
        rank = rank_of(rest)
        group = rest & RANK_MASK[rank]
        rest ^= group
        found.append(Lay(rank, lowest(group, 1) if rank in stand.tables.single else group))
    return found[::-1]


def some_of(lay: Lay, dice: Dice) -> Lay:
    """At least one of the cards."""
    return Lay(lay.rank, dice.subset(lay.cards))


def effect(view: View, stand: Stand, lay: Lay) -> Effect:
    """What laying does to the pile."""
    does = stand.tables.effect[stand.stock][stand.top][lay.rank]
    four = fours_fall(view.rules, lay.rank) and run(view, lay.rank) + lay.count >= 4
    return Effect.FOUR if four and not Effect.STAYS < does <= Effect.FOUR else does


def fours_fall(rules: Rules, rank: int) -> bool:
    """Whether four of this rank on top make the pile fall."""
    return rules.four_falls and rank != JOKER and (rank != TWO or rules.four_twos_fall)


def run(view: View, rank: int) -> int:
    """How many cards of this rank lie on top of the pile, invisible 3s skipped."""
    total = 0
    for play in reversed(view.pile):
        if play.rank == rank:
            total += play.count
        elif play.rank != THREE or not view.rules.invisible_threes:
            break
    return total


def pile_size(view: View) -> int:
    """Number of cards on the pile."""
    return sum(play.count for play in view.pile)


def clears(lay: Lay) -> bool:
    """Whether it is one of the cards that get anybody out of trouble: a 2, a ten, a joker."""
    return lay.rank in (TEN, TWO, JOKER)


def others(view: View) -> list[int]:
    """The other seats that are still in, from the viewer's left."""
    assert view.seat is not None
    placed = {seat for group in view.places for seat in group}
    seats = ((view.seat + step) % view.players for step in range(1, view.players))
    return [seat for seat in seats if seat not in placed]


def held(view: View, seat: int) -> int:
    """Number of cards a seat has to get rid of."""
    return view.hands[seat] + view.ups[seat].bit_count() + view.filled[seat].bit_count()


def restless(view: View, events: Sequence[EventDict], dice: Dice) -> bool:
    """Whether to try something else, lest the deal loops for ever.

    Three times out of four when since the last fall somebody has taken the same cards again, or
    all have picked up again and again.
    """
    takes = Counter(filter(None, map(_take, _since_fall(events))))
    again = max(takes.values(), default=0) > 1 or takes.total() > 2 * view.players
    return again and dice.below(4) > 0


def least_tried(view: View, events: Sequence[EventDict], choices: list[Lay]) -> list[Lay]:
    """Of the lays those of the ranks that the seat has laid least often since the last fall."""
    tried = Counter(
        event.get("rank") or event["cards"][0][0]
        for event in _since_fall(events)
        if event["event"] in ("play", "claim") and event["seat"] == view.seat
    )
    least = min(tried[RANKS[lay.rank]] for lay in choices)
    return [lay for lay in choices if tried[RANKS[lay.rank]] == least]


def _since_fall(events: Sequence[EventDict]) -> Iterator[EventDict]:
    """The latest events, the last first, back to the last fall."""
    latest = events[max(len(events) - _LOOKS_BACK, 1) :]
    return takewhile(lambda event: event["event"] != "fall", reversed(latest))


def _take(event: EventDict) -> tuple[int, str] | None:
    """Who has taken which ranks; as far as is seen, or how many cards."""
    if event["event"] not in _TAKES:
        return None
    ranks = "".join(card[0] for card in event.get("cards", ()))
    return event["seat"], ranks or str(event.get("count"))


def slot(stand: Stand, dice: Dice) -> str:
    """Turn a face-down card: all are alike."""
    return f"B:{dice.pick([n for n in range(5) if stand.slots >> n & 1])}"


def without_a_lay(stand: Stand, dice: Dice) -> str:
    """What is left where no card fits: draw, try the stock, pick up, pass."""
    if stand.may_draw:
        return "D"
    if stand.may_chance:
        return "X"
    return "U" if stand.may_pick_up else "-"
