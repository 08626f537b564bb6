"""What an action on one's turn does (rules.md sections 4, 6, 7 and 8). Trusts that it is legal.

Claims and swaps stand in claims.py, the quick way for the commonest plies in game.py.
"""

from games.engine.actions import BLIND, CLAIM, DRAW, OP, PASS, PICK_UP
from games.engine.board import Board
from games.engine.cards import BIT, CARDS, RANK_MASK, UNIT, lowest, ranks_in
from games.engine.events import Kind
from games.engine.phases import Ending, Phase
from games.engine.tables import EMPTY, FREE, NO_QUICK, ONLY_THREES, Effect

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
            zone = self.hands[seat] or self.ups[seat]
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
            cards = lowest(self.hands[self.turn] & RANK_MASK[rank], count)
            self._lay_claim(cards, rank, count << 4 * rank)
        elif action & OP:
            cards = action & CARDS
            self._lay_claim(cards, action & OP, ranks_in(cards))
        else:
            self._lay(self.turn, action, action.bit_length() - 1 >> 3)

    def _lay_claim(self, cards: int, rank: int, units: int) -> None:
        raise NotImplementedError

    def _cap(self) -> None:
        """End the round at its last ply; shortly before it, have every ply come here."""
        if len(self.log) >= self.tables.wary:
            self._look_up()
            if len(self.log) >= self.tables.max_plies and self.phase is not Phase.OVER:
                self._stop(Ending.PLY_CAP)

    def _lay(self, seat: int, cards: int, rank: int) -> None:
        self._spend(seat, cards)
        if self._story is not None:
            self._tell(Kind.PLAY, seat, cards)
        self._settle(seat, self._stack(cards, rank, cards.bit_count()))

    def _takes(self) -> bool:
        """Pick up from the turn of a seat with a hand, if it may; False where it is not that.

        A fifth of all plies, so once more without a detour, at half the time."""
        seat = self.turn
        hands, ranks = self.hands, self.ranks
        held = hands[seat]
        if not held or held & self.now.bars[self.top]:
            return False
        if self.quick is NO_QUICK or self.phase is not _PLAY:
            return False
        self.log.append(PICK_UP)
        self.moves[seat] += 1
        cards = 0
        for entry in self.pile:
            cards |= entry
        cards &= CARDS
        hands[seat] = held | cards
        ranks[seat] += ranks_in(cards)
        self.pile = []
        self.top = EMPTY
        self.run = 0
        self.turn = turn = self.next[seat]
        compiled = self.tables
        if not compiled.bluff or not self.stock:
            notes = self.notes
            position = (turn, *ranks)
            times = notes[position] = notes.get(position, 0) + 1
            if times == compiled.stalemate_repeats:
                self._stop(Ending.STALEMATE)
        if len(self.log) >= compiled.wary:
            self._cap()
        return True

    def _picks_up(self, seat: int) -> None:
        taken = self._take_pile(seat)
        if self._story is not None:
            self._tell(Kind.PICK_UP, seat, taken)
        self._give_turn(self.next[seat])
        self._note()

    def _draws_first(self) -> None:
        card = BIT[self._draw_one()]
        self._give(self.turn, card)
        self.drawn = True
        self._tell(Kind.DRAW_FIRST, self.turn, card)

    def _passes(self) -> None:
        """Section 4: when all have passed in turn, any card may open."""
        self._tell(Kind.PASS, self.turn)
        self.passes += 1
        if self.passes == self.players - len(self.places):
            self.top = FREE
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
        if self.now.lay[self.top] & bit:
            if self._story is not None:
                self._tell(fits, seat, bit, slot=slot)
            return self._settle(seat, self._stack(bit, card >> 3, 1))
        taken = self._take_pile(seat)
        self.hands[seat] |= bit
        self.ranks[seat] += UNIT[card]
        if self._story is not None:
            self._tell(fails, seat, bit, taken=taken, slot=slot)
        self._give_turn(self.next[seat])
        self._note()

    # What a play does

    def _stack(self, entry: int, rank: int, count: int) -> Effect:
        """Put cards on the pile. Says what that does, by section 6."""
        top = self.top
        effect = self.now.effect[top][rank]
        self.pile.append(entry)
        if rank == top:
            run = self.run = self.run + count
            self.threes = 0
        elif rank == self.tables.invisible:
            run = self.threes = self.threes + count
            if top == EMPTY or top >= FREE:
                self.top, self.passes = ONLY_THREES, 0
        else:
            run = self.run = count
            self.top = rank
            self.threes = self.passes = 0
        return effect if run < 4 else self._four(effect, rank)

    def _four(self, effect: Effect, rank: int) -> Effect:
        """Four or more of equal rank lie on top: they fall, if they do; so many never feed."""
        if effect and effect < _FOUR:
            return effect
        return _FOUR if rank in self.tables.fours else Effect.STAYS

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
        if not self.hands[seat] and not self._holds(seat):
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
