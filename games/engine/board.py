"""Where the cards of a round are and who is still in: the state, and what can happen to it.

Owns drawing, taking the pile, falling, going out, and the ends of a round (rules.md sections 2, 7
and 10). What an action does with these stands in flow.py.
"""

from functools import reduce
from operator import or_
from typing import Final, Self

from games.engine.actions import OP
from games.engine.cards import BIT, CARDS, UNIT, learn_two_packs, ranks_in
from games.engine.deal import deal
from games.engine.events import Event, Kind
from games.engine.phases import Ending, Phase
from games.engine.rules import Rules, packs_needed
from games.engine.tables import EMPTY, NO_QUICK, Effect, tables

NOBODY: Final = -1
_ONE_PACK: Final = 56  # with four jokers
Masks = tuple[int, ...]


class Board:
    """The state of a round. Attributes are for reading.

    `hands` and `ups` are masks of cards by seat; `downs` holds one card in each byte, 0 where it is
    gone, `filled` the same as bits; `pile` has one entry a play: its cards, and for a claim in the
    low byte the named rank with the claimant 4 bits further up. Sets of seats are bit masks. What
    changes at nearly every ply is a list or an int; what seldom does is a tuple, so that clones
    share it.
    """

    __slots__ = (
        "_story",
        "asked",
        "challenged",
        "claim",
        "closable",
        "dealer",
        "deck",
        "downs",
        "drawn",
        "ending",
        "fallen",
        "filled",
        "hands",
        "log",
        "moves",
        "next",
        "notes",
        "now",
        "passes",
        "phase",
        "pile",
        "places",
        "quick",
        "ranks",
        "run",
        "shown",
        "stock",
        "tables",
        "threes",
        "top",
        "turn",
        "ups",
        "waiting",
    )

    def __init__(self, rules: Rules, players: int, dealer: int, deck: Masks) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        packs_needed(rules, players)
        self.tables, self.dealer, self.deck = tables(rules), dealer, deck
        if len(deck) > _ONE_PACK:
            learn_two_packs()
        dealt = deal(rules, players, dealer, deck)
        self.hands, self.ups, self.downs = dealt.hands, tuple(dealt.ups), tuple(dealt.downs)
        self.ranks = [ranks_in(hand) for hand in self.hands]
        """How many cards of each rank are in each hand."""
        self.filled: Masks = ((1 << rules.face_down) - 1,) * players
        self.next: Masks = (*range(1, players), 0)
        """The next active seat clockwise of each."""
        self.stock = len(deck) - dealt.at
        """Number of cards in the stock: the last ones of the deck."""
        self.now = self.tables.moments[self.stock > 0]
        """What may be laid, and what it does, while the stock is as it is."""
        self.pile: list[int] = []
        self.top, self.run, self.threes, self.passes = EMPTY, 0, 0, 0
        """The effective top; how many of it lie there; invisible 3s above it; passes in a row."""
        self.fallen = self.shown = 0
        """Cards out of the game; of them in a bluff game those that everybody saw."""
        self.phase = Phase.PLAY
        self.ending: Ending | None = None
        self.places: tuple[tuple[int, ...], ...] = ()
        self.turn, self.drawn = NOBODY, False
        self.waiting = 0
        """Who has still to swap or to answer."""
        self.asked = self.challenged = 0
        """Of an open claim: who may answer it; who has challenged it."""
        self.closable, self.claim = False, Effect.STAYS
        """Of an open claim: whether the next player may act instead; what it does if it stands."""
        self.notes: dict[tuple[int, ...], int] = {}
        """Positions that could come again, and how often each was noted."""
        self.moves = [1] * players
        self.log: list[int] = []
        self._story: list[Event] | None = None
        self.quick = NO_QUICK
        """[top][code]: the lays and claims that `step` may take without a detour on a turn."""

    @property
    def story(self) -> list[Event] | None:
        """Events from the deal on, if they are kept."""
        return self._story

    @story.setter
    def story(self, story: list[Event] | None) -> None:
        self._story = story
        self._look_up()

    def _look_up(self) -> None:
        """Choose the tables for the phase and the stock as they are now."""
        self.now = self.tables.moments[self.stock > 0]
        quick = self.phase is Phase.PLAY and self._story is None
        self.quick = self.now.quick if quick and len(self.log) < self.tables.wary else NO_QUICK

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.tables.rules

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def at(self) -> int:
        """How many cards of the deck were dealt or drawn."""
        return len(self.deck) - self.stock

    def held(self, seat: int) -> int:
        """Number of cards in the seat's hand and rows."""
        zones = self.hands[seat], self.ups[seat], self.filled[seat]
        return sum(map(int.bit_count, zones))

    def _holds(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.ups[seat] or self.filled[seat])

    # Cards move

    def _give(self, seat: int, cards: int) -> None:
        self.hands[seat] |= cards
        self.ranks[seat] += ranks_in(cards)

    def _spend(self, seat: int, cards: int) -> None:
        """Cards leave the hand, or where that is empty the face-up row."""
        if self.hands[seat]:
            self.hands[seat] ^= cards
            self.ranks[seat] -= ranks_in(cards)
        else:
            self.ups = changed(self.ups, seat, self.ups[seat] ^ cards)
            self.notes = {}  # what has left a row never comes back to it

    def _draw_one(self) -> int:
        """The top stock card, off the stock."""
        card = self.deck[-self.stock]
        self._drawn(1)
        return card

    def _refill(self, seat: int) -> None:
        """Draw up to the hand size, as far as the stock goes (section 7)."""
        stock = self.stock
        missing = self.tables.hand_size - self.hands[seat].bit_count()
        if missing <= 0 or not stock:
            return
        deck = self.deck
        at = len(deck) - stock
        cards = units = 0
        for card in deck[at : at + missing]:
            cards |= BIT[card]
            units += UNIT[card]
        self.hands[seat] |= cards
        self.ranks[seat] += units
        self._drawn(missing if missing < stock else stock)
        if self._story is not None:
            self._tell(Kind.DREW, seat, cards)

    def _drawn(self, count: int) -> None:
        self.notes = {}
        self.stock = left = self.stock - count
        if not left:
            self._look_up()

    def _take_pile(self, seat: int) -> int:
        """The pile goes to a hand; says which cards."""
        cards = 0
        for entry in self.pile:
            cards |= entry
        cards &= CARDS
        self.hands[seat] |= cards
        self.ranks[seat] += ranks_in(cards)
        self._clear_pile()
        return cards

    def _fall(self, effect: int, seat: int) -> None:
        cards = reduce(or_, self.pile) & CARDS
        self.fallen |= cards
        if self.tables.bluff:
            for entry in self.pile:
                if not entry & OP:
                    self.shown |= entry
        if self._story is not None:
            self._tell(Kind.FALL, seat, cards, cause=Effect(effect))
        self._clear_pile()
        self.notes = {}

    def _clear_pile(self) -> None:
        self.pile = []
        self.top = EMPTY
        self.run = self.threes = self.passes = 0

    # Seats come and go

    def _give_turn(self, seat: int) -> None:
        self.turn = seat
        self.drawn = False

    def _go_out(self, seat: int) -> None:
        """Take the next place; the last one left is the Paskahousu."""
        before = following = self.next[seat]
        while self.next[before] != seat:
            before = self.next[before]
        self.next = changed(self.next, before, following)
        self.places += ((seat,),)
        if self._story is not None:
            self._tell(Kind.OUT, seat)
        if before == following:
            self.places += ((following,),)
            self._end(Ending.OVER)

    def _note(self) -> None:
        """Note the position after a pick-up; the same one too often is a stalemate (section 10).
        Nothing ever comes back to rows and stock, so notes are dropped when these change: what is
        left to compare is the ranks in hands and the turn."""
        if self.phase is Phase.OVER or (self.tables.bluff and self.stock):
            return
        position = (self.turn, *self.ranks)
        times = self.notes[position] = self.notes.get(position, 0) + 1
        if times == self.tables.stalemate_repeats:
            self._stop(Ending.STALEMATE)

    def clone(self) -> Self:
        """A copy that goes its own way."""
        twin = self.__class__.__new__(self.__class__)
        twin.tables = self.tables
        twin.dealer = self.dealer
        twin.deck = self.deck
        twin.hands = self.hands.copy()
        twin.ranks = self.ranks.copy()
        twin.ups = self.ups
        twin.downs = self.downs
        twin.filled = self.filled
        twin.next = self.next
        twin.stock = self.stock
        twin.now = self.now
        twin.pile = self.pile.copy()
        twin.top = self.top
        twin.run = self.run
        twin.threes = self.threes
        twin.passes = self.passes
        twin.fallen = self.fallen
        twin.shown = self.shown
        twin.phase = self.phase
        twin.quick = self.quick
        twin.ending = self.ending
        twin.places = self.places
        twin.turn = self.turn
        twin.drawn = self.drawn
        twin.waiting = self.waiting
        twin.asked = self.asked
        twin.challenged = self.challenged
        twin.closable = self.closable
        twin.claim = self.claim
        twin.notes = self.notes.copy() if self.notes else {}
        twin.moves = self.moves.copy()
        twin.log = self.log.copy()
        twin._story = None if self._story is None else self._story[:]
        return twin

    def _stop(self, ending: Ending) -> None:
        """End a round that nobody has won: those still in are placed by the cards they hold."""
        placed = {seat for group in self.places for seat in group}
        held = {seat: self.held(seat) for seat in range(self.players) if seat not in placed}
        for number in sorted(set(held.values())):
            self.places += (tuple(seat for seat in held if held[seat] == number),)
        self._end(ending)

    def _end(self, ending: Ending) -> None:
        self.phase, self.ending, self.turn = Phase.OVER, ending, NOBODY
        self.waiting = self.asked = self.challenged = 0
        self.closable = False
        self._look_up()
        if self._story is not None:
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
        if self._story is not None:
            event = Event(len(self.log), kind, seat, cards, taken, rank, cause, slot)
            self._story.append(event)


def changed(values: Masks, seat: int, value: int) -> Masks:
    """The same values by seat, one replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
