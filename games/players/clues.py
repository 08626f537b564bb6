"""What a seat can tell of the hidden cards, gathered from its view and its events.

A *source* is a place where cards come from unseen: a dealt hand, one drawing from the stock, one
face-down card, the rest of the stock. Which cards came from which is left to the samplers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from games.engine.cards import BIT, RANK_MASK, RANKS, cards_in, ordered_pack, parse_card
from games.engine.deal import clockwise, deal, most_lowest
from games.engine.history import EventDict
from games.engine.rules import FirstPlayer, Opening, PickUp, packs_needed
from games.engine.tops import EMPTY, MUST, ONLY_THREES
from games.engine.view import View

_FIRST: Final = 8
"""Deck positions are dealt as if they were cards: the first card is 8."""


@dataclass(frozen=True)
class Source:
    """Where hidden cards come from."""

    seat: int | None
    """Whose hand they come to; None: they still lie where they were dealt."""
    at: int
    """The event with which they come."""
    positions: tuple[int, ...]
    """In the deck, card 0 first."""


class Shown(NamedTuple):
    """A card hidden in a hand until an event showed it."""

    card: int
    seat: int
    at: int


class Stuck(NamedTuple):
    """A seat that had none of these cards in its hand at an event."""

    seat: int
    at: int
    fits: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A play under a claim; `cards` are empty where they were somebody else's."""

    number: int
    seat: int
    rank: int
    count: int
    cards: tuple[int, ...]


class Step(NamedTuple):
    """How hidden cards may have moved in a bluff game; see hidden_claims.py."""

    kind: str
    """draw, claim, take, reveal (a claim), show (a hand's card), gain (a card seen to come)."""
    seat: int
    number: int = 0
    """Of the source drawn from, or of the claim."""
    cards: tuple[int, ...] = ()
    claims: tuple[int, ...] = ()
    """Taken with the pile."""


@dataclass
class Clues:
    """All that is known. Cards are first copies: which of two equal ones it is does not matter."""

    view: View
    pack: tuple[int, ...]
    """All cards of the deck, in no order."""
    fixed: dict[int, int] = field(default_factory=dict)
    """Position in the deck: the card that lay there."""
    sources: list[Source] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    stuck: list[Stuck] = field(default_factory=list)
    known: list[list[int]] = field(default_factory=list)
    """By seat: cards known to be in the hand (without bluff)."""
    actions: list[tuple[int, str | Claim]] = field(default_factory=list)
    """What everybody did, in the notation of records; cards of claims are still to be filled in."""
    claims: list[Claim] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    swaps: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    """By seat: cards given and taken before play."""
    first: int | None = None
    """Who played first, where the hands decide that."""
    slots: dict[tuple[int, int], int] = field(default_factory=dict)
    """(Seat, slot) of a face-down card: its position in the deck."""
    deciding: int = 0
    """The deciding rank, where it is known."""
    dealt: list[int] = field(default_factory=list)
    """The viewer's own hand as dealt."""

    @property
    def size(self) -> int:
        """Cards in the deck."""
        return len(self.pack)

    def begins_so(self, hands: Sequence[int]) -> bool:
        """Whether play begins as it did, with these hands as dealt (masks, by seat)."""
        if self.first is None:
            return True
        after = [self._swapped(seat, hand) for seat, hand in enumerate(hands)]
        seat, rank = most_lowest(after, self.view.dealer)
        return seat == self.first and self.deciding in (0, rank)

    def misfit(self, hands: Sequence[int]) -> int:
        """How far play is from beginning as it did: 0 if it does, else about so many cards."""
        assert self.first is not None
        after = [self._swapped(seat, hand) for seat, hand in enumerate(hands)]
        rank = self.deciding or most_lowest(after, self.view.dealer)[1]
        counts = [(hand & RANK_MASK[rank]).bit_count() for hand in after]
        order = clockwise(len(hands), self.view.dealer)
        before = set(order[: order.index(self.first)])
        return (
            sum((hand & RANK_MASK[r]).bit_count() for hand in after for r in range(1, rank))
            + sum(max(0, n + (s in before) - counts[self.first]) for s, n in enumerate(counts))
            + (not counts[self.first])
        )

    def _swapped(self, seat: int, hand: int) -> int:
        given, taken = self.swaps.get(seat, ([], []))
        for card in given:
            hand &= ~(BIT[card] << 1 if hand & BIT[card] << 1 else BIT[card])
        for card in taken:
            hand |= BIT[card] << 1 if hand & BIT[card] else BIT[card]
        return hand


def gather(view: View, events: Sequence[EventDict], pack: tuple[int, ...] | None = None) -> Clues:
    """Read all events since the deal; `pack` where it is not the one that the rules prescribe."""
    reader = _Reader(view, pack or _prescribed(view))
    for at, event in enumerate(events):
        reader.read(at, event)
    return reader.finish()


def _prescribed(view: View) -> tuple[int, ...]:
    packs, _ = packs_needed(view.rules, view.players)
    return tuple(card & ~1 for card in ordered_pack(packs, view.rules.jokers))


