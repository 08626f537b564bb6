"""Where the cards of a round are and who is still in: the state, and what can happen to it.

Owns drawing, taking the pile, falling, going out, and the ends of a round (rules.md sections 2, 7
and 10). What an action does with these stands in game.py.
"""

from functools import reduce
from operator import or_
from typing import Final, NamedTuple, Self

from games.engine.actions import OP
from games.engine.cards import BIT, CARDS, rank_counts
from games.engine.deal import deal
from games.engine.events import Event, Kind
from games.engine.phases import Ending, Phase
from games.engine.rules import Rules, packs_needed
from games.engine.tables import EMPTY, Effect, tables

NOBODY: Final = -1


class Window(NamedTuple):
    """An open claim (section 9)."""

    asked: int
    """The seats that may answer, as a set."""
    challenged: int
    """Those of them that have challenged."""
    closable: bool
    """Whether the next player may act instead."""
    effect: Effect
    """What the claim does if it stands."""


class Board:
    """The state of a round. Attributes are for reading.

    `hands` and `ups` are masks of cards by seat; `downs` holds one card in each byte, 0 where it is
    gone, `filled` the same as bits; `pile` has one entry a play: its cards, and for a claim in the
    low byte the named rank with the claimant 4 bits further up. Sets of seats are bit masks.
    """

    __slots__ = (
        "at",
        "dealer",
        "deck",
        "downs",
        "drawn",
        "effects",
        "ending",
        "fallen",
        "filled",
        "hands",
        "known",
        "lay",
        "log",
        "moves",
        "next",
        "notes",
        "passes",
        "phase",
        "pile",
        "places",
        "run",
        "shown",
        "story",
        "tables",
        "threes",
        "top",
        "turn",
        "ups",
        "waiting",
        "window",
    )

    def __init__(self, rules: Rules, players: int, dealer: int, deck: tuple[int, ...]) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        packs_needed(rules, players)
        self.tables, self.dealer, self.deck = tables(rules), dealer, deck
        self.hands, self.ups, self.downs, self.at = deal(rules, players, dealer, deck)
        self.filled = [(1 << rules.face_down) - 1] * players
        self.next = [(seat + 1) % players for seat in range(players)]
        """The next active seat clockwise of each."""
        self.lay = self.tables.lay[self.at < len(deck)]
        self.effects = self.tables.effect[self.at < len(deck)]
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
        self.window: Window | None = None
        """The claim that is open."""
        self.notes: dict[bytes, int] = {}
        """Positions noted since the last fall, and how often."""
        self.moves = [1] * players
        self.log: list[int] = []
        self.known: tuple[int, ...] = ()
        """Codes that may be pushed now, once they have been asked for."""
        self.story: list[Event] | None = None
        """Events from the deal on, if they are kept."""

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.tables.rules

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def stock(self) -> int:
        """Number of cards in the stock."""
        return len(self.deck) - self.at

    def held(self, seat: int) -> int:
        """Number of cards in the seat's hand and rows."""
        zones = self.hands[seat], self.ups[seat], self.filled[seat]
        return sum(map(int.bit_count, zones))

    def _holds(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.ups[seat] or self.filled[seat])

    # Cards move

    def _draw_one(self) -> int:
        """The top stock card, off the stock."""
        card = self.deck[self.at]
        self._drawn_to(self.at + 1)
        return card

    def _refill(self, seat: int) -> None:
        """Draw up to the hand size, as far as the stock goes (section 7)."""
        missing = self.tables.hand_size - self.hands[seat].bit_count()
        if missing <= 0 or self.at == len(self.deck):
            return
        cards = 0
        for card in self.deck[self.at : self.at + missing]:
            cards |= BIT[card]
        self.hands[seat] |= cards
        self._drawn_to(self.at + cards.bit_count())
        self._tell(Kind.DREW, seat, cards)

    def _drawn_to(self, at: int) -> None:
        self.at = at
        if at == len(self.deck):
            self.lay, self.effects = self.tables.lay[0], self.tables.effect[0]

    def _take_pile(self, seat: int) -> int:
        """The pile goes to a hand; says which cards."""
        cards = reduce(or_, self.pile, 0) & CARDS
        self.hands[seat] |= cards
        self._clear_pile()
        return cards

    def _fall(self, effect: Effect, seat: int) -> None:
        cards = reduce(or_, self.pile) & CARDS
        self.fallen |= cards
        for entry in self.pile:
            if not entry & OP:
                self.shown |= entry
        self._tell(Kind.FALL, seat, cards, cause=effect)
        self._clear_pile()
        self.notes.clear()

    def _clear_pile(self) -> None:
        self.pile.clear()
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
        self.next[before] = following
        self.places += ((seat,),)
        self._tell(Kind.OUT, seat)
        if before == following:
            self.places += ((following,),)
            self._end(Ending.OVER)

    def _note(self) -> None:
        """Note the position after a pick-up; the same one too often is a stalemate (section 10).
        Nothing ever comes back to rows and stock: where their sizes are equal, so are they."""
        if self.phase is Phase.OVER or (self.rules.bluff and self.at < len(self.deck)):
            return
        hands = 0
        for hand in self.hands:
            hands = hands << 120 | hand
        ranks = rank_counts(hands, len(self.hands))
        rows = sum(map(int.bit_count, (*self.ups, *self.filled)))
        position = ranks + bytes((self.turn, self.at, rows))
        times = self.notes[position] = self.notes.get(position, 0) + 1
        if times == self.rules.stalemate_repeats:
            self._stop(Ending.STALEMATE)

    def clone(self) -> Self:
        """A copy that goes its own way."""
        twin = self.__class__.__new__(self.__class__)
        twin.tables, twin.dealer, twin.deck = self.tables, self.dealer, self.deck
        twin.hands, twin.ups, twin.downs = self.hands[:], self.ups[:], self.downs[:]
        twin.filled, twin.next, twin.at = self.filled[:], self.next[:], self.at
        twin.lay, twin.effects, twin.pile = self.lay, self.effects, self.pile[:]
        twin.top, twin.run, twin.threes = self.top, self.run, self.threes
        twin.passes, twin.fallen, twin.shown = self.passes, self.fallen, self.shown
        twin.phase, twin.ending, twin.places = self.phase, self.ending, self.places
        twin.turn, twin.drawn = self.turn, self.drawn
        twin.waiting, twin.window = self.waiting, self.window
        twin.notes = self.notes.copy()
        twin.moves, twin.log, twin.known = self.moves[:], self.log[:], self.known
        twin.story = None if self.story is None else self.story[:]
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
        self.waiting, self.window = 0, None
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
