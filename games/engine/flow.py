"""What an action on one's turn does (rules.md sections 4, 6, 7 and 8). Trusts that it is legal.

Claims and swaps stand in claims.py, the quick way for the commonest plies in game.py.
"""

from games.engine.actions import BLIND, CLAIM, DRAW, OP, PASS, PICK_UP
from games.engine.board import Board
from games.engine.cards import BIT, CARDS, RANK_MASK, lowest
from games.engine.events import Kind
from games.engine.holdings import HOLD, ONE, holding
from games.engine.phases import Ending, Phase
from games.engine.tops import EMPTY, FREE, ONLY_THREES, Effect, four

_PLAY = Phase.PLAY
_FOUR = Effect.FOUR
_FEEDS_PASS = Effect.FEEDS_PASS


class Flow(Board):
    """A round that goes on by the actions of the seat on turn."""

    __slots__ = ()

    def _act(self, action: int) -> None:
        """Do what the seat on turn does."""
        seat = self.turn
        self.moves[seat] += 1
        if action < BLIND:
            zone = (self.holdings[seat] or self.rows[seat]) >> HOLD
            rank = action >> 3
            self._lay(seat, lowest(zone & RANK_MASK[rank], (action & 7) + 1), rank)
        elif action < PICK_UP:
            self._turns_over(action - BLIND)
        elif action == PICK_UP:
            self._picks_up(seat)
        elif action >= CLAIM + 8:
            self._lay_named(action)
        elif action == DRAW:
            self._draws_first()
        elif action == PASS:
            self._passes()
        else:
            self._flip(self._draw_one(), Kind.CHANCE, Kind.CHANCE_FAILED)

    def _lay_named(self, action: int) -> None:
        """A claim, or a lay that names its cards."""
        if action < 256:
            rank, count = action - CLAIM >> 3, (action & 7) + 1
            hand = self.holdings[self.turn] >> HOLD
            self._lay_claim(lowest(hand & RANK_MASK[rank], count), rank)
        elif action & OP:
            self._lay_claim(action & CARDS, action & OP)
        else:
            self._lay(self.turn, action, action.bit_length() - 1 >> 3)

    def _lay_claim(self, cards: int, rank: int) -> None:
        raise NotImplementedError

    def _cap(self) -> None:
        """End the round at its last ply; shortly before it, have every ply come here."""
        if len(self.log) >= self.tables.wary:
            self._look_up()
            if len(self.log) >= self.tables.max_plies and self.phase is not Phase.OVER:
                self._stop(Ending.PLY_CAP)

    def _lay(self, seat: int, cards: int, rank: int) -> None:
        laid = holding(cards)
        self._spend(seat, laid)
        if self._story is not None:
            self._tell(Kind.PLAY, seat, cards)
        self._settle(seat, self._stack(laid, rank, cards.bit_count()))

    def _picks_up(self, seat: int) -> None:
        taken = self._take_pile(seat)
        if self._story is not None:
            self._tell(Kind.PICK_UP, seat, taken)
        self._give_turn(self.next[seat])
        self._note()

    def _draws_first(self) -> None:
        card = self._draw_one()
        self.holdings[self.turn] += ONE[card]
        self.drawn = True
        self._tell(Kind.DRAW_FIRST, self.turn, BIT[card])

    def _passes(self) -> None:
        """Section 4: when all have passed in turn, any card may open."""
        self._tell(Kind.PASS, self.turn)
        self.passes += 1
        if self.passes == self.players - len(self.places):
            self._stand_on(FREE)
        self._give_turn(self.next[self.turn])

    def _turns_over(self, slot: int) -> None:
        seat = self.turn
        downs, filled = list(self.downs), list(self.filled)
        card = downs[seat] >> 8 * slot & 0xFF
        downs[seat] ^= card << 8 * slot
        filled[seat] ^= 1 << slot
        self.downs, self.filled = tuple(downs), tuple(filled)
        self.notes = {}
        self._flip(card, Kind.BLIND, Kind.BLIND_FAILED, slot)

    def _flip(self, card: int, fits: Kind, fails: Kind, slot: int = 0) -> None:
        """Lay a card nobody knew, if it fits; else it goes to the hand with the pile."""
        seat, bit = self.turn, BIT[card]
        if self.now.lay[self.here.top] & bit:
            if self._story is not None:
                self._tell(fits, seat, bit, slot=slot)
            return self._settle(seat, self._stack(ONE[card], card >> 3, 1))
        taken = self._take_pile(seat)
        self.holdings[seat] += ONE[card]
        if self._story is not None:
            self._tell(fails, seat, bit, taken=taken, slot=slot)
        self._give_turn(self.next[seat])
        self._note()

    # What a play does

    def _stack(self, entry: int, rank: int, count: int) -> Effect:
        """Put cards on the pile. Says what that does, by section 6."""
        here = self.here
        top, run = here.top, count
        self.lying.append(entry)
        if rank == top:
            run += here.run
            self._stand_on(rank, run)
            self.threes = 0
        elif rank == self.tables.invisible:
            run = self.threes = self.threes + count
            if top == EMPTY or top >= FREE:
                self._stand_on(ONLY_THREES)
                self.passes = 0
        else:
            self._stand_on(rank, run)
            self.threes = self.passes = 0
        effect = self.now.effect[top][rank]
        return effect if run < 4 else four(effect, rank in self.tables.fours)

    def _settle(self, seat: int, effect: Effect) -> None:
        """After any play (section 4): fall or feed, refill, out, then the turn."""
        turn = taker = self.next[seat]
        feeds = effect > _FOUR
        if feeds:
            taken = self._take_pile(taker)
            if self._story is not None:
                self._tell(Kind.FED, taker, taken)
        elif effect:
            self._fall(effect, seat)
        if self.stock:
            self._refill(seat)
        if not self.holdings[seat] and not self._holds(seat):
            self._go_out(seat)
            if self.phase is Phase.OVER:
                return
            turn = self.next[taker] if feeds else taker
        elif effect:
            turn = self.next[taker] if effect is _FEEDS_PASS else seat
        self.turn = turn
        self.drawn = False
        if feeds:
            self._note()
