"""What a draw is made of and what comes of it: the words that all formats share.

Knows entries by number. Everything a format needs to know of the past (meetings, byes, turns at
small tables) follows from the rounds played; nothing is counted anywhere else.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations

from league.formats.grouping import Proof

Places = tuple[tuple[int, ...], ...]
Pair = frozenset[int]


@dataclass(frozen=True)
class Entrant:
    """An entry. `rank` is its seed from 1, `owner` whose bot it is, `chips` what it has so far,
    `standing` its rank in the standings so far (0: none yet), `last_loss` when it was last last
    (`formats.tallying`)."""

    number: int
    rank: int
    owner: int | None = None
    chips: int = 0
    standing: int = 0
    last_loss: int = 0


@dataclass(frozen=True)
class TableDone:
    """A table that is over: its groups from first to last, how many were to go on, its deals.

    Who is in `forfeits` did not play or was put out, and goes on from nowhere.
    """

    places: Places
    advance: int = 0
    deals: int = 1
    forfeits: frozenset[int] = frozenset()

    @property
    def order(self) -> tuple[int, ...]:
        """Everybody from first to last, who forfeits behind all others."""
        everybody = [number for group in self.places for number in group]
        return tuple(sorted(everybody, key=lambda number: number in self.forfeits))

    @property
    def last(self) -> frozenset[int]:
        """Who lost here: the last group, or who forfeits; nobody where nobody sat opposite."""
        if len(self.order) < 2:
            return frozenset()
        if self.forfeits:
            return self.forfeits
        return frozenset(self.places[-1]) if len(self.places) > 1 else frozenset()


@dataclass(frozen=True)
class Field:
    """Who is still in, the rounds so far, who may not meet, and whose seat is kept because they
    come late."""

    entrants: tuple[Entrant, ...]
    rounds: tuple[tuple[TableDone, ...], ...] = ()
    forbidden: frozenset[Pair] = frozenset()
    late: frozenset[int] = frozenset()

    @property
    def numbers(self) -> tuple[int, ...]:
        """Who is in, by number."""
        return tuple(sorted(entrant.number for entrant in self.entrants))

    @cached_property
    def known(self) -> Mapping[int, Entrant]:
        """Who is in, by number."""
        return {entrant.number: entrant for entrant in self.entrants}

    @cached_property
    def meetings(self) -> Mapping[Pair, int]:
        """How often each pair has sat together."""
        return Counter(
            frozenset(pair)
            for tables in self.rounds
            for table in tables
            for pair in combinations(table.order, 2)
        )

    @cached_property
    def byes(self) -> Mapping[int, int]:
        """How often each had a bye."""
        return Counter(t.order[0] for tables in self.rounds for t in tables if len(t.order) == 1)

    @cached_property
    def small_turns(self) -> Mapping[int, int]:
        """How often each sat at a table smaller than the biggest of its round."""
        turns: Counter[int] = Counter()
        for tables in self.rounds:
            biggest = max((len(table.order) for table in tables), default=0)
            for table in tables:
                if 1 < len(table.order) < biggest:
                    turns.update(table.order)
        return turns

    def after(self, done: tuple[TableDone, ...]) -> "Field":
        """The same field one round later."""
        return replace(self, rounds=(*self.rounds, done))

    def without(self, gone: Iterable[int]) -> "Field":
        """The same field when these have left."""
        left = frozenset(gone)
        return replace(self, entrants=tuple(e for e in self.entrants if e.number not in left))

    def on_a_night(self, there: Iterable[int], late: Iterable[int]) -> "Field":
        """The same field where only these are seated, some of whom come late."""
        return replace(self.without(set(self.numbers) - set(there)), late=frozenset(late))


@dataclass(frozen=True)
class TableDraw:
    """Entry numbers in seat order; one alone has a bye. `advance` of them go on, 0: all."""

    seats: tuple[int, ...]
    advance: int = 0


@dataclass(frozen=True)
class Cost:
    """What keeps a seating from being better, in the order in which it counts."""

    forbidden: int = 0
    same_owner: int = 0
    repeats: int = 0
    small_turns: int = 0
    late: int = 0
    """Two late ones at a table, or a table of fewer than three without its late one."""

    def to_json(self) -> dict[str, int]:
        """As a draw tells it; of late ones only where it is not as it should be."""
        wire = asdict(self)
        return wire if self.late else {name: wire[name] for name in wire if name != "late"}


@dataclass(frozen=True)
class Draw:
    """A round's tables, byes last, with their cost and how sure it is that it can't be less."""

    tables: tuple[TableDraw, ...]
    cost: Cost = Cost()
    proof: Proof = Proof.FREE


@dataclass(frozen=True)
class Outcome:
    """What a closed round makes of its entries: who is in, and the final places of who leaves.

    `over`: no round follows. Who is still in then is ranked by the standings, unless it is one.
    """

    places: Mapping[int, int] = field(default_factory=dict)
    still_in: tuple[int, ...] = ()
    over: bool = False

    @property
    def winner(self) -> int | None:
        """The only one left when it is over, if only one is."""
        return self.still_in[0] if self.over and len(self.still_in) == 1 else None
