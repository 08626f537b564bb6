"""What several seats answer unseen: swaps before play, challenges to a claim (sections 3 and 9)."""

from functools import lru_cache
from typing import Final

from games.engine.actions import ACCEPT, BY, CHALLENGE, KEEP, OP, SWAP, TAKEN
from games.engine.board import NOBODY, changed
from games.engine.cards import CARDS, JOKER, RANK_MASK
from games.engine.deal import most_lowest
from games.engine.events import Kind
from games.engine.flow import Flow
from games.engine.holdings import HOLD, HOLDING, TAG, holding
from games.engine.phases import Phase
from games.engine.rules import FirstPlayer, Opening
from games.engine.tops import MUST, Effect

SEATS: Final = tuple(
    tuple(seat for seat in range(6) if seats >> seat & 1) for seats in range(1 << 6)
)
"""The seats of a set of seats, ascending."""
_SAID: Final = tuple(
    tuple((seat << 4 | rank) << TAG for rank in range(JOKER + 1)) for seat in range(6)
)
"""[claimant][named rank]: what stands above the cards of a claim on the pile."""
_RESPOND: Final = Phase.RESPOND
_ANSWERS: Final = (CHALLENGE, ACCEPT)
_BARE: Final = frozenset((KEEP, CHALLENGE, ACCEPT))


