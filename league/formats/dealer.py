"""Who deals the next deal of a table of people: the mark that goes round.

The first seat is drawn by lot and deals first. Then who was last deals, or the deal goes round; who
does not play passes it on to the next active seat on his left. A word of the table comes first.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from league.formats.field import Places
from league.formats.settings import Dealer


class ByHand(NamedTuple):
    """Who was named to deal which deal."""

    deal: int
    entry: int


def dealer_of(
    deal: int,
    circle: Sequence[int],
    active: Sequence[int],
    told: Mapping[int, Places | None],
    rule: str,
    by_hand: ByHand | None = None,
) -> int | None:
    """The dealer of a deal; None where that can't be said: the deal before is not told, or in
    dispute (None in `told`), and nobody was named.

    `circle`: all seats in order, also of who is away; `active` of them play.

    >>> dealer_of(2, [1, 2, 3], [1, 2, 3], {1: ((1, 2), (3,))}, "loser")
    3
    >>> dealer_of(2, [1, 2, 3], [1, 2], {1: ((1, 2), (3,))}, "loser")
    1
    """
    if not active:
        return None
    at, dealer = 1, circle[0]
    if by_hand is not None and by_hand.deal <= deal:
        at, dealer = by_hand.deal, by_hand.entry
    for before in range(at, deal):
        places = told.get(before)
        if places is None:
            return None
        dealer = _after(dealer, circle, places, rule)
    return next_active(dealer, circle, active)


def next_active(dealer: int, circle: Sequence[int], active: Sequence[int]) -> int:
    """He himself if he plays, else the next on his left who does."""
    at = circle.index(dealer) if dealer in circle else 0
    return next(seat for seat in (*circle[at:], *circle[:at]) if seat in active)


def _after(dealer: int, circle: Sequence[int], places: Places, rule: str) -> int:
    if not places:
        # Abandoned: the same deals again.
        return dealer
    if rule == Dealer.LOSER:
        last = [number for number in places[-1] if number in circle]
        # Several were last, or nobody: the first of them from the dealer himself on.
        return next_active(dealer, circle, last) if last and len(places) > 1 else dealer
    at = circle.index(dealer) if dealer in circle else -1
    return circle[(at + 1) % len(circle)]
