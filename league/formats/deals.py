"""The deals of one table: who sits where in the next one, when it is enough, and the order.

Source: competitions.md, "Formats". Seats rotate: in deal d, game seat i is table seat (i + d)
modulo the number of players; the last game seat deals, so that seat 0 plays first in `table`.
Where the loser deals next, the same order of seats begins on his left.
A deal that ends in a stalemate is dealt anew with the same seats and dealer, three times at
most; then its last places stand as they are and those on them share the loss.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from league.formats.settings import Dealer, Stalemate

MAX_REDEALS = 3
Places = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TablePlan:
    """What a table is to play. `seats` in table order, `ranks` their seeds (lower is better)."""

    seats: tuple[int, ...]
    ranks: tuple[int, ...]
    deals: int
    advance: int
    sudden_deaths: int = 3
    stalemate: str = Stalemate.REPLAY
    dealer: str = Dealer.ROTATES


@dataclass(frozen=True)
class DealPlan:
    """The next deal: number from 1, entry numbers by game seat, the dealer's game seat."""

    number: int
    redeal: int
    seats: tuple[int, ...]

    @property
    def dealer(self) -> int:
        """The last seat."""
        return len(self.seats) - 1


@dataclass(frozen=True)
class Played:
    """A deal that is over: groups of entry numbers from first to last."""

    number: int
    redeal: int
    places: Places
    ending: str
    replayed: bool = True
    """Whether it is dealt anew where nobody could end it."""

    @property
    def counts(self) -> bool:
        """Whether it stands; if not it is dealt anew."""
        return self.ending == "over" or not self.replayed or self.redeal >= MAX_REDEALS


def over(plan: TablePlan, deal: tuple[int, int], places: Places, ending: str) -> Played:
    """A deal (number, redeal) that is over, by the rule that holds for stalemates: dealt anew, or
    a loss that the last ones share, or no loss for anybody."""
    replayed = plan.stalemate == Stalemate.REPLAY
    if ending != "over" and plan.stalemate == Stalemate.NONE:
        places = (tuple(sorted(number for group in places for number in group)),)
    return Played(*deal, places, ending, replayed)


def next_deal(plan: TablePlan, played: Sequence[Played]) -> DealPlan | None:
    """The deal that comes after `played`, in the order they were played; None: the table is done.

    After the planned deals, those whose tie decides who goes on play sudden death.
    """
    counted = standing(played)
    number = len(counted) + 1
    redeal = sum(1 for deal in played if deal.number == number)
    if number <= plan.deals:
        return DealPlan(number, redeal, _seated(plan, plan.seats, counted))
    tied = _tied_at_the_cut(plan, counted)
    if len(tied) < 2 or number > plan.deals + plan.sudden_deaths:
        return None
    return DealPlan(number, redeal, _seated(plan, tied, counted))


def standing(played: Iterable[Played]) -> list[Played]:
    """The deals that count, by number."""
    return sorted((deal for deal in played if deal.counts), key=lambda deal: deal.number)


def order(plan: TablePlan, played: Sequence[Played]) -> tuple[int, ...]:
    """Entry numbers from first to last: fewest losses, sum of places, sudden death, seed."""
    counted = standing(played)
    rank = dict(zip(plan.seats, plan.ranks, strict=True))
    return tuple(sorted(plan.seats, key=lambda seat: (_key(plan, counted, seat), rank[seat])))


def table_order(deals: Sequence[Places]) -> Places:
    """The order of a table whose deals were typed in: fewest losses, then the sum of places; who is
    equal in both shares a place. Seats may have changed from deal to deal.

    >>> table_order([((1,), (2,), (3,)), ((2,), (1,), (3,))])
    ((1, 2), (3,))
    """
    keys: dict[int, tuple[int, int]] = {}
    for places in deals:
        for group in places:
            for number in group:
                losses, sum_of = keys.get(number, (0, 0))
                lost = len(places) > 1 and number in places[-1]
                keys[number] = (losses + lost, sum_of + place_of(places, number))
    by_key = sorted(keys, key=lambda number: (keys[number], number))
    return tuple(tuple(group) for _, group in groupby(by_key, key=keys.__getitem__))


def place_of(places: Places, number: int) -> int:
    """Place from 1; a shared place is that of the first of the group."""
    ahead = 0
    for group in places:
        if number in group:
            return ahead + 1
        ahead += len(group)
    raise ValueError(f"{number} did not play")


def _seated(plan: TablePlan, active: tuple[int, ...], counted: Sequence[Played]) -> tuple[int, ...]:
    """Who plays the deal after `counted`, the dealer last."""
    if plan.dealer != Dealer.LOSER:
        return _rotated(active, len(counted) + 1)
    dealer = plan.seats[0]
    for deal in counted:
        if len(deal.places) > 1:
            dealer = _next(plan.seats, dealer, deal.places[-1])
    return _rotated(active, active.index(_next(plan.seats, dealer, active)) + 1)


def _next(seats: tuple[int, ...], dealer: int, among: Sequence[int]) -> int:
    """The first of `among` from `dealer` himself on to his left: who deals if several were last, or
    if the loser does not play."""
    at = seats.index(dealer)
    return next(seat for seat in seats[at:] + seats[:at] if seat in among)


def _rotated(seats: tuple[int, ...], by: int) -> tuple[int, ...]:
    by %= len(seats)
    return seats[by:] + seats[:by]


def _key(plan: TablePlan, counted: Sequence[Played], number: int) -> tuple[int, ...]:
    # Who ties at the cut plays the same sudden deaths, so equal prefixes have equal lengths.
    planned = [deal.places for deal in counted if deal.number <= plan.deals]
    sudden = [deal.places for deal in counted if deal.number > plan.deals]
    losses = sum(len(places) > 1 and number in places[-1] for places in planned)
    total = sum(place_of(places, number) for places in planned)
    taken = (place_of(p, number) for p in sudden if any(number in group for group in p))
    return (losses, total, *taken)


def _tied_at_the_cut(plan: TablePlan, counted: Sequence[Played]) -> tuple[int, ...]:
    keys = {number: _key(plan, counted, number) for number in plan.seats}
    by_key = sorted(plan.seats, key=lambda number: keys[number])
    ahead = 0
    for _, group in groupby(by_key, key=lambda number: keys[number]):
        tied = set(group)
        if ahead < plan.advance < ahead + len(tied):
            return tuple(number for number in plan.seats if number in tied)
        ahead += len(tied)
    return ()