class Claims(Flow):
    """A round in which others may answer what somebody does."""

    __slots__ = ()

    @property
    def closer(self) -> int:
        """The seat that may act although a claim is open, or `NOBODY`."""
        return self.next[self.turn] if self.closable else NOBODY

    def acting(self) -> int:
        """The seats that may act now, as a set."""
        if self.phase is Phase.PLAY:
            return 1 << self.turn
        return self.waiting | 1 << self.next[self.turn] if self.closable else self.waiting

    def next_answer(self) -> int:
        """The seat whose answer needs no name in the log."""
        following, waiting = self.next, self.waiting
        seat = following[self.dealer if self.phase is Phase.SWAP else self.turn]
        while not waiting >> seat & 1:
            seat = following[seat]
        return seat

    def _begin(self) -> None:
        """Find the first player from the hands as they are now (section 3)."""
        self.phase = Phase.PLAY
        self._look_up()
        rules = self.tables.rules
        if rules.first_player is FirstPlayer.LEFT_OF_DEALER:
            self.turn = self.next[self.dealer]
            return
        self.turn, rank = most_lowest(self.hands, self.dealer)
        if rules.opening is Opening.DECIDING_RANK:
            self._stand_on(MUST + rank)

    def _answer(self, action: int) -> bool:
        """Take a swap or an answer; False for an action that closes the window."""
        if action in _BARE:
            seat, given, taken = self.next_answer(), 0, 0
        elif action & BY and action >> 8 in _BARE:
            seat, given, taken, action = action & 7, 0, 0, action >> 8
        elif action > OP and action & SWAP and self.phase is Phase.SWAP:
            seat, given, taken, action = action & 7, action & CARDS, action >> TAKEN & CARDS, KEEP
        else:
            return False
        self.waiting ^= 1 << seat
        self.moves[seat] += 1
        if action == KEEP:
            self._swap(seat, given, taken)
        else:
            self._doubt(seat, action)
        return True

    def _swap(self, seat: int, given: int, taken: int) -> None:
        if given:
            gives, takes = holding(given), holding(taken)
            self.holdings[seat] += takes - gives
            self.rows = changed(self.rows, seat, self.rows[seat] + gives - takes)
        self._tell(Kind.SWAP, seat, given, taken=taken)
        if not self.waiting:
            self._begin()

    def _lay_claim(self, cards: int, rank: int) -> None:
        """Lay cards face down under a name and ask who doubts it (section 9)."""
        seat = self.turn
        laid = holding(cards)
        self.holdings[seat] -= laid
        if self._story is not None:
            self._tell(Kind.CLAIM, seat, cards, rank=rank)
        self._ask(seat, self._stack(laid | _SAID[seat][rank], rank, cards.bit_count()))

    def _bluffs(self, action: int) -> bool:
        """Take an answer, or the truthful claim of lowest cards; False where that is not it.

        Nearly all plies of a bluff game. As in `Game.step` what is done elsewhere stands here once
        more, at half the time (`manage.py bench engine`)."""
        if self.phase is _RESPOND:
            if action not in _ANSWERS:
                return False
            seat = self.next_answer()
            self.log.append(action)
            self.moves[seat] += 1
            self.waiting ^= 1 << seat
            self._doubt(seat, action)
        else:
            quick = self.here.quick.get(action)
            if not quick:
                return False
            seat = self.turn
            after, effect, at, lays = quick
            laid = lays[self.holdings[seat] >> at & 0xFF]
            if not laid:
                return False
            self.log.append(action)
            self.moves[seat] += 1
            self.holdings[seat] -= laid
            self.lying.append(laid | _SAID[seat][after.top])
            self.here = after
            self._ask(seat, effect)
        if len(self.log) >= self.tables.wary:
            self._cap()
        return True

    def _ask(self, seat: int, effect: Effect) -> None:
        """Open the window of a claim that does this if it stands."""
        compiled = self.tables
        if compiled.first:
            self.closable = not effect and self._holds(seat)
        self.waiting = self.asked = _challengers(self.next, seat, compiled.asks_all)
        self.challenged, self.claim = 0, effect
        self.phase = _RESPOND

    def _doubt(self, seat: int, action: int) -> None:
        if action == CHALLENGE:
            self.challenged |= 1 << seat
        if self._story is not None:
            self._tell(Kind.CHALLENGE if action == CHALLENGE else Kind.ACCEPT, seat)
        if not self.waiting or (self.challenged and self.tables.first):
            self._close_window(seat)

    def _close_window(self, actor: int) -> None:
        """Settle the claim by the answers given (section 9). The decisions of all others who could
        still have acted are over with it; `actor` has acted."""
        if self.waiting or self.closable:
            for seat in SEATS[self.acting() & ~(1 << actor)]:
                self.moves[seat] += 1
            self.waiting, self.closable = 0, False
        claimant, effect, challenged = self.turn, self.claim, self.challenged
        self.phase, self.asked, self.challenged = Phase.PLAY, 0, 0
        if not challenged:
            if self._story is not None:
                self._tell(Kind.CLAIM_STANDS, claimant)
            return self._settle(claimant, effect)
        following = self.next
        challenger = following[claimant]
        while not challenged >> challenger & 1:
            challenger = following[challenger]
        claim = self.lying[-1]
        if claim >> HOLD & CARDS & ~RANK_MASK[claim >> TAG & 0xF]:
            self._caught(claimant, challenger)
        elif 0 < effect <= Effect.FOUR and self.tables.true_falls:
            if self._story is not None:
                self._tell(Kind.TRUTH, challenger, claim >> HOLD & CARDS)
            self.lying[-1] = claim & HOLDING  # all have seen it: it counts as laid openly
            self._settle(claimant, effect)
        else:
            self._proved(claimant, challenger)

    def _caught(self, claimant: int, challenger: int) -> None:
        """A lie: the claimant takes the whole pile and draws nothing."""
        shown = self.lying[-1] >> HOLD & CARDS
        taken = self._take_pile(claimant)
        if self._story is not None:
            self._tell(Kind.LIE, claimant, shown, taken=taken)
        self.turn = self.next[claimant] if self.tables.left_of_liar else challenger
        self.drawn = False
        self._note()

    def _proved(self, claimant: int, challenger: int) -> None:
        """The truth: the challenger takes the whole pile; then the claimant refills or is out."""
        shown = self.lying[-1] >> HOLD & CARDS
        taken = self._take_pile(challenger)
        if self._story is not None:
            self._tell(Kind.TRUTH, challenger, shown, taken=taken)
        if self.stock:
            self._refill(claimant)
        opens = claimant
        if not self.holdings[claimant] and not self._holds(claimant):
            self._go_out(claimant)
            if self.phase is Phase.OVER:
                return
            opens = self.next[claimant]
        if self.tables.left_of_challenger:
            opens = self.next[challenger]
        self.turn = opens
        self.drawn = False
        self._note()


@lru_cache(maxsize=1024)
def _challengers(following: tuple[int, ...], claimant: int, all_of_them: bool) -> int:
    """Who may challenge, as a set: the next active seat, or all."""
    seat = following[claimant]
    asked = 1 << seat
    while all_of_them and (seat := following[seat]) != claimant:
        asked |= 1 << seat
    return asked
