"""A competition told again by its ledger: who was in at each draw, what had been played, and by
whom with how many chips. What services read from rows is found here from the ledger alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from games.engine import competition_seed
from league.formats.field import Draw, Entrant, Field, Places, TableDone
from league.formats.folding import Fold
from league.formats.registry import FORMATS, steps_of
from league.formats.settings import Seating, Settings
from league.formats.standings import rank
from league.formats.steps import Line
from league.formats.tallying import Sums


@dataclass(frozen=True)
class Redrawn:
    """A round as the ledger has it, and as its draw comes out again; None where it can't."""

    number: int
    told: Mapping[str, Any]
    again: Mapping[str, Any] | None
    advances: tuple[int, ...]


@dataclass
class _Seated:
    """A drawn round: seats and how many go on, by table."""

    stage: int
    tables: list[tuple[tuple[int, ...], int]]
    void: bool = False


@dataclass
class Replay:
    """Fed with a document; `rounds` draws each round again from the rows before it.

    `places` are the final places that the ledger has given so far.
    """

    document: Mapping[str, Any]
    settings: Settings
    secret: bytes
    fold: Fold = field(init=False)
    still_in: set[int] = field(default_factory=set)
    places: dict[int, int | None] = field(default_factory=dict)
    _begun: bool = False
    _known: set[int] = field(default_factory=set)
    _dropped: set[int] = field(default_factory=set)
    _rounds: dict[int, _Seated] = field(default_factory=dict)
    _orders: dict[tuple[int, int], Places] = field(default_factory=dict)
    _void: set[tuple[int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.fold = Fold(self.settings)
        self._entries = {entry["number"]: entry for entry in self.document["entries"]}
        self._stages = {row["number"]: row["stage"] for row in self.document["rounds"]}
        self._plays = {number: self._player_from(number, 1) for number in self._entries}
        self._formats = {row["number"]: row["format"] for row in self.document["stages"]}

    def rounds(self) -> Iterator[Redrawn]:
        """Every round in the order in which they were drawn, void ones too."""
        for row in self.document["ledger"]:
            event, body = row["event"], row["body"]
            if event == "round.drawn":
                yield self._redraw(body)
            self._take(row["ledger_seq"], event, body)

    def _take(self, seq: int, event: str, body: Mapping[str, Any]) -> None:
        self.fold.add(seq, event, body)
        if event == "competition.state":
            self._begun = self._begun or body["state"] == "running"
        elif event == "entry.added":
            self.still_in.add(body["entry"])
            self._known.add(body["entry"])
            self.places.pop(body["entry"], None)
        elif event == "entry.dropped":
            self._drop(body)
        elif event == "entry.substituted" and "round" in body:
            self._plays[body["entry"]] = self._player_from(body["entry"], body["round"])
        elif event == "elimination":
            self._leave(body)
        elif event == "round.redrawn":
            self._rounds[body["round"]].void = True
        elif event.startswith("result."):
            self._settle((body["round"], body["table"]))

    def _player_from(self, number: int, round_number: int) -> int:
        """Who plays an entry from a round on, by the ids that the document has: the ledger's are
        those of another installation, if it was moved."""
        entry = self._entries[number]
        stints = [s["player"]["id"] for s in entry["stints"] if s["round"] <= round_number]
        return int(stints[-1] if stints else entry["player"]["id"])

    def _drop(self, body: Mapping[str, Any]) -> None:
        number = body["entry"]
        self.still_in.discard(number)
        if not self._begun:
            # Withdrawn: no row of the standings.
            self._known.discard(number)
            return
        self._dropped.add(number)
        if "place" in body:
            # Between two rounds: behind all who are still in.
            self.places[number] = len(self.still_in) + 1

    def _leave(self, body: Mapping[str, Any]) -> None:
        for number, place in body["entries"]:
            self.still_in.discard(number)
            self.places[number] = place
        for number in body.get("revoked", ()):
            # In again; or it has won, and winners are told by no elimination.
            self.places.pop(number, None)
            if number not in self._dropped:
                self.still_in.add(number)

    def _settle(self, key: tuple[int, int]) -> None:
        table = self.fold.tables.get(key)
        if table is not None and table.order():
            self._orders[key] = table.order()
            self._void.discard(key)
        elif key in self._orders and not self._decides(key[0]):
            # It was done, and none of its deals counts any more.
            self._void.add(key)

    def _decides(self, number: int) -> bool:
        return FORMATS[self._formats[self._stages[number]]].tables_decide

    def _deals(self, key: tuple[int, int]) -> Mapping[int, Places]:
        table = self.fold.tables.get(key)
        return {} if table is None else table.deals

    def _redraw(self, body: Mapping[str, Any]) -> Redrawn:
        number = body["round"]
        stage = self._stages[number]
        told = {key: value for key, value in body.items() if key != "round"}
        seed = competition_seed(self.secret, f"draw/{number}")
        drawn = self._drawn(stage, seed)
        again = None if drawn is None else _wire(drawn)
        advances = tuple(table.advance for table in drawn.tables) if drawn else ()
        if drawn is None or again != told:
            advances = self._told_advances(number)
        seats = [tuple(table) for table in body["tables"]]
        self._rounds[number] = _Seated(stage, list(zip(seats, advances, strict=True)))
        return Redrawn(number, told, again, advances)

    def _drawn(self, stage: int, seed: bytes) -> Draw | None:
        if len(self.still_in) < 2:
            return None
        return FORMATS[self._formats[stage]].draw(self._field(stage), self.settings, seed)

    def _told_advances(self, number: int) -> tuple[int, ...]:
        (row,) = [row for row in self.document["rounds"] if row["number"] == number]
        return tuple(table["advance"] for table in row["tables"])

    def _field(self, stage: int) -> Field:
        sums = self.fold.sums()
        ranks = self._ranks(sums) if self.settings.seating == Seating.STANDINGS else {}
        return Field(
            entrants=tuple(
                Entrant(
                    number=number,
                    rank=self._entries[number]["seed"] or number,
                    owner=self._entries[number]["owner"],
                    chips=sums.get(number, Sums()).chips,
                    standing=ranks.get(number, 0),
                )
                for number in sorted(self.still_in)
            ),
            rounds=tuple(
                self._done(number, drawn)
                for number, drawn in sorted(self._rounds.items())
                if drawn.stage == stage and not drawn.void
            ),
            forbidden=frozenset(self._forbidden()),
        )

    def _done(self, number: int, drawn: _Seated) -> tuple[TableDone, ...]:
        return tuple(
            TableDone(
                places=self._orders.get((number, at), (seats,)),
                advance=advance,
                deals=len(self._deals((number, at))),
            )
            for at, (seats, advance) in enumerate(drawn.tables, start=1)
            if (number, at) not in self._void
        )

    def _ranks(self, sums: Mapping[int, Sums]) -> dict[int, int]:
        lines = [
            Line(number, sums.get(number, Sums()), self.places.get(number) or 0)
            for number in self._known
        ]
        steps = steps_of(self.document["competition"]["format"], self.settings)
        ranked = rank(lines, steps, self.fold.meetings)
        return {row.line.number: at for at, row in enumerate(ranked, start=1)}

    def _forbidden(self) -> Iterator[frozenset[int]]:
        number = {self._plays[entry]: entry for entry in self.still_in}
        for one, other in self.settings.forbidden_pairs:
            if one in number and other in number and one != other:
                yield frozenset((number[one], number[other]))


def _wire(drawn: Draw) -> dict[str, Any]:
    """As the ledger tells a draw."""
    tables: Sequence[Any] = [list(table.seats) for table in drawn.tables]
    return {"tables": tables, **asdict(drawn.cost), "proof": drawn.proof.value}
