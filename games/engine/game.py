"""A round of the game: its state, and what each action does to it (rules.md sections 4 and 6 to 10).

`play` checks what a seat says; `push` trusts a code of actions.py and is fast. What may be done is
decided in stand.py and judge.py, what a viewer may know in view.py.
"""

from functools import reduce
from operator import or_
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
from games.engine.cards import BIT, CARDS, RANK_MASK, THREE, lowest, rank_counts
from games.engine.deal import clockwise, deal, most_lowest
from games.engine.events import Event, Kind
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
    packs_needed,
)
from games.engine.spoken import default_action, text_of
from games.engine.stand import Stand
from games.engine.tables import EMPTY, FREE, MUST, ONLY_THREES, Effect, tables

SEATS: Final = tuple(
    tuple(seat for seat in range(6) if seats >> seat & 1) for seats in range(1 << 6)
)
"""The seats of a set of seats, ascending."""
NOBODY: Final = -1


class Game:
    """One round. Made from (rules, players, dealer, deck); the same codes pushed give the same game.

    Attributes are for reading. `hands` and `ups` are masks of cards by seat; `downs` holds one card in
    each byte, 0 where it is gone; `pile` has one entry a play: its cards, and for a claim in the low
    byte the named rank with the claimant 4 bits further up.
    """

    __slots__ = (
        "active",
        "asked",
        "at",
        "challenged",
        "closable",
        "dealer",
        "deck",
        "downs",
        "drawn",
        "effect",
        "ending",
        "fallen",
        "filled",
        "hands",
        "log",
        "moves",
        "next",
        "notes",
        "passes",
        "phase",
        "pile",
        "places",
        "players",
        "rules",
        "run",
        "shown",
        "story",
        "tables",
        "threes",
        "top",
        "turn",
        "ups",
        "waiting",
    )

    def __init__(self, rules: Rules, players: int, dealer: int, deck: tuple[int, ...]) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        packs_needed(rules, players)
        self.rules, self.tables = rules, tables(rules)
        self.players, self.dealer, self.deck = players, dealer, deck
        self.hands, self.ups, self.downs, self.at = deal(rules, players, dealer, deck)
        self.filled = [(1 << rules.face_down) - 1] * players
        """Face-down slots that hold a card, as bits."""
        self.next = [(seat + 1) % players for seat in range(players)]
        """The next active seat clockwise of each."""
        self.active = players
        self.places: tuple[tuple[int, ...], ...] = ()
        self.ending: Ending | None = None
        self.pile: list[int] = []
        self.top, self.run, self.threes = EMPTY, 0, 0
        self.fallen = self.shown = 0
        """Cards out of the game; of them in a bluff game those that everybody saw."""
        self.turn = NOBODY
        self.drawn, self.passes = False, 0
        self.asked = self.waiting = self.challenged = 0
        """Sets of seats: who may answer, who has not yet answered, who has challenged."""
        self.closable, self.effect = False, Effect.STAYS
        """Of an open claim: whether the next player may act instead; what it does if it stands."""
        self.notes: dict[tuple[int | bytes, ...], int] = {}
        self.moves = [1] * players
        self.log: list[int] = []
        self.story: list[Event] | None = None
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
    def stock(self) -> int:
        """Number of cards in the stock."""
        return len(self.deck) - self.at

    def acting(self) -> int:
        """The seats that may act now, as a set."""
        if self.phase is Phase.PLAY:
            return 1 << self.turn
        if self.closable:
            return self.waiting | 1 << self.next[self.turn]
        return self.waiting

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
        return self.answer_order()[0]

    def move_number(self, seat: int) -> int:
        """The number of the decision that the seat is at or comes to next, from 1."""
        return self.moves[seat]

    def stand(self) -> Stand:
        """What the seat stands before that may act as on its turn; in an open window as if the claim
        stood already (section 9). Not for `swap` and `over`."""
        seat, stock, drawn = self.turn, len(self.deck) - self.at, self.drawn
        if self.phase is Phase.RESPOND:
            missing = self.tables.hand_size - self.hands[seat].bit_count()
            seat, stock, drawn = self.next[seat], stock - max(missing, 0), False
        return Stand(
            self.rules,
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
        if not self.acting() >> seat & 1:
            return []
        if self.phase is Phase.SWAP:
            return ["S"]
        answers = ["!", "."] if self.waiting >> seat & 1 else []
        on_turn = self.phase is Phase.PLAY or (self.closable and seat == self.next[self.turn])
        return answers + (self.stand().entries() if on_turn else [])

    def check(self, seat: int, text: str) -> str:
        """The canonical form of an action that the seat may take now; raises `IllegalAction`.
        Understands `P:9x1` too."""
        return text_of(self, judge(self, seat, parse_loose(text)))[1]

    def default_action(self, seat: int) -> str:
        """What is played for a seat that does not answer (bots.md)."""
        return default_action(self, seat)

    def clone(self) -> "Game":
        """A copy that goes its own way."""
        twin = Game.__new__(Game)
        for name in Game.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        return twin

    # Actions

    def play(self, seat: int, text: str) -> None:
        """Take an action. Raises `IllegalAction` and changes nothing."""
        self.push(judge(self, seat, parse_loose(text)))

    def push(self, action: int) -> None:
        """Take an action that is known to be legal, by its code."""
        self.log.append(action)
        if self.phase is not Phase.PLAY:
            if self._pushed_answer(action):
                return self._cap()
            self._close_window(self.next[self.turn])
        self.moves[self.turn] += 1
        if action < BLIND:
            self._lay_lowest(action)
        elif action >= CLAIM + 8:
            self._lay_named(action)
        elif action == PICK_UP:
            self._picks_up()
        elif action == DRAW:
            self._draws_first()
        elif action == PASS:
            self._passes()
        elif action == CHANCE:
            self._tries_stock()
        else:
            self._turns_over(action - BLIND)
        self._cap()

    def _lay_lowest(self, action: int) -> None:
        seat = self.turn
        zone = self.hands[seat] or self.ups[seat]
        self._lay(lowest(zone & RANK_MASK[action >> 3], (action & 7) + 1), action >> 3)

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

    def _picks_up(self) -> None:
        seat = self.turn
        cards = self._take_pile(seat)
        self._tell(Kind.PICK_UP, seat, cards)
        self._give_turn(self.next[seat])
        self._note()

    def _draws_first(self) -> None:
        seat = self.turn
        card = BIT[self.deck[self.at]]
        self.at += 1
        self.hands[seat] |= card
        self.drawn = True
        self._tell(Kind.DRAW_FIRST, seat, card)

    def _passes(self) -> None:
        """Section 4: when all have passed in turn, any card may open."""
        self._tell(Kind.PASS, self.turn)
        self.passes += 1
        if self.passes == self.active:
            self.top = FREE
        self._give_turn(self.next[self.turn])

    def _tries_stock(self) -> None:
        card = self.deck[self.at]
        self.at += 1
        self._flip(card, Kind.CHANCE, Kind.CHANCE_FAILED)

    def _turns_over(self, slot: int) -> None:
        seat = self.turn
        card = self.downs[seat] >> 8 * slot & 0xFF
        self.downs[seat] ^= card << 8 * slot
        self.filled[seat] ^= 1 << slot
        self._flip(card, Kind.BLIND, Kind.BLIND_FAILED, slot)

    def _flip(self, card: int, fits: Kind, fails: Kind, slot: int = 0) -> None:
        """Lay a card nobody knew, if it fits; else it goes to the hand with the pile."""
        seat, bit = self.turn, BIT[card]
        if self.tables.lay[self.at < len(self.deck)][self.top] & bit:
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
        effect = self.tables.effect[self.at < len(self.deck)][self.top][rank]
        self.pile.append(entry)
        self.passes = 0
        if rank == THREE and self.rules.invisible_threes:
            run = self.threes = self.threes + count
            if self.top == EMPTY or self.top >= FREE:
                self.top = ONLY_THREES
        else:
            run = self.run = self.run + count if rank == self.top else count
            self.top, self.threes = rank, 0
        if run >= self.tables.falls_at[rank] and (not effect or effect > Effect.FOUR):
            return Effect.FOUR
        if effect > Effect.FOUR and count >= 4:
            return Effect.STAYS
        return effect

    def _settle(self, seat: int, effect: Effect) -> None:
        """After any play (section 4): fall or feed, refill, out, then the turn."""
        turn = taker = self.next[seat]
        if effect:
            if effect <= Effect.FOUR:
                self._fall(effect, seat)
            else:
                cards = self._take_pile(taker)
                self._tell(Kind.FED, taker, cards)
        if self.at < len(self.deck):
            self._refill(seat)
        if not self._holds(seat):
            self._go_out(seat)
            if self.phase is Phase.OVER:
                return
            turn = self.next[taker] if effect > Effect.FOUR else turn
        elif effect:
            turn = self.next[taker] if effect is Effect.FEEDS_PASS else seat
        self._give_turn(turn)
        if effect > Effect.FOUR:
            self._note()

    def _fall(self, effect: Effect, seat: int) -> None:
        cards = reduce(or_, self.pile)
        self.fallen |= cards & CARDS
        for entry in self.pile:
            if not entry & OP:
                self.shown |= entry
        self._tell(Kind.FALL, seat, cards & CARDS, cause=effect)
        self._clear_pile()
        self.notes.clear()

    def _take_pile(self, seat: int) -> int:
        """The pile goes to a hand; says which cards."""
        cards = reduce(or_, self.pile, 0) & CARDS
        self.hands[seat] |= cards
        self._clear_pile()
        return cards

    def _clear_pile(self) -> None:
        self.pile.clear()
        self.top = EMPTY
        self.run = self.threes = self.passes = 0

    def _refill(self, seat: int) -> None:
        """Draw up to the hand size, as far as the stock goes (section 7)."""
        missing = self.tables.hand_size - self.hands[seat].bit_count()
        if missing <= 0 or self.at == len(self.deck):
            return
        cards = 0
        for card in self.deck[self.at : self.at + missing]:
            cards |= BIT[card]
        self.at += cards.bit_count()
        self.hands[seat] |= cards
        self._tell(Kind.DREW, seat, cards)

    def _give_turn(self, seat: int) -> None:
        self.turn = seat
        self.drawn = False

    def held(self, seat: int) -> int:
        """Number of cards in the seat's hand and rows."""
        zones = self.hands[seat], self.ups[seat], self.filled[seat]
        return sum(map(int.bit_count, zones))

    def _holds(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.ups[seat] or self.filled[seat])

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
        """Take a swap or an answer; False for an action of the next player, who closes the window."""
        seat, given, taken = -1, 0, 0
        if action >= 256:
            op = action & OP
            if op & BY:
                seat, action = op & 7, action >> 8
            elif op & SWAP:
                seat, given, taken = op & 7, action & CARDS, action >> TAKEN & CARDS
                action = KEEP
        if action not in (KEEP, CHALLENGE, ACCEPT):
            return False
        if seat < 0:
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
        self.effect = self._stack(cards | seat << 4 | rank, rank, cards.bit_count())
        emptied = not self._holds(seat)
        self.closable = (
            self.rules.challenge_mode is ChallengeMode.FIRST and not self.effect and not emptied
        )
        self.asked = self.waiting = self._challengers(seat)
        self.challenged = 0
        self.phase = Phase.RESPOND

    def _challengers(self, seat: int) -> int:
        following = self.next[seat]
        asked = 1 << following
        if self.rules.challengers is Challengers.ANYONE:
            while (following := self.next[following]) != seat:
                asked |= 1 << following
        return asked

    def _answer(self, seat: int, action: int) -> None:
        self._tell(Kind.CHALLENGE if action == CHALLENGE else Kind.ACCEPT, seat)
        if action == CHALLENGE:
            self.challenged |= 1 << seat
        first = self.rules.challenge_mode is ChallengeMode.FIRST
        if not self.waiting or (first and self.challenged):
            self._close_window(seat)

    def _close_window(self, actor: int) -> None:
        """Settle the claim by the answers given (section 9). The decisions of all others who could
        still have acted are over with it; `actor` has acted."""
        for seat in SEATS[self.acting()]:
            if seat != actor:
                self.moves[seat] += 1
        claimant, effect = self.turn, self.effect
        challengers = [s for s in clockwise(self.players, claimant) if self.challenged >> s & 1]
        self.phase = Phase.PLAY
        self.asked = self.waiting = self.challenged = 0
        self.closable, self.effect = False, Effect.STAYS
        if not challengers:
            self._tell(Kind.CLAIM_STANDS, claimant)
            self._settle(claimant, effect)
        elif self.pile[-1] & CARDS & ~RANK_MASK[self.pile[-1] & 0xF]:
            self._caught(claimant, challengers[0])
        elif effect and effect <= Effect.FOUR and self.rules.true_fall is TrueFall.PILE_FALLS:
            self._tell(Kind.TRUTH, challengers[0], self.pile[-1] & CARDS)
            self.pile[-1] &= CARDS
            self._settle(claimant, effect)
        else:
            self._proved(claimant, challengers[0])

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
            opens = self.next[claimant]
        if self.rules.after_truth is AfterTruth.LEFT_OF_CHALLENGER:
            opens = self.next[challenger]
        if self.phase is Phase.PLAY:
            self._give_turn(opens)
            self._note()

    # Ends

    def _go_out(self, seat: int) -> None:
        """Take the next place; the last one left is the Paskahousu."""
        before = following = self.next[seat]
        while self.next[before] != seat:
            before = self.next[before]
        self.next[before] = following
        self.active -= 1
        self.places += ((seat,),)
        self._tell(Kind.OUT, seat)
        if self.active == 1:
            self.places += ((following,),)
            self._end(Ending.OVER)

    def _note(self) -> None:
        """Note the position after a pick-up; the same one too often is a stalemate (section 10)."""
        if self.phase is Phase.OVER or (self.rules.bluff and self.at < len(self.deck)):
            return
        position = (
            self.at,
            self.turn,
            *map(rank_counts, self.hands),
            *map(rank_counts, self.ups),
            *(down >> 3 & _SLOT_RANKS for down in self.downs),
        )
        times = self.notes[position] = self.notes.get(position, 0) + 1
        if times == self.rules.stalemate_repeats:
            self._stop(Ending.STALEMATE)

    def _cap(self) -> None:
        if len(self.log) >= self.rules.max_plies and self.phase is not Phase.OVER:
            self._stop(Ending.PLY_CAP)

    def _stop(self, ending: Ending) -> None:
        """End a round that nobody has won: those still in are placed by the cards they hold."""
        placed = {seat for group in self.places for seat in group}
        held = {seat: self.held(seat) for seat in range(self.players) if seat not in placed}
        for number in sorted(set(held.values())):
            self.places += (tuple(seat for seat in held if held[seat] == number),)
        self._end(ending)

    def _end(self, ending: Ending) -> None:
        self.phase, self.ending, self.turn = Phase.OVER, ending, NOBODY
        self.asked = self.waiting = 0
        self.closable = False
        self._tell(Kind(ending.value), NOBODY)

    def _tell(
        self,
        kind: Kind,
        seat: int,
        cards: int = 0,
        *,
        taken: int = 0,
        rank: int = 0,
        cause: Effect = Effect.STAYS,
        slot: int = 0,
    ) -> None:
        if self.story is not None:
            event = Event(len(self.log), kind, seat, cards, taken, rank, cause, slot)
            self.story.append(event)


_SLOT_RANKS: Final = 0x0F0F0F0F0F
