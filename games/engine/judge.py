"""Whether an action is legal, and if not, which error code comes first (rules.md section 12).

Turns what a seat said into the code that a game pushes; changes nothing. What may be done at all is
asked of stand.py, so that the lists of legal actions and this judge can't disagree.
"""

from typing import TYPE_CHECKING

from games.engine.actions import (
    ACCEPT,
    ANSWERS,
    BLIND,
    CHALLENGE,
    CHANCE,
    CLAIM,
    DRAW,
    KEEP,
    PASS,
    PICK_UP,
    Said,
    Verb,
    by,
    wide_swap,
)
from games.engine.board import NOBODY
from games.engine.cards import (
    ACE,
    COURTS,
    JOKER,
    LOW,
    RANK_MASK,
    SEVEN,
    TEN,
    TWO,
    lowest,
    rank_of,
    take,
)
from games.engine.errors import Code, IllegalAction
from games.engine.phases import Phase
from games.engine.rules import AceOn, Rules, StockChance
from games.engine.stand import Stand, Zone
from games.engine.tops import EMPTY, MUST

if TYPE_CHECKING:
    from games.engine.game import Game


def judge(game: "Game", seat: int, said: Said) -> int:
    """The code to push for what `seat` said. Raises `IllegalAction`, the first code that fits."""
    if not 0 <= seat < game.players:
        raise IllegalAction(Code.MALFORMED_ACTION)
    if game.phase is Phase.OVER:
        raise IllegalAction(Code.ROUND_OVER)
    if _is_off(game.rules, said):
        raise IllegalAction(Code.OPTION_OFF)
    if game.phase is Phase.SWAP:
        return _swap(game, seat, said)
    if said.verb is Verb.SWAP:
        raise IllegalAction(Code.WRONG_PHASE)
    if said.verb in ANSWERS:
        return _answer(game, seat, said)
    _check_turn(game, seat)
    return on_turn(game.stand(), said)


def _is_off(rules: Rules, said: Said) -> bool:  # noqa: PLR0911
    """Whether these rules do not have such an action at all."""
    match said.verb:
        case Verb.SWAP:
            return not rules.swaps
        case Verb.CLAIM:
            return not rules.bluff or (said.rank == JOKER and not rules.jokers)
        case Verb.CHALLENGE | Verb.ACCEPT:
            return not rules.bluff
        case Verb.CHANCE:
            return rules.stock_chance is StockChance.OFF
        case Verb.DRAW:
            return not rules.draw_first
        case Verb.BLIND:
            return rules.face_down == 0
        case _:
            return False


def _swap(game: "Game", seat: int, said: Said) -> int:
    if said.verb is not Verb.SWAP:
        raise IllegalAction(Code.WRONG_PHASE)
    if not game.waiting >> seat & 1:
        raise IllegalAction(Code.ALREADY_ACTED)
    given = take(said.cards, game.hands[seat])
    taken = take(said.taken, game.ups[seat])
    if given is None or taken is None:
        raise IllegalAction(Code.NOT_YOUR_CARD)
    if given.bit_count() != taken.bit_count():
        raise IllegalAction(Code.SWAP_UNEQUAL)
    return wide_swap(seat, given, taken) if given else _in_order(game, seat, KEEP)


def _answer(game: "Game", seat: int, said: Said) -> int:
    if game.phase is Phase.PLAY:
        raise IllegalAction(Code.WINDOW_CLOSED)
    if not game.asked >> seat & 1:
        raise IllegalAction(Code.MAY_NOT_CHALLENGE)
    if not game.waiting >> seat & 1:
        raise IllegalAction(Code.ALREADY_ACTED)
    return _in_order(game, seat, CHALLENGE if said.verb is Verb.CHALLENGE else ACCEPT)


def _in_order(game: "Game", seat: int, code: int) -> int:
    return code if seat == game.next_answer() else by(seat, code)


def _check_turn(game: "Game", seat: int) -> None:
    acting = game.turn
    if game.phase is Phase.RESPOND:
        acting = game.closer
        if acting == NOBODY:
            raise IllegalAction(Code.WRONG_PHASE)
    if seat != acting:
        raise IllegalAction(Code.NOT_YOUR_TURN)


def on_turn(stand: Stand, said: Said) -> int:  # noqa: PLR0911
    """The code to push for what is said by who stands there. Raises `IllegalAction`."""
    match said.verb:
        case Verb.PLAY:
            return _play(stand, said)
        case Verb.CLAIM:
            return _claim(stand, said)
        case Verb.BLIND:
            return _blind(stand, said)
        case Verb.PICK_UP:
            return _pick_up(stand)
        case Verb.CHANCE:
            return _chance(stand)
        case Verb.DRAW:
            return _draw(stand)
        case _:
            if not stand.may_pass:
                raise IllegalAction(Code.CAN_ACT)
            return PASS


