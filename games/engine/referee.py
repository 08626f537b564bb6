"""What a referee answers: may these cards be laid on what lies there, and what do they do.

Nothing is decided here: the judge is asked on a turn that is set up by hand, and what is legal is
put on the pile as in any game (rules.md sections 4 to 6).
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.actions import Said, Verb
from games.engine.cards import JOKER, THREE, TWO, mask_of, ordered_pack
from games.engine.errors import Code, IllegalAction
from games.engine.game import Game
from games.engine.holdings import holding
from games.engine.judge import on_turn
from games.engine.phases import Phase
from games.engine.rules import FirstPlayer, Opening, Rules, packs_needed
from games.engine.stand import Stand
from games.engine.tops import EMPTY, FREE, MOST, MUST, ONLY_THREES, Effect

COUNTS: Final = range(1, 5)
"""Cards laid at once: more than four do what four do."""


class Lying(NamedTuple):
    """What lies there: the effective top by tops.py, how many of it (up to `MOST`; 0 where it is no
    rank), and how many invisible 3s above it (up to `MOST`)."""

    top: int
    run: int
    threes: int


class Verdict(NamedTuple):
    """Why it is illegal, or None; what it does beside lying there."""

    code: Code | None
    effect: Effect


class Referee(Game):
    """A game in which every pile can be laid on."""

    __slots__ = ()

    def __init__(self, rules: Rules) -> None:
        packs, _ = packs_needed(rules, 2)
        super().__init__(rules, 2, 0, ordered_pack(packs, rules.jokers))
        self.phase, self.turn = Phase.PLAY, 0

    def ask(self, stock: bool, there: Lying, rank: int, count: int, row: bool = False) -> Verdict:
        """May `count` cards of a rank be laid, from the hand or else from the face-up row; in a
        bluff game: be named, from the hand."""
        self.now = self.tables.moments[stock]
        self.tops = self.now.careful
        self._stand_on(there.top, there.run)
        self.threes, self.lying = there.threes, []
        cards = tuple(8 * rank + 2 * suit for suit in range(count))
        verb = Verb.CLAIM if self.rules.bluff and not row else Verb.PLAY
        try:
            on_turn(self._stand(stock, mask_of(cards), row), Said(verb, cards, rank=rank))
        except IllegalAction as error:
            return Verdict(Code(error.code), Effect.STAYS)
        return Verdict(None, self._stack(holding(mask_of(cards)), rank, count))

    def ranks(self) -> Sequence[int]:
        """The ranks of the pack."""
        return range(THREE, JOKER + 1 if self.rules.jokers else JOKER)

    def tops_there_are(self) -> list[int]:
        """The tops that somebody can come to lay on, by these rules."""
        found = set(self._first_tops())
        ahead = list(found)
        while ahead:
            after = set(self._tops_after(ahead.pop())) - found
            found |= after
            ahead += after
        return sorted(found)

    def _first_tops(self) -> Iterator[int]:
        yield EMPTY
        rules = self.rules
        if rules.opening is Opening.DECIDING_RANK and rules.first_player is FirstPlayer.MOST_LOWEST:
            yield from range(MUST + THREE, MUST + TWO + 1)
        opening = [
            self.ask(s, Lying(EMPTY, 0, 0), r, 1) for s in (True, False) for r in self.ranks()
        ]
        if any(verdict.code for verdict in opening):
            yield FREE

    def _tops_after(self, top: int) -> Iterator[int]:
        for stock in (True, False):
            for rank in self.ranks():
                verdict = self.ask(stock, Lying(top, self.runs(top)[0], 0), rank, 1)
                if verdict.code is None and verdict.effect is Effect.STAYS:
                    yield self.top

    @staticmethod
    def runs(top: int) -> range:
        """How many of a top can be told apart."""
        return range(1, MOST + 1) if EMPTY < top < JOKER else range(1)

    def threes_on(self, top: int) -> range:
        """How many invisible 3s can lie above a top."""
        if not self.rules.invisible_threes or top in (EMPTY, FREE) or top > MUST:
            return range(1)
        return range(1 if top == ONLY_THREES else 0, MOST + 1)

    def _stand(self, stock: bool, cards: int, row: bool) -> Stand:
        hand = 0 if row else cards
        pile = EMPTY < self.here.top < FREE
        return Stand(
            self.tables, hand, cards if row else 0, 0, self.here.top, pile, stock, drawn=False
        )
