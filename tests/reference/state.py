"""A round on the table: what lies where, the deal and who begins (rules, sections 2 and 3)."""

from dataclasses import dataclass, field
from typing import Any

from tests.reference.cards import RANKS, in_order, rank


@dataclass
class Claim:
    """The claim just made: its claimant, its cards at the top of the pile, and the answers."""

    seat: int
    count: int
    asked: list[int]
    answers: dict[int, str] = field(default_factory=dict)


@dataclass
class Round:
    """Everything on the table. `named` runs beside `pile`: the rank each card counts as."""

    options: dict[str, Any]
    players: int
    dealer: int
    stock: list[str]
    hands: list[list[str]]
    up: list[list[str]]
    down: list[list[str | None]]
    phase: str = "play"
    turn: int | None = None
    pile: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    swapped: list[int] = field(default_factory=list)
    claim: Claim | None = None
    out: list[list[int]] = field(default_factory=list)
    fallen: int = 0
    ply: int = 0
    must_open: str | None = None
    drawn: bool = False
    passes: int = 0
    open_freely: bool = False
    notes: list[object] = field(default_factory=list)
    picked_up: bool = False
    events: list[str] = field(default_factory=list)

    def active(self) -> list[int]:
        """Seats that are still in the round."""
        gone = [seat for place in self.out for seat in place]
        return [seat for seat in range(self.players) if seat not in gone]

    def next_after(self, seat: int) -> int:
        """The next seat clockwise that is still in (section 1)."""
        for step in range(1, self.players + 1):
            candidate = (seat + step) % self.players
            if candidate in self.active():
                return candidate
        raise AssertionError("nobody is left")

    def blind_cards(self, seat: int) -> list[str]:
        return [card for card in self.down[seat] if card is not None]

    def cards_held(self, seat: int) -> int:
        return len(self.hands[seat]) + len(self.up[seat]) + len(self.blind_cards(seat))

    def zone(self, seat: int) -> str:
        """The current zone (section 4, Zones)."""
        if self.hands[seat]:
            return "hand"
        if self.up[seat] and not self.stock:
            return "up"
        return "down"

    def has_swap(self) -> bool:
        return bool(self.options["swap"] == "before_play" and self.options["face_up"] > 0)

    def give_turn(self, seat: int) -> None:
        """Whoever gets the turn, it is a new one (section 4)."""
        self.turn = seat
        self.drawn = False


def deal(options: dict[str, Any], players: int, dealer: int, deck: list[str]) -> Round:
    """Deal rows, then hands (sections 2.3 to 2.5), and open the first phase."""
    rest = list(deck)
    seats = [(dealer + 1 + step) % players for step in range(players)]
    down: list[list[str | None]] = [[] for _ in range(players)]
    up: list[list[str]] = [[] for _ in range(players)]
    hands: list[list[str]] = [[] for _ in range(players)]
    for _ in range(options["face_down"]):
        for seat in seats:
            down[seat].append(rest.pop(0))
    for _ in range(options["face_up"]):
        for seat in seats:
            up[seat].append(rest.pop(0))
    if options["hand_size"] == "all":
        turn = 0
        while rest:
            hands[seats[turn % players]].append(rest.pop(0))
            turn += 1
    else:
        for batch in options["hand_batches"] or [1] * options["hand_size"]:
            for seat in seats:
                for _ in range(batch):
                    hands[seat].append(rest.pop(0))
    table = Round(options, players, dealer, rest, hands, up, down)
    if table.has_swap():
        table.phase = "swap"
        if options["first_player"] == "left_of_dealer":
            table.turn = seats[0]
    else:
        begin(table)
    return table


def begin(table: Round) -> None:
    """Find the first player and the deciding rank (section 3, First player)."""
    table.phase = "play"
    seats = [(table.dealer + 1 + step) % table.players for step in range(table.players)]
    if table.options["first_player"] == "left_of_dealer":
        table.give_turn(seats[0])
        return
    for lowest in RANKS:
        numbers = [[rank(card) for card in table.hands[seat]].count(lowest) for seat in seats]
        if max(numbers) > 0:
            table.give_turn(seats[numbers.index(max(numbers))])
            if table.options["opening"] == "deciding_rank":
                table.must_open = lowest
            return
    raise AssertionError("hands of jokers only")


def position(table: Round) -> object:
    """What is compared for a stalemate (section 10)."""
    return (
        len(table.stock),
        table.turn,
        [[rank(card) for card in in_order(hand)] for hand in table.hands],
        [[rank(card) for card in in_order(row)] for row in table.up],
        [[card and rank(card) for card in row] for row in table.down],
    )
