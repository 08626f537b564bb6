"""Where the cards of a round are and who is still in: the state, and what can happen to it.

Owns drawing, taking the pile, falling, going out, and the ends of a round (rules.md sections 2, 7
and 10). What an action does with these stands in flow.py.
"""

from typing import Final, Self

from games.engine.cards import CARDS
from games.engine.deal import deal
from games.engine.events import Event, Kind
from games.engine.holdings import COUNTS, HOLD, HOLDING, ONE, TAG, counts, holding, learn_two_packs
from games.engine.phases import Ending, Phase
from games.engine.rules import Rules, packs_needed
from games.engine.tables import tables
from games.engine.tops import EMPTY, MOST, Effect

NOBODY: Final = -1
_OVER: Final = Phase.OVER
_ONE_PACK: Final = 56  # with four jokers
Masks = tuple[int, ...]


class Board:
    """The state of a round. Attributes are for reading.

    `holdings` are the hands and `rows` the face-up rows, by seat, as holdings.py counts them;
    `lying` has one such entry a play on the pile, and for a claim from `TAG` on the named rank with
    the claimant 4 bits further up. `downs` holds one card in each byte, 0 where it is gone,
    `filled` the same as bits. Sets of seats are bit masks. What changes at nearly every ply is a
    list or an int; what seldom does is a tuple, so that clones share it.
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
        "here",
        "holdings",
        "log",
        "lying",
        "moves",
        "next",
        "notes",
        "now",
        "passes",
        "phase",
        "places",
        "rows",
        "shown",
        "stock",
        "tables",
        "threes",
        "tops",
        "turn",
        "waiting",
    )

    def __init__(self, rules: Rules, players: int, dealer: int, deck: Masks) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        packs_needed(rules, players)
        self.tables, self.dealer, self.deck = tables(rules), dealer, deck
        if len(deck) > _ONE_PACK:
            learn_two_packs()
        dealt = deal(rules, players, dealer, deck)
        self.holdings = [holding(hand) for hand in dealt.hands]
        self.rows: Masks = tuple(map(holding, dealt.ups))
        self.downs = tuple(dealt.downs)
        self.filled: Masks = ((1 << rules.face_down) - 1,) * players
        self.next: Masks = (*range(1, players), 0)
        """The next active seat clockwise of each."""
        self.stock = len(deck) - dealt.at
        """Number of cards in the stock: the last ones of the deck."""
        self.now = self.tables.moments[self.stock > 0]
        """What may be laid, and what it does, while the stock is as it is."""
        self.tops = self.now.careful
        """The tops that may be stood on now."""
        self.here = self.tops[EMPTY][0]
        """The top of the pile."""
        self.lying: list[int] = []
        self.threes = self.passes = 0
        """Invisible 3s above the top; passes in a row."""
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
        self.notes: dict[int, Masks] = {}
        """The hands of positions that could come again, one after the other, by the turn and the
        ranks in the hand of that seat: few have these in common, and only those are compared."""
        self.moves = [1] * players
        self.log: list[int] = []
        self._story: list[Event] | None = None

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
        swift = self.phase is Phase.PLAY and self._story is None
        swift = swift and len(self.log) < self.tables.wary
        self.tops = self.now.swift if swift else self.now.careful
        self.here = self.tops[self.here.top][self.here.run]

    @property
    def hands(self) -> Masks:
        """The cards in hand, by seat, as masks."""
        return tuple([held >> HOLD for held in self.holdings])

    @property
    def ups(self) -> Masks:
        """The cards in face-up rows, by seat, as masks."""
        return tuple([row >> HOLD for row in self.rows])

    @property
    def pile(self) -> Masks:
        """One entry a play, the lowest first: its cards, and for a claim in the low byte the named
        rank with the claimant 4 bits further up."""
        if not self.tables.bluff:
            return tuple([entry >> HOLD for entry in self.lying])
        return tuple([entry >> HOLD & CARDS | entry >> TAG for entry in self.lying])

    @property
    def top(self) -> int:
        """The effective top, by tops.py."""
        return self.here.top

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.tables.rules

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.holdings)

    @property
    def at(self) -> int:
        """How many cards of the deck were dealt or drawn."""
        return len(self.deck) - self.stock

    def held(self, seat: int) -> int:
        """Number of cards in the seat's hand and rows."""
        zones = self.holdings[seat] >> HOLD, self.rows[seat] >> HOLD, self.filled[seat]
        return sum(map(int.bit_count, zones))

    def _holds(self, seat: int) -> bool:
        return bool(self.holdings[seat] or self.rows[seat] or self.filled[seat])

    # Cards move

    def _spend(self, seat: int, cards: int) -> None:
        """What is held leaves the hand, or where that is empty the face-up row."""
        if self.holdings[seat]:
            self.holdings[seat] -= cards
        else:
            self.rows = changed(self.rows, seat, self.rows[seat] - cards)
            self.notes = {}  # what has left a row never comes back to it

    def _draw_one(self) -> int:
        """The top stock card, off the stock."""
        card = self.deck[-self.stock]
        self._drawn(1)
        return card

    def _refill(self, seat: int) -> None:
        """Draw up to the hand size, as far as the stock goes (section 7)."""
        stock = self.stock
        held = self.holdings[seat]
        missing = self.tables.hand_size - (held >> HOLD).bit_count()
        if missing <= 0 or not stock:
            return
        deck = self.deck
        at = len(deck) - stock
        drawn = sum([ONE[card] for card in deck[at : at + missing]])
        self.holdings[seat] = held + drawn
        self._drawn(missing if missing < stock else stock)
        if self._story is not None:
            self._tell(Kind.DREW, seat, drawn >> HOLD)

    def _drawn(self, count: int) -> None:
        self.notes = {}
        self.stock = left = self.stock - count
        if not left:
            self._look_up()

    def _take_pile(self, seat: int) -> int:
        """The pile goes to a hand; says which cards."""
        taken = sum(self.lying) & HOLDING
        self.holdings[seat] += taken
        self._clear_pile()
        return taken >> HOLD

    def _fall(self, effect: int, seat: int) -> None:
        cards = sum(self.lying) >> HOLD & CARDS
        self.fallen |= cards
        if self.tables.bluff:
            for entry in self.lying:
                if not entry >> TAG:
                    self.shown |= entry >> HOLD
        if self._story is not None:
            self._tell(Kind.FALL, seat, cards, cause=Effect(effect))
        self._clear_pile()
        self.notes = {}

    def _clear_pile(self) -> None:
        self.lying = []
        self.here = self.tops[EMPTY][0]
        self.threes = self.passes = 0

    def _stand_on(self, top: int, run: int = 0) -> None:
        self.here = self.tops[top][run if run < MOST else MOST]

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
        if self.phase is _OVER or (self.tables.bluff and self.stock):
            return
        turn, notes, holdings = self.turn, self.notes, self.holdings
        key = holdings[turn] & COUNTS | turn
        notes[key] = noted = notes.get(key, ()) + tuple(holdings)
        if len(noted) >= self.tables.stalemate_repeats * len(holdings):
            self._compare(noted)

    def _compare(self, noted: Masks) -> None:
        """Look at the ranks in all hands, of positions where the turn's are equal."""
        ranks, now = counts(noted), counts(self.holdings)
        times = sum(ranks[at : at + len(now)] == now for at in range(0, len(ranks), len(now)))
        if times >= self.tables.stalemate_repeats:
            self._stop(Ending.STALEMATE)

    def clone(self) -> Self:
        """A copy that goes its own way."""
        twin = self.__class__.__new__(self.__class__)
        twin.tables = self.tables
        twin.dealer = self.dealer
        twin.deck = self.deck
        twin.holdings = self.holdings.copy()
        twin.rows = self.rows
        twin.downs = self.downs
        twin.filled = self.filled
        twin.next = self.next
        twin.stock = self.stock
        twin.now = self.now
        twin.tops = self.tops
        twin.here = self.here
        twin.lying = self.lying.copy()
        twin.threes = self.threes
        twin.passes = self.passes
        twin.fallen = self.fallen
        twin.shown = self.shown
        twin.phase = self.phase
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