def _play(stand: Stand, said: Said) -> int:
    if stand.zone is Zone.DOWN:
        raise IllegalAction(Code.WRONG_ZONE)
    cards = _from_zone(stand, said)
    if stand.claims:
        raise IllegalAction(Code.CLAIM_REQUIRED)
    rank = rank_of(cards)
    if cards & ~RANK_MASK[rank]:
        raise IllegalAction(Code.MIXED_RANKS)
    _check_rank(stand, rank, cards.bit_count())
    return _shortest(cards, stand.hand or stand.row, rank)


def _claim(stand: Stand, said: Said) -> int:
    if not stand.hand:
        raise IllegalAction(Code.WRONG_ZONE)
    cards = _from_zone(stand, said)
    _check_rank(stand, said.rank, cards.bit_count())
    if cards & ~RANK_MASK[said.rank]:
        return cards | said.rank
    short = _shortest(cards, stand.hand, said.rank)
    return short + CLAIM if short < 256 else short | said.rank


def _from_zone(stand: Stand, said: Said) -> int:
    """The cards meant, out of the current zone."""
    zone = stand.hand or stand.row
    cards = _named(said, stand.hand | stand.row)
    if cards is None:
        raise IllegalAction(Code.NOT_YOUR_CARD)
    cards = _named(said, zone)
    if cards is None:
        raise IllegalAction(Code.WRONG_ZONE)
    return cards


def _named(said: Said, zone: int) -> int | None:
    if said.cards:
        return take(said.cards, zone)
    group = zone & RANK_MASK[said.rank]
    return lowest(group, said.number) if group.bit_count() >= said.number else None


def _shortest(cards: int, zone: int, rank: int) -> int:
    """One byte where the cards are the lowest of their rank in the zone, else the cards."""
    count = cards.bit_count()
    return 8 * rank + count - 1 if cards == lowest(zone & RANK_MASK[rank], count) else cards


def _check_rank(stand: Stand, rank: int, count: int) -> None:
    """Section 12, step 4: what is demanded, whether it opens or fits, then the number."""
    if not stand.fits & RANK_MASK[rank]:
        raise IllegalAction(_misfit(stand, rank))
    if count > 1 and rank in stand.tables.single:
        raise IllegalAction(Code.ONE_COURT if rank in COURTS else Code.ONE_SPECIAL)


_ONLY = {TEN: Code.ONLY_TEN_ON_TEN, ACE: Code.ONLY_ACE_ON_ACE, TWO: Code.ONLY_TWO_ON_TWO}


def _misfit(stand: Stand, rank: int) -> Code:  # noqa: PLR0911
    """Why a rank may not be laid (section 12, steps 4 and 5)."""
    top = stand.top
    if top > MUST:
        return Code.MUST_OPEN_WITH
    if top == EMPTY:
        return Code.MAY_NOT_OPEN
    if top == SEVEN and stand.rules.seven_stop:
        return Code.SEVEN_STOP
    if rank == TWO:
        return Code.TWO_BARRED
    if rank == TEN:
        return Code.TEN_BARRED
    if top in _ONLY:
        return _ONLY[top]
    if rank == ACE:
        return Code.ACE_NEEDS_COURT if stand.rules.ace_on is AceOn.COURTS else Code.COURT_FLOOR
    return Code.COURT_FLOOR if rank in COURTS and top in LOW else Code.TOO_LOW


def _blind(stand: Stand, said: Said) -> int:
    if stand.zone is not Zone.DOWN:
        raise IllegalAction(Code.WRONG_ZONE)
    if not stand.slots >> said.slot & 1:
        raise IllegalAction(Code.NO_SUCH_SLOT)
    return BLIND + said.slot


def _pick_up(stand: Stand) -> int:
    if not stand.pile:
        raise IllegalAction(Code.PILE_EMPTY)
    if not stand.may_pick_up:
        raise IllegalAction(Code.NOT_STUCK)
    return PICK_UP


def _chance(stand: Stand) -> int:
    if not stand.pile:
        raise IllegalAction(Code.PILE_EMPTY)
    if not stand.stock:
        raise IllegalAction(Code.STOCK_EMPTY)
    if not stand.may_chance:
        raise IllegalAction(Code.NOT_STUCK)
    return CHANCE


def _draw(stand: Stand) -> int:
    if stand.drawn:
        raise IllegalAction(Code.ALREADY_DRAWN)
    if not stand.may_draw:
        raise IllegalAction(Code.STOCK_EMPTY)
    return DRAW
