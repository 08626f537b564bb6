"""What several seats answer unseen: swaps before play, challenges to a claim (sections 3 and 9)."""

from typing import Final

from games.engine.actions import ACCEPT, BY, CHALLENGE, KEEP, OP, SWAP, TAKEN
from games.engine.board import NOBODY
from games.engine.cards import CARDS, RANK_MASK
from games.engine.deal import most_lowest
from games.engine.events import Kind
from games.engine.flow import Flow
from games.engine.phases import Phase
from games.engine.rules import (
    AfterLie,
    AfterTruth,
    ChallengeMode,
    Challengers,
    FirstPlayer,
    Opening,
    TrueFall,
)
from games.engine.tables import MUST, Effect

SEATS: Final = tuple(
    tuple(seat for seat in range(6) if seats >> seat & 1) for seats in range(1 << 6)
)
"""The seats of a set of seats, ascending."""


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
            self.top = MUST + rank

    def _answer(self, action: int) -> bool:
        """Take a swap or an answer; False for an action that closes the window."""
        seat, given, taken = NOBODY, 0, 0
        if action >= 256:
            op = action & OP
            if op & BY:
                seat, action = op & 7, action >> 8
            elif op & SWAP:
                seat, given, taken, action = op & 7, action & CARDS, action >> TAKEN & CARDS, KEEP
        if action not in (KEEP, CHALLENGE, ACCEPT):
            return False
        if seat == NOBODY:
            seat = self.next_answer()
        self.waiting ^= 1 << seat
        self.moves[seat] += 1
        if action == KEEP:
            self._swap(seat, given, taken)
        else:
            self._doubt(seat, action)
        return True

    def _swap(self, seat: int, given: int, taken: int) -> None:
        if given:
            self._spend(seat, given)
            self._give(seat, taken)
            ups = list(self.ups)
            ups[seat] ^= given | taken
            self.ups = tuple(ups)
        self._tell(Kind.SWAP, seat, given, taken=taken)
        if not self.waiting:
            self._begin()

    def _lay_claim(self, cards: int, rank: int) -> None:
        """Lay cards face down under a name and ask who doubts it (section 9)."""
        seat = self.turn
        self._spend(seat, cards)
        if self._story is not None:
            self._tell(Kind.CLAIM, seat, cards, rank=rank)
        effect = self._stack(cards | seat << 4 | rank, rank, cards.bit_count())
        rules = self.tables.rules
        first = rules.challenge_mode is ChallengeMode.FIRST
        self.closable = first and not effect and self._holds(seat)
        self.waiting = self.asked = self._challengers(seat)
        self.challenged, self.claim = 0, effect
        self.phase = Phase.RESPOND

    def _challengers(self, seat: int) -> int:
        following = self.next[seat]
        asked = 1 << following
        if self.tables.rules.challengers is Challengers.ANYONE:
            while (following := self.next[following]) != seat:
                asked |= 1 << following
        return asked

    def _doubt(self, seat: int, action: int) -> None:
        settles = not self.waiting
        if action == CHALLENGE:
            self.challenged |= 1 << seat
            settles = settles or self.tables.rules.challenge_mode is ChallengeMode.FIRST
        if self._story is not None:
            self._tell(Kind.CHALLENGE if action == CHALLENGE else Kind.ACCEPT, seat)
        if settles:
            self._close_window(seat)

    def _close_window(self, actor: int) -> None:
        """Settle the claim by the answers given (section 9). The decisions of all others who could
        still have acted are over with it; `actor` has acted."""
        if self.waiting or self.closable:
            for seat in SEATS[self.acting() & ~(1 << actor)]:
                self.moves[seat] += 1
        claimant, effect, challenged = self.turn, self.claim, self.challenged
        self.phase, self.waiting, self.asked, self.challenged = Phase.PLAY, 0, 0, 0
        self.closable = False
        if not challenged:
            self._tell(Kind.CLAIM_STANDS, claimant)
            return self._settle(claimant, effect)
        challenger = self.next[claimant]
        while not challenged >> challenger & 1:
            challenger = self.next[challenger]
        claim = self.pile[-1]
        if claim & CARDS & ~RANK_MASK[claim & 0xF]:
            self._caught(claimant, challenger)
        elif 0 < effect <= Effect.FOUR and self.rules.true_fall is TrueFall.PILE_FALLS:
            self._tell(Kind.TRUTH, challenger, claim & CARDS)
            self.pile[-1] = claim & CARDS  # all have seen it: it counts as laid openly
            self._settle(claimant, effect)
        else:
            self._proved(claimant, challenger)

    def _caught(self, claimant: int, challenger: int) -> None:
        """A lie: the claimant takes the whole pile and draws nothing."""
        shown = self.pile[-1] & CARDS
        self._tell(Kind.LIE, claimant, shown, taken=self._take_pile(claimant))
        left = self.tables.rules.after_lie is AfterLie.LEFT_OF_LIAR
        self._give_turn(self.next[claimant] if left else challenger)
        self._note()

    def _proved(self, claimant: int, challenger: int) -> None:
        """The truth: the challenger takes the whole pile; then the claimant refills or is out."""
        shown = self.pile[-1] & CARDS
        self._tell(Kind.TRUTH, challenger, shown, taken=self._take_pile(challenger))
        if self.stock:
            self._refill(claimant)
        opens = claimant
        if not self._holds(claimant):
            self._go_out(claimant)
            if self.phase is Phase.OVER:
                return
            opens = self.next[claimant]
        if self.tables.rules.after_truth is AfterTruth.LEFT_OF_CHALLENGER:
            opens = self.next[challenger]
        self._give_turn(opens)
        self._note()
