"""A round of the game: what everybody may ask of it, and the three ways to act in it.

`play` checks what a seat says; `step` checks a code of actions.py and is quick; `push` trusts one.
What may be done is decided in stand.py and judge.py, what a viewer may know in view.py.
"""

from typing import Final

from games.engine.actions import ACCEPT, CHALLENGE, PICK_UP, parse_loose
from games.engine.board import NOBODY
from games.engine.cards import ranks_in
from games.engine.claims import SEATS, Claims
from games.engine.deal import clockwise
from games.engine.errors import Code, IllegalAction
from games.engine.judge import judge
from games.engine.phases import Phase
from games.engine.rules import FirstPlayer, Rules
from games.engine.spoken import codes_of, default_action, text_of
from games.engine.stand import Stand
from games.engine.tables import NO_PLAIN, Effect

__all__ = ["NOBODY", "SEATS", "Game"]

_PLAY: Final = Phase.PLAY
_RESPOND: Final = Phase.RESPOND
_ANSWERS: Final = (CHALLENGE, ACCEPT)
_STAYS: Final = Effect.STAYS


class Game(Claims):
    """One round. The same codes pushed on the same deal give the same game."""

    __slots__ = ()

    def __init__(self, rules: Rules, players: int, dealer: int, deck: tuple[int, ...]) -> None:
        """Deal. `deck` is the whole pack (`shuffled_deck`); raises `deal_impossible`."""
        super().__init__(rules, players, dealer, deck)
        if rules.swaps:
            self.phase = Phase.SWAP
            self.waiting = (1 << players) - 1
            if rules.first_player is FirstPlayer.LEFT_OF_DEALER:
                self.turn = self.next[dealer]
        else:
            self._begin()

    # What everybody may ask

    @property
    def ply(self) -> int:
        """Number of actions so far."""
        return len(self.log)

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, ascending."""
        return SEATS[self.acting()]

    def answer_order(self) -> tuple[int, ...]:
        """Who has still to act, in the order in which waiting answers are pushed: swaps clockwise
        from the dealer's left, answers clockwise from the claimant; in `play` the seat on turn."""
        if self.phase is Phase.PLAY:
            return (self.turn,)
        start = self.dealer if self.phase is Phase.SWAP else self.turn
        return tuple(s for s in clockwise(self.players, start) if self.waiting >> s & 1)

    def move_number(self, seat: int) -> int:
        """The number of the decision that the seat is at or comes to next, from 1."""
        return self.moves[seat]

    def stand(self) -> Stand:
        """What the seat stands before that may act as on its turn; in an open window as if the
        claim stood already (section 9). Not for `swap` and `over`."""
        seat, stock, drawn = self.turn, self.stock, self.drawn
        if self.phase is Phase.RESPOND:
            missing = self.tables.hand_size - self.hands[seat].bit_count()
            seat, stock, drawn = self.next[seat], stock - max(missing, 0), False
        return Stand(
            self.tables,
            self.hands[seat],
            self.ups[seat],
            self.filled[seat],
            self.top,
            bool(self.pile),
            stock > 0,
            drawn,
        )

    def legal(self, seat: int) -> list[str]:
        """The seat's legal actions as traces list them; empty if it may not act."""
        if self.phase is Phase.SWAP:
            return ["S"] if self.waiting >> seat & 1 else []
        answers = ["!", "."] if self.waiting >> seat & 1 else []
        on_turn = seat == self.turn if self.phase is Phase.PLAY else seat == self.closer
        return answers + (self.stand().entries() if on_turn else [])

    def check(self, seat: int, text: str) -> str:
        """The canonical form of an action that the seat may take now; raises `IllegalAction`.
        Understands `P:9x1` too."""
        return text_of(self, judge(self, seat, parse_loose(text)))[1]

    def default_action(self, seat: int) -> str:
        """What is played for a seat that does not answer (bots.md)."""
        return default_action(self, seat)

    def codes(self) -> tuple[int, ...]:
        """The shortest codes that may be pushed now: of the seat on turn, in a swap or an open
        window of the seat that answers next. Lays of the lowest cards of a rank, truthful claims of
        them, a lie of the lowest card where there is no truth to tell."""
        if self.known:
            return self.known
        if self.phase is _PLAY:
            seat, menu = self.turn, self.now.hand[self.top]
            ranks = self.ranks[seat]
            if not ranks and self.ups[seat]:
                ranks, menu = ranks_in(self.ups[seat]), self.now.row[self.top]
            if ranks:
                codes = menu.known.get(ranks & menu.fits)
                self.known = codes = menu.find(ranks) if codes is None else codes
                if codes:
                    return codes
        elif self.phase is _RESPOND:
            return _ANSWERS
        self.known = codes_of(self)
        return self.known

    # Actions

    def play(self, seat: int, text: str) -> None:
        """Take an action. Raises `IllegalAction` and changes nothing."""
        self.push(judge(self, seat, parse_loose(text)))

    def step(self, action: int) -> None:
        """Take an action out of `codes`. Raises `IllegalAction` for any other.

        Three of four actions are lays from the hand without further effect, in a game that keeps no
        story. What `flow` does with one of these stands here once more without a detour, at a
        quarter of the time (`manage.py bench engine`)."""
        top = self.top
        plain = self.plain[top].get(action)
        seat = self.turn
        if plain:
            rank, run, units, mask, lays = plain
            held = self.hands[seat]
            cards = lays.get(held & mask)
            if rank == top:
                run += self.run
            if cards and run < 4:
                log = self.log
                log.append(action)
                self.known = ()
                self.moves[seat] += 1
                self.hands[seat] = held = held ^ cards
                self.ranks[seat] -= units
                self.pile.append(cards)
                self.top, self.run = rank, run
                if self.stock or not held:
                    self._settle(seat, _STAYS)
                else:
                    self.turn = self.next[seat]
                if len(log) >= self.tables.max_plies:
                    self._cap()
                return
        elif action == PICK_UP and self.pile and self.plain is not NO_PLAIN:
            held = self.hands[seat]
            if held and (self.now.picks_up or not held & self.now.lay[top]):
                self.log.append(action)
                self.known = ()
                self.moves[seat] += 1
                self._picks_up(seat)
                if len(self.log) >= self.tables.max_plies:
                    self._cap()
                return
        legal = _ANSWERS if self.phase is _RESPOND else self.known or self.codes()
        if action not in legal:
            raise IllegalAction(Code.MALFORMED_ACTION)
        self._carry_out(action)

    def push(self, action: int) -> None:
        """Take an action that is known to be legal, by its code."""
        if action in self.plain[self.top]:
            self.step(action)
        else:
            self._carry_out(action)

    def _carry_out(self, action: int) -> None:
        self.log.append(action)
        self.known = ()
        if self.phase is _PLAY:
            self._act(action)
        elif not self._answer(action):
            self._close_window(self.next[self.turn])
            self._act(action)
        if len(self.log) >= self.tables.max_plies:
            self._cap()