class _Open(NamedTuple):
    """One play on the pile, as seen while reading."""

    rank: int
    cards: tuple[int, ...]
    claim: int | None


class _Reader:
    """Follows the events; each kind of event has its method."""

    def __init__(self, view: View, pack: tuple[int, ...]) -> None:
        assert view.seat is not None
        size = len(pack)
        self.clues = Clues(view, pack, known=[[] for _ in range(view.players)])
        self._me, self._rules = view.seat, view.rules
        dealt = deal(view.rules, view.players, view.dealer, range(_FIRST, _FIRST + size))
        self._downs = [down.to_bytes(8, "little") for down in dealt.downs]
        self._ups = [list(cards_in(row)) for row in dealt.ups]
        self._hands = [list(cards_in(hand)) for hand in dealt.hands]
        self._at = dealt.at
        self._held = [len(hand) for hand in self._hands]
        self._pile: list[_Open] = []
        self._opened = False
        self._read: Mapping[str, Callable[[int, EventDict], None]] = {
            "deal": self._deal,
            "swap": self._swap,
            "play": self._play,
            "claim": self._claim,
            "blind": self._blind,
            "blind_failed": self._blind,
            "chance": self._chance,
            "chance_failed": self._chance,
            "draw_first": self._draw_first,
            "drew": self._drew,
            "pick_up": self._pick_up,
            "fed": self._take_event,
            "lie": self._shown_claim,
            "truth": self._shown_claim,
            "fall": self._fall,
            "pass": self._pass,
            "accept": self._accept,
            "challenge": self._challenge,
        }

    def read(self, at: int, event: EventDict) -> None:
        handler = self._read.get(event["event"])
        if handler is not None:
            handler(at, event)

    def finish(self) -> Clues:
        """Add what still lies unseen, and what the view alone tells."""
        clues, view = self.clues, self.clues.view
        for seat, slots in enumerate(self._downs):
            for slot in range(view.rules.face_down):
                if view.filled[seat] >> slot & 1:
                    clues.slots[seat, slot] = slots[slot] - _FIRST
                    clues.sources.append(Source(None, 0, (slots[slot] - _FIRST,)))
        if view.stock:
            clues.sources.append(Source(None, 0, tuple(range(self._at, clues.size))))
        if view.rules.first_player is FirstPlayer.MOST_LOWEST and clues.first is None:
            clues.first = view.turn if not view.answers else None
        if view.top > MUST and view.seat == view.turn:
            clues.deciding = view.top - MUST
        return clues

    # Events

    def _deal(self, at: int, event: EventDict) -> None:
        for seat, positions in enumerate(self._ups):
            self._fix([p - _FIRST for p in positions], event["up"][seat])
        for seat, hand in enumerate(self._hands):
            places = [p - _FIRST for p in hand]
            if seat == self._me:
                self._fix(places, event["cards"])
                self.clues.dealt = _cards(event, "cards")
            else:
                self.clues.sources.append(Source(seat, at, tuple(places)))

    def _swap(self, at: int, event: EventDict) -> None:
        seat = event["seat"]
        given, taken = _cards(event, "cards"), _cards(event, "taken")
        self._did(seat, f"S:{''.join(event['cards'])}/{''.join(event['taken'])}")
        self.clues.swaps[seat] = given, taken
        if seat != self._me:
            self._leave_hand(at, seat, given)
            self.clues.known[seat] += taken
            self._step("gain", seat, cards=tuple(taken))

    def _play(self, at: int, event: EventDict) -> None:
        seat, cards = event["seat"], _cards(event, "cards")
        self._began(seat, cards[0] >> 3)
        self._did(seat, "P:" + "".join(event["cards"]))
        if self._held[seat]:
            self._held[seat] -= len(cards)
            if seat != self._me:
                self._leave_hand(at, seat, cards)
        self._pile.append(_Open(cards[0] >> 3, tuple(cards), None))

    def _claim(self, at: int, event: EventDict) -> None:
        seat, rank = event["seat"], RANKS.index(event["rank"])
        self._began(seat, rank)
        cards = tuple(_cards(event, "cards")) if seat == self._me else ()
        claim = Claim(len(self.clues.claims), seat, rank, event["count"], cards)
        self.clues.claims.append(claim)
        self.clues.actions.append((seat, claim))
        self._held[seat] -= claim.count
        self._pile.append(_Open(rank, cards, claim.number))
        self._step("claim", seat, claim.number, cards)

    def _blind(self, at: int, event: EventDict) -> None:
        seat, slot = event["seat"], event["slot"]
        self._did(seat, f"B:{slot}")
        self._fix([self._downs[seat][slot] - _FIRST], event["cards"])
        self._turned(seat, event)

    def _chance(self, at: int, event: EventDict) -> None:
        seat = event["seat"]
        self._is_stuck(at, seat)
        self._did(seat, "X")
        self._fix([self._at], event["cards"])
        self._at += 1
        self._turned(seat, event)

    def _turned(self, seat: int, event: EventDict) -> None:
        """A card that nobody knew fits, or goes to the hand with the pile."""
        (card,) = _cards(event, "cards")
        if event["event"].endswith("failed"):
            self._gain(seat, [card])
            self._take(seat, _cards(event, "taken"))
        else:
            self._pile.append(_Open(card >> 3, (card,), None))

    def _draw_first(self, at: int, event: EventDict) -> None:
        self._began(event["seat"])
        self._did(event["seat"], "D")
        self._drew(at, event)

    def _drew(self, at: int, event: EventDict) -> None:
        seat, count = event["seat"], event["count"]
        positions = tuple(range(self._at, self._at + count))
        self._at += count
        self._held[seat] += count
        if seat == self._me:
            self._fix(positions, event["cards"])
            return
        self._step("draw", seat, len(self.clues.sources))
        self.clues.sources.append(Source(seat, at, positions))

    def _pick_up(self, at: int, event: EventDict) -> None:
        if self._rules.pick_up is PickUp.WHEN_STUCK:
            self._is_stuck(at, event["seat"])
        self._did(event["seat"], "U")
        self._take_event(at, event)

    def _take_event(self, at: int, event: EventDict) -> None:
        self._take(event["seat"], _cards(event, "cards"))

    def _shown_claim(self, at: int, event: EventDict) -> None:
        number = self._pile[-1].claim
        assert number is not None
        cards = tuple(_cards(event, "cards"))
        self._step("reveal", self._me, number, cards)
        self._pile[-1] = self._pile[-1]._replace(cards=cards)
        if event["count"]:
            self._take(event["seat"], _cards(event, "taken"))

    def _fall(self, at: int, event: EventDict) -> None:
        self._pile.clear()

    def _pass(self, at: int, event: EventDict) -> None:
        self._began(event["seat"])
        self._is_stuck(at, event["seat"])
        self._did(event["seat"], "-")

    def _accept(self, at: int, event: EventDict) -> None:
        self._did(event["seat"], ".")

    def _challenge(self, at: int, event: EventDict) -> None:
        self._did(event["seat"], "!")

    # What they mean

    def _fix(self, positions: Sequence[int], cards: Sequence[str]) -> None:
        for position, card in zip(positions, cards, strict=True):
            self.clues.fixed[position] = parse_card(card)

    def _did(self, seat: int, action: str) -> None:
        self.clues.actions.append((seat, action))

    def _step(
        self,
        kind: str,
        seat: int,
        number: int = 0,
        cards: tuple[int, ...] = (),
        claims: tuple[int, ...] = (),
    ) -> None:
        self.clues.steps.append(Step(kind, seat, number, cards, claims))

    def _began(self, seat: int, rank: int | None = None) -> None:
        """Note who played first, and the first rank laid."""
        clues, rules = self.clues, self._rules
        if rules.first_player is not FirstPlayer.MOST_LOWEST:
            return
        if clues.first is None:
            clues.first = seat
        if rank is not None and not self._opened:
            self._opened = True
            clues.deciding = rank if rules.opening is Opening.DECIDING_RANK else 0

    def _leave_hand(self, at: int, seat: int, cards: Sequence[int]) -> None:
        """Cards are seen to leave somebody else's hand: known ones first."""
        known = self.clues.known[seat]
        for card in cards:
            if card in known and not self._rules.bluff:
                known.remove(card)
            else:
                self.clues.shown.append(Shown(card, seat, at))
        self._step("show", seat, cards=tuple(cards))

    def _gain(self, seat: int, cards: Sequence[int]) -> None:
        self._held[seat] += len(cards)
        if seat != self._me:
            self.clues.known[seat] += cards
            self._step("gain", seat, cards=tuple(cards))

    def _take(self, seat: int, cards: Sequence[int]) -> None:
        """The pile goes to a hand; `cards` are empty where they were not seen."""
        size = sum(len(play.cards) or self._count(play) for play in self._pile)
        self._held[seat] += size
        openly = [card for play in self._pile if play.claim is None for card in play.cards]
        claims = tuple(play.claim for play in self._pile if play.claim is not None)
        if seat != self._me:
            self.clues.known[seat] += cards or openly
        told = tuple(cards) if seat == self._me else tuple(openly)
        self._step("take", seat, cards=told, claims=claims)
        self._pile.clear()

    def _count(self, play: _Open) -> int:
        return 0 if play.claim is None else self.clues.claims[play.claim].count

    def _is_stuck(self, at: int, seat: int) -> None:
        """Nothing in the seat's hand could be laid, if it played from the hand."""
        if seat == self._me or not self._held[seat] or self._rules.bluff:
            return
        stock = self._at < self.clues.size
        fits = self.clues.view.tables.lay[stock][self._top()]
        self.clues.stuck.append(Stuck(seat, at, fits))

    def _top(self) -> int:
        """The effective top."""
        invisible = self._rules.invisible_threes
        for play in reversed(self._pile):
            if play.rank != 1 or not invisible:
                return play.rank
        return ONLY_THREES if self._pile else EMPTY


def _cards(event: EventDict, key: str) -> list[int]:
    texts: Sequence[str] = event.get(key, ())  # type: ignore[assignment]
    return [parse_card(text) for text in texts]
