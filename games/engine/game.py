"""A round of the game: what may be done in it and what an action does (rules.md sections 4, 6, 9).

`play` checks what a seat says; `push` trusts a code of actions.py and is fast. What may be done is
decided in stand.py and judge.py, what a viewer may know in view.py.
"""

from typing import Final

from games.engine.actions import (
    ACCEPT,
    BLIND,
    BY,
    CHALLENGE,
    CHANCE,
    CLAIM,
    DRAW,
    KEEP,
    OP,
    PASS,
    PICK_UP,
    SWAP,
    TAKEN,
    parse_loose,
)
from games.engine.board import NOBODY, Board, Window
from games.engine.cards import BIT, CARDS, RANK_MASK, lowest
from games.engine.deal import clockwise, most_lowest
from games.engine.errors import Code, IllegalAction
from games.engine.events import Kind
from games.engine.judge import judge
from games.engine.phases import Ending, Phase
from games.engine.rules import (
    AfterLie,
    AfterTruth,
    ChallengeMode,
    Challengers,
    FirstPlayer,
    Opening,
    Rules,
    TrueFall,
)
from games.engine.spoken import codes_of, default_action, text_of
from games.engine.stand import Stand
from games.engine.tables import EMPTY, FREE, MUST, ONLY_THREES, Effect

__all__ = ["NOBODY", "SEATS", "Game"]

SEATS: Final = tuple(
    tuple(seat for seat in range(6) if seats >> seat & 1) for seats in range(1 << 6)
)
"""The seats of a set of seats, ascending."""

_PLAY: Final = Phase.PLAY
_RESPOND: Final = Phase.RESPOND
_ANSWERS: Final = (CHALLENGE, ACCEPT)


