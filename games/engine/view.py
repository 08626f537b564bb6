"""What a viewer may know of a running round: the one allow-list (architecture.md, "The engine").

Everything that leaves the process about a running game is built here from named fields, never by
deleting from the state. Face-down cards are hidden from their owner too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from games.engine.actions import OP, TAKEN
from games.engine.cards import CARDS, RANKS, TWO, anonymous, rank_counts, rank_of, texts
from games.engine.game import NOBODY, SEATS, Game
from games.engine.holdings import HOLD
from games.engine.phases import Ending, Phase
from games.engine.rules import Rules
from games.engine.stand import Stand
from games.engine.tables import Tables
from games.engine.tops import EMPTY, MUST

_COUNT = TAKEN + 8  # where a hidden lay keeps its number of cards


class ViewDict(TypedDict):
    """A view as JSON. Seats index the lists; cards in canonical order, the pile from the bottom."""

    seat: int | None
    phase: str
    turn: int | None
    to_act: list[int]
    ply: int
    dealer: int
    players: int
    stock: int
    hand: list[str] | None
    hands: list[int]
    up: list[list[str]]
    down: list[list[bool]]
    """By seat and slot: whether a face-down card is still there."""
    pile: list[str | None]
    """None: a card under a claim of somebody else."""
    claims: list[str] | None
    """Bluff games: the named rank of each card of the pile."""
    top: str | None
    fallen: dict[str, int]
    """Cards out of the game by rank; bluff games: those that everybody saw."""
    fallen_unseen: int
    out: list[list[int]]
    places: list[list[int]] | None
    ending: str | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class Lay:
    """One play on the pile, as a viewer sees it."""

    cards: int
    """The cards, 0 where they are hidden."""
    rank: int
    """The named or real rank."""
    count: int
    claimant: int | None
    """Who laid it face down; None for cards laid openly."""


class View(NamedTuple):
    """What a seat, or the public (`seat` None), may know. Masks of cards as in cards.py."""

    tables: Tables
    seat: int | None
    phase: Phase
    turn: int
    acting: int
    """The seats that may act, as a set."""
    answers: bool
    """Whether this seat has still to swap or to answer a claim."""
    ply: int
    dealer: int
    stock: int
    hand: int
    hands: tuple[int, ...]
    ups: tuple[int, ...]
    filled: tuple[int, ...]
    """Face-down slots that hold a card, as bits, by seat."""
    lays: tuple[int, ...]
    """The pile's entries; read them by `pile`."""
    top: int
    """Effective top by tables.py."""
    closer: int
    """The seat that may act although a claim is open."""
    fallen: int
    fallen_unseen: int
    places: tuple[tuple[int, ...], ...]
    ending: Ending | None
    drawn: bool

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.tables.rules

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def pile(self) -> list[Lay]:
        """The plays on the pile, the lowest first."""
        return [_lay(entry) for entry in self.lays]

    @property
    def on_turn(self) -> bool:
        """Whether the seat may act as on its turn."""
        if self.phase is Phase.PLAY:
            return self.seat == self.turn
        return self.phase is Phase.RESPOND and self.seat == self.closer

    @property
    def stand(self) -> Stand:
        """What the seat stands before; only where it is `on_turn`."""
        assert self.seat is not None
        stock, drawn, compiled = self.stock, self.drawn, self.tables
        if self.phase is Phase.RESPOND:
            stock, drawn = stock - max(compiled.hand_size - self.hands[self.turn], 0), False
        return Stand(
            compiled,
            self.hand,
            self.ups[self.seat],
            self.filled[self.seat],
            self.top,
            bool(self.lays),
            stock > 0,
            drawn,
        )

    def legal(self) -> list[str]:
        """The seat's legal actions as traces list them."""
        if self.phase is Phase.SWAP:
            return ["S"] if self.answers else []
        answers = ["!", "."] if self.answers else []
        return answers + (self.stand.entries() if self.on_turn else [])

    def wire(self) -> ViewDict:
        """The view as JSON."""
        slots = range(self.rules.face_down)
        groups = [list(group) for group in self.places]
        return {
            "seat": self.seat,
            "phase": self.phase.value,
            "turn": None if self.turn == NOBODY else self.turn,
            "to_act": list(SEATS[self.acting]),
            "ply": self.ply,
            "dealer": self.dealer,
            "players": self.players,
            "stock": self.stock,
            "hand": None if self.seat is None else texts(self.hand),
            "hands": list(self.hands),
            "up": [texts(row) for row in self.ups],
            "down": [[bool(filled >> slot & 1) for slot in slots] for filled in self.filled],
            "pile": [card for entry in self.lays for card in _cards(entry)],
            "claims": _claims(self.pile) if self.rules.bluff else None,
            "top": RANKS[self.top] if EMPTY < self.top <= TWO else None,
            "fallen": _by_rank(self.fallen),
            "fallen_unseen": self.fallen_unseen,
            "out": groups,
            "places": groups if self.phase is Phase.OVER else None,
            "ending": None if self.ending is None else self.ending.value,
            "drawn": self.drawn,
        }


def view(game: Game, seat: int | None) -> View:
    """What `seat` may know now; None: what everybody may."""
    lays, fallen = game.pile, game.fallen
    if game.tables.rules.bluff:
        lays, fallen = tuple(_hidden(lay, seat) for lay in lays), game.shown
    hand, ups = 0 if seat is None else game.holdings[seat] >> HOLD, game.ups
    if len(game.deck) > 56:  # two packs: which of two equal cards it is would tell where one lies
        hand, fallen = anonymous(hand), anonymous(fallen)
        ups = tuple(map(anonymous, ups))
        lays = tuple(anonymous(lay & CARDS) | lay & ~CARDS for lay in lays)
    return View(
        game.tables,
        seat,
        game.phase,
        game.turn,
        game.acting(),
        seat is not None and bool(game.waiting >> seat & 1),
        len(game.log),
        game.dealer,
        game.stock,
        hand,
        tuple([(held >> HOLD).bit_count() for held in game.holdings]),
        ups,
        game.filled,
        lays,
        game.top if game.top <= MUST or seat == game.turn else EMPTY,
        game.closer,
        fallen,
        (game.fallen & ~game.shown).bit_count() if game.tables.rules.bluff else 0,
        game.places,
        game.ending,
        game.drawn,
    )


def _hidden(lay: int, seat: int | None) -> int:
    """A pile entry as a seat may see it: of a claim by somebody else only rank and number."""
    if not lay & OP or lay >> 4 & 7 == seat:
        return lay
    return lay & OP | (lay & CARDS).bit_count() << _COUNT


def _lay(entry: int) -> Lay:
    cards, op = entry & CARDS, entry & OP
    count = cards.bit_count() or entry >> _COUNT
    return Lay(cards, op & 0xF or rank_of(cards), count, op >> 4 if op else None)


def _cards(entry: int) -> Sequence[str | None]:
    return texts(entry & CARDS) or (None,) * (entry >> _COUNT)


def _claims(pile: list[Lay]) -> list[str]:
    return [RANKS[lay.rank] for lay in pile for _ in range(lay.count)]


def _by_rank(mask: int) -> dict[str, int]:
    return {RANKS[rank]: count for rank, count in enumerate(rank_counts(mask)) if count}
