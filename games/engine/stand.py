"""What the seat on turn stands before, and what it may do there (rules.md sections 4, 5, 7).

The one place that decides which actions there are: lists of legal actions, the judge of error codes
and the default action all ask it, from a game or from a view alike.
"""

from enum import Enum
from typing import NamedTuple

from games.engine.cards import RANK_MASK, RANKS, rank_of
from games.engine.rules import PickUp, Rules, StockChance
from games.engine.tables import Tables


class Zone(Enum):
    """Where a seat plays from (`zone_order`)."""

    HAND = 0
    UP = 1
    DOWN = 2


class Stand(NamedTuple):
    """A seat's turn, seen from the seat: nothing hidden is in it."""

    tables: Tables
    hand: int
    row: int
    slots: int
    """Face-down slots that still hold a card, as bits."""
    top: int
    pile: bool
    """Whether any card lies on the pile."""
    stock: bool
    """Whether any card is left in the stock."""
    drawn: bool

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.tables.rules

    @property
    def zone(self) -> Zone:
        """Where the seat plays from."""
        if self.hand:
            return Zone.HAND
        return Zone.UP if self.row else Zone.DOWN

    @property
    def claims(self) -> bool:
        """Whether cards go down under a claim: from the hand, in a bluff game."""
        return self.rules.bluff and self.hand != 0

    @property
    def fits(self) -> int:
        """All cards of the pack that may be laid now."""
        return self.tables.lay[self.stock][self.top]

    @property
    def playable(self) -> int:
        """The cards of the current zone that may be laid; in a bluff hand: truthfully."""
        return (self.hand or self.row) & self.fits

    @property
    def namable(self) -> list[int]:
        """The ranks that a claim may name."""
        return [rank for rank in self.tables.claimable if self.fits & RANK_MASK[rank]]

    @property
    def able(self) -> bool:
        """Whether a card of the current zone may be laid. A face-down card may always be tried."""
        return self.claims or self.zone is Zone.DOWN or self.playable != 0

    @property
    def may_pick_up(self) -> bool:
        """Whether `U` is legal."""
        if not self.pile:
            return False
        return self.rules.pick_up is PickUp.ANY_TIME or not self.able

    @property
    def may_chance(self) -> bool:
        """Whether `X` is legal."""
        chance = self.rules.stock_chance is StockChance.WHEN_STUCK
        return chance and self.pile and self.stock and not self.able

    @property
    def may_draw(self) -> bool:
        """Whether `D` is legal."""
        return self.rules.draw_first and not self.drawn and self.stock and self.zone is Zone.HAND

    @property
    def may_pass(self) -> bool:
        """Whether `-` is legal."""
        return not self.pile and not self.able and not self.may_draw

    def entries(self) -> list[str]:
        """The legal actions in the short notation of traces, sorted by code point."""
        found: list[str] = []
        if self.claims:
            found += [f"C:{RANKS[rank]}" for rank in self.namable]
        elif self.zone is Zone.DOWN:
            found.append("B")
        else:
            found += self._plays()
        found += [mark for mark, may in zip("UXD-", self._others(), strict=True) if may]
        return sorted(found)

    def _others(self) -> tuple[bool, bool, bool, bool]:
        return self.may_pick_up, self.may_chance, self.may_draw, self.may_pass

    def _plays(self) -> list[str]:
        found = []
        rest = self.playable
        while rest:
            rank = rank_of(rest)
            group = rest & RANK_MASK[rank]
            rest ^= group
            most = 1 if rank in self.tables.single else group.bit_count()
            found += [f"P:{RANKS[rank]}x{count}" for count in range(1, most + 1)]
        return found