class Game(Board):
    """One round. The same codes pushed on the same deal give the same game."""

    __slots__ = ()

    def __init__(self, rules: Rules, players: int, dealer: int, deck: tuple[int, ...]) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        super().__init__(rules, players, dealer, deck)
        if rules.swaps:
            self.phase = Phase.SWAP
            self.waiting = (1 << players) - 1
            if rules.first_player is FirstPlayer.LEFT_OF_DEALER:
                self.turn = self.next[dealer]
        else:
            self._begin()

    # What everybody may ask

    @property
    def ply(self) -> int:
        """Number of actions so far."""
        return len(self.log)

    @property
    def closer(self) -> int:
        """The seat that may act although a claim is open, or `NOBODY`."""
        closable = self.window is not None and self.window.closable
        return self.next[self.turn] if closable else NOBODY

    def acting(self) -> int:
        """The seats that may act now, as a set."""
        if self.phase is Phase.PLAY:
            return 1 << self.turn
        return self.waiting if self.closer == NOBODY else self.waiting | 1 << self.closer

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, ascending."""
        return SEATS[self.acting()]

    def answer_order(self) -> tuple[int, ...]:
        """Who has still to act, in the order in which waiting answers are pushed: swaps clockwise
        from the dealer's left, answers clockwise from the claimant; in `play` the seat on turn."""
        if self.phase is Phase.PLAY:
            return (self.turn,)
        start = self.dealer if self.phase is Phase.SWAP else self.turn
        return tuple(s for s in clockwise(self.players, start) if self.waiting >> s & 1)

    def next_answer(self) -> int:
        """The seat whose answer needs no name in the log."""
        seat = self.next[self.dealer if self.phase is Phase.SWAP else self.turn]
        while not self.waiting >> seat & 1:
            seat = self.next[seat]
        return seat

    def move_number(self, seat: int) -> int:
        """The number of the decision that the seat is at or comes to next, from 1."""
        return self.moves[seat]

    def stand(self) -> Stand:
        """What the seat stands before that may act as on its turn; in an open window as if the
        claim stood already (section 9). Not for `swap` and `over`."""
        seat, stock, drawn = self.turn, self.stock, self.drawn
        if self.phase is Phase.RESPOND:
            missing = self.tables.hand_size - self.hands[seat].bit_count()
            seat, stock, drawn = self.next[seat], stock - max(missing, 0), False
        return Stand(
            self.tables,
            self.hands[seat],
            self.ups[seat],
            self.filled[seat],
            self.top,
            bool(self.pile),
            stock > 0,
            drawn,
        )

    def legal(self, seat: int) -> list[str]:
        """The seat's legal actions as traces list them; empty if it may not act."""
        if self.phase is Phase.SWAP:
            return ["S"] if self.waiting >> seat & 1 else []
        answers = ["!", "."] if self.waiting >> seat & 1 else []
        on_turn = seat == self.turn if self.phase is Phase.PLAY else seat == self.closer
        return answers + (self.stand().entries() if on_turn else [])

    def check(self, seat: int, text: str) -> str:
        """The canonical form of an action that the seat may take now; raises `IllegalAction`.
        Understands `P:9x1` too."""
        return text_of(self, judge(self, seat, parse_loose(text)))[1]

    def default_action(self, seat: int) -> str:
        """What is played for a seat that does not answer (bots.md)."""
        return default_action(self, seat)

    def codes(self) -> tuple[int, ...]:
        """The shortest codes that may be pushed now: of the seat on turn, in a swap or an open
        window of the seat that answers next. Lays of the lowest cards of a rank, truthful claims of
        them, a lie of the lowest card where there is no truth to tell."""
        if self.known:
            return self.known
        if self.phase is _RESPOND:
            return _ANSWERS
        compiled = self.tables
        zone = self.hands[self.turn] or self.ups[self.turn]
        if zone and compiled.usual and self.phase is _PLAY:
            playable = zone & self.lay[self.top]
            found = compiled.plays.get(playable)
            if found is None:
                found = compiled.find_plays(playable)
            if self.pile:
                found += compiled.beside[playable == 0][self.at < len(self.deck)]
            if found:
                self.known = found
                return found
        self.known = codes_of(self)
        return self.known

    # Actions

    def play(self, seat: int, text: str) -> None:
        """Take an action. Raises `IllegalAction` and changes nothing."""
        self.push(judge(self, seat, parse_loose(text)))

    def step(self, action: int) -> None:
        """Take an action out of `codes`. Raises `IllegalAction` for any other."""
        if action not in self.known and not self._fits(action) and action not in self.codes():
            raise IllegalAction(Code.MALFORMED_ACTION)
        self.push(action)

    def _fits(self, action: int) -> bool:
        """Whether an action is a plain legal lay, without a list of all that are."""
        if action >= BLIND or not self.tables.usual or self.phase is not _PLAY:
            return False
        rank = action >> 3
        if action & 7 and rank in self.tables.single:
            return False
        zone = self.hands[self.turn] or self.ups[self.turn]
        return (zone & self.lay[self.top] & RANK_MASK[rank]).bit_count() > action & 7

    def push(self, action: int) -> None:
        """Take an action that is known to be legal, by its code."""
        self.log.append(action)
        self.known = ()
        if self.phase is not _PLAY:
            if self._pushed_answer(action):
                return self._cap()
            self._close_window(self.next[self.turn])
        seat = self.turn
        self.moves[seat] += 1
        if action < BLIND:
            self._lay_lowest(seat, action >> 3, (action & 7) + 1)
        elif action == PICK_UP:
            self._picks_up(seat)
        else:
            self._push_seldom(action)
        if len(self.log) >= self.tables.max_plies:
            self._cap()

    def _push_seldom(self, action: int) -> None:
        if action >= CLAIM + 8:
            self._lay_named(action)
        elif action == DRAW:
            self._draws_first()
        elif action == PASS:
            self._passes()
        elif action == CHANCE:
            self._flip(self._draw_one(), Kind.CHANCE, Kind.CHANCE_FAILED)
        else:
            self._turns_over(action - BLIND)

    def _cap(self) -> None:
        if len(self.log) >= self.tables.max_plies and self.phase is not Phase.OVER:
            self._stop(Ending.PLY_CAP)

    def _lay_lowest(self, seat: int, rank: int, count: int) -> None:
        """Lay the lowest cards of a rank. Most actions are this one, so what `_stack` and `_settle`
        would do with a play of no further effect stands here once more, at a third of the time."""
        zone = self.hands
        if not zone[seat]:
            zone = self.ups
        held = zone[seat]
        cards = held & RANK_MASK[rank]
        if cards.bit_count() != count:
            cards = lowest(cards, count)
        zone[seat] = held = held ^ cards
        if self.story is not None:
            self._tell(Kind.PLAY, seat, cards)
        top = self.top
        run = self.run + count if rank == top else count
        if run >= 4 or self.effects[top][rank] or not self.tables.simple:
            return self._settle(seat, self._stack(cards, rank, count))
        self.pile.append(cards)
        self.top, self.run = rank, run
        if not held or self.at < len(self.deck):
            return self._settle(seat, Effect.STAYS)
        self.turn = self.next[seat]

    def _lay_named(self, action: int) -> None:
        """A claim, or a lay that names its cards."""
        if action < 256:
            rank = action - CLAIM >> 3
            cards = lowest(self.hands[self.turn] & RANK_MASK[rank], (action & 7) + 1)
            self._claim(cards, rank)
        elif action & OP:
            self._claim(action & CARDS, action & OP)
        else:
            self._lay(action, action.bit_length() - 1 >> 3)

    def _lay(self, cards: int, rank: int) -> None:
        seat = self.turn
        zone = self.hands if self.hands[seat] else self.ups
        zone[seat] ^= cards
        self._tell(Kind.PLAY, seat, cards)
        self._settle(seat, self._stack(cards, rank, cards.bit_count()))

    def _picks_up(self, seat: int) -> None:
        cards = self._take_pile(seat)
        self._tell(Kind.PICK_UP, seat, cards)
        self._give_turn(self.next[seat])
        self._note()

    def _draws_first(self) -> None:
        card = BIT[self._draw_one()]
        self.hands[self.turn] |= card
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
        card = self.downs[seat] >> 8 * slot & 0xFF
        self.downs[seat] ^= card << 8 * slot
        self.filled[seat] ^= 1 << slot
        self._flip(card, Kind.BLIND, Kind.BLIND_FAILED, slot)

    def _flip(self, card: int, fits: Kind, fails: Kind, slot: int = 0) -> None:
        """Lay a card nobody knew, if it fits; else it goes to the hand with the pile."""
        seat, bit = self.turn, BIT[card]
        if self.lay[self.top] & bit:
            self._tell(fits, seat, bit, slot=slot)
            return self._settle(seat, self._stack(bit, card >> 3, 1))
        taken = self._take_pile(seat)
        self.hands[seat] |= bit
        self._tell(fails, seat, bit, taken=taken, slot=slot)
        self._give_turn(self.next[seat])
        self._note()

    # What a play does

    def _stack(self, entry: int, rank: int, count: int) -> Effect:
        """Put cards on the pile. Says what that does, by section 6."""
        top = self.top
        effect = self.effects[top][rank]
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
        if effect and effect < Effect.FOUR:
            return effect
        return Effect.FOUR if rank in self.tables.fours else Effect.STAYS

    def _settle(self, seat: int, effect: Effect) -> None:
        """After any play (section 4): fall or feed, refill, out, then the turn."""
        turn = taker = self.next[seat]
        feeds = effect > Effect.FOUR
        if feeds:
            self._tell(Kind.FED, taker, self._take_pile(taker))
        elif effect:
            self._fall(effect, seat)
        self._refill(seat)
        if not self._holds(seat):
            self._go_out(seat)
            if self.phase is Phase.OVER:
                return
            turn = self.next[taker] if feeds else taker
        elif effect:
            turn = self.next[taker] if effect is Effect.FEEDS_PASS else seat
        self._give_turn(turn)
        if feeds:
            self._note()

    # Swap and bluff

    def _begin(self) -> None:
        """Find the first player from the hands as they are now (section 3)."""
        self.phase = Phase.PLAY
        if self.rules.first_player is FirstPlayer.LEFT_OF_DEALER:
            self.turn = self.next[self.dealer]
            return
        self.turn, rank = most_lowest(self.hands, self.dealer)
        if self.rules.opening is Opening.DECIDING_RANK:
            self.top = MUST + rank

    def _pushed_answer(self, action: int) -> bool:
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
            self._answer(seat, action)
        return True

    def _swap(self, seat: int, given: int, taken: int) -> None:
        self.hands[seat] ^= given | taken
        self.ups[seat] ^= given | taken
        self._tell(Kind.SWAP, seat, given, taken=taken)
        if not self.waiting:
            self._begin()

    def _claim(self, cards: int, rank: int) -> None:
        """Lay cards face down under a name and ask who doubts it (section 9)."""
        seat = self.turn
        self.hands[seat] ^= cards
        self._tell(Kind.CLAIM, seat, cards, rank=rank)
        effect = self._stack(cards | seat << 4 | rank, rank, cards.bit_count())
        first = self.rules.challenge_mode is ChallengeMode.FIRST
        closable = first and not effect and self._holds(seat)
        self.waiting = self._challengers(seat)
        self.window = Window(self.waiting, 0, closable, effect)
        self.phase = Phase.RESPOND

    def _challengers(self, seat: int) -> int:
        following = self.next[seat]
        asked = 1 << following
        if self.rules.challengers is Challengers.ANYONE:
            while (following := self.next[following]) != seat:
                asked |= 1 << following
        return asked

    def _answer(self, seat: int, action: int) -> None:
        assert self.window is not None
        settles = not self.waiting
        if action == CHALLENGE:
            self._tell(Kind.CHALLENGE, seat)
            self.window = self.window._replace(challenged=self.window.challenged | 1 << seat)
            settles = settles or self.rules.challenge_mode is ChallengeMode.FIRST
        else:
            self._tell(Kind.ACCEPT, seat)
        if settles:
            self._close_window(seat)

    def _close_window(self, actor: int) -> None:
        """Settle the claim by the answers given (section 9). The decisions of all others who could
        still have acted are over with it; `actor` has acted."""
        assert self.window is not None
        for seat in SEATS[self.acting() & ~(1 << actor)]:
            self.moves[seat] += 1
        claimant, effect, challenged = self.turn, self.window.effect, self.window.challenged
        self.phase, self.waiting, self.window = Phase.PLAY, 0, None
        if not challenged:
            self._tell(Kind.CLAIM_STANDS, claimant)
            return self._settle(claimant, effect)
        order = clockwise(self.players, claimant)
        challenger = next(seat for seat in order if challenged >> seat & 1)
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
        left = self.rules.after_lie is AfterLie.LEFT_OF_LIAR
        self._give_turn(self.next[claimant] if left else challenger)
        self._note()

    def _proved(self, claimant: int, challenger: int) -> None:
        """The truth: the challenger takes the whole pile; then the claimant refills or is out."""
        shown = self.pile[-1] & CARDS
        self._tell(Kind.TRUTH, challenger, shown, taken=self._take_pile(challenger))
        self._refill(claimant)
        opens = claimant
        if not self._holds(claimant):
            self._go_out(claimant)
            if self.phase is Phase.OVER:
                return
            opens = self.next[claimant]
        if self.rules.after_truth is AfterTruth.LEFT_OF_CHALLENGER:
            opens = self.next[challenger]
        self._give_turn(opens)
        self._note()
