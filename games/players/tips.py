"""The six tips of rules.md section 14, as choices: what to swap, and what to lay of several cards.

Know no more than the view.
"""

from games.engine.actions import swap_text
from games.engine.cards import (
    ACE,
    COURTS,
    JACK,
    JOKER,
    RANK_MASK,
    SEVEN,
    TEN,
    TWO,
    cards_in,
    lowest,
    mask_of,
    rank_counts,
)
from games.engine.stand import Stand
from games.engine.tops import Effect
from games.engine.view import View
from games.players.turns import (
    Lay,
    clears,
    effect,
    held,
    others,
    pile_size,
)

_HEAVY = 4
"""So many cards make a pile that nobody wants."""
_NEARLY_OUT = 3
"""Who holds no more cards than this is about to go out."""
_TREASURES = (JOKER, TEN, TWO, ACE)


def treasures_up(view: View) -> str:
    """`tip_swap`: 2s, tens and aces belong in the face-up row."""
    assert view.seat is not None
    row = view.ups[view.seat]
    given = [c for rank in _TREASURES for c in cards_in(view.hand & RANK_MASK[rank])]
    taken = [c for c in cards_in(row) if c >> 3 not in _TREASURES]
    number = min(len(given), len(taken))
    return swap_text(mask_of(given[:number]), mask_of(taken[:number]))


def tipped(view: View, stand: Stand, choices: list[Lay]) -> Lay:
    """The lay that the tips recommend."""
    plain = [lay for lay in choices if not clears(lay) and lay.rank != ACE]
    for lay in plain:
        if effect(view, stand, lay) is Effect.FOUR:
            return lay
    ace = next((lay for lay in choices if lay.rank == ACE), None)
    if ace and (_somebody_leaves(view) or not plain):
        return Lay(ACE, lowest(ace.cards, 1))
    if not plain:
        return _way_out(view, choices)
    return _plain(view, stand, _spare_fours(view, plain))


def _somebody_leaves(view: View) -> bool:
    """`tip_ace`: keep an ace for when somebody is about to go out."""
    return any(held(view, seat) <= _NEARLY_OUT for seat in others(view))


def _way_out(view: View, choices: list[Lay]) -> Lay:
    """`tip_keep`: a ten takes a heavy pile away, a 2 does for a light one; one at a time."""
    heavy = pile_size(view) >= _HEAVY
    order = (TEN, JOKER, TWO) if heavy else (TWO, TEN, JOKER)
    lay = min(choices, key=lambda lay: order.index(lay.rank))
    return Lay(lay.rank, lowest(lay.cards, 1))


def _spare_fours(view: View, plain: list[Lay]) -> list[Lay]:
    """`tip_count`: when all tens are gone only four of a kind clears: three are kept together."""
    if not tens_gone(view):
        return plain
    loose = [lay for lay in plain if lay.count < 3]
    return loose or plain


def tens_gone(view: View) -> bool:
    """Whether every ten of the pack has fallen."""
    packs = 2 if view.players == 6 else 1
    return rank_counts(view.fallen)[TEN] >= 4 * packs


def _plain(view: View, stand: Stand, plain: list[Lay]) -> Lay:
    if view.stock == 0 and all(hand <= 5 for hand in view.hands):
        return plain[-1]  # `tip_high`
    courts = [lay for lay in plain if lay.rank in COURTS]
    if courts and plain[0].rank >= SEVEN and _many_courts(stand.hand):
        return courts[0]  # `tip_threshold`
    return plain[0]


def _many_courts(hand: int) -> bool:
    counts = rank_counts(hand)
    courts = sum(counts[JACK:ACE])
    return 2 * courts >= hand.bit_count()
