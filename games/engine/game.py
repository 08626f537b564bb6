"""A round of the game: what everybody may ask of it, and the three ways to act in it.

`play` checks what a seat says; `step` checks a code of actions.py and is quick; `push` trusts one.
What may be done is decided in stand.py and judge.py, what a viewer may know in view.py.
"""

from collections.abc import Iterable
from typing import Final

from games.engine.actions import ACCEPT, BLIND, CHALLENGE, PICK_UP, parse_loose
from games.engine.board import NOBODY
from games.engine.claims import SEATS, Claims
from games.engine.deal import clockwise
from games.engine.errors import Code, IllegalAction
from games.engine.holdings import HOLD, HOLDING
from games.engine.judge import judge
from games.engine.phases import Phase
from games.engine.rules import FirstPlayer, Rules
from games.engine.spoken import BLINDS, codes_of, default_action, text_of
from games.engine.stand import Stand
from games.engine.tops import EMPTY

__all__ = ["NOBODY", "SEATS", "Game"]

_PLAY: Final = Phase.PLAY
_RESPOND: Final = Phase.RESPOND
_ANSWERS: Final = (CHALLENGE, ACCEPT)


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
            missing = self.tables.hand_size - (self.holdings[seat] >> HOLD).bit_count()
            seat, stock, drawn = self.next[seat], stock - max(missing, 0), False
        return Stand(
            self.tables,
            self.holdings[seat] >> HOLD,
            self.rows[seat] >> HOLD,
            self.filled[seat],
            self.top,
            bool(self.lying),
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
        return self.judged(seat, text)[1]

    def judged(self, seat: int, text: str) -> tuple[int, str]:
        """The code to push for an action, and its canonical form; raises `IllegalAction`."""
        code = judge(self, seat, parse_loose(text))
        return code, text_of(self, code)[1]

    def default_action(self, seat: int) -> str:
        """What is played for a seat that does not answer (bots.md)."""
        return default_action(self, seat)

    def codes(self) -> tuple[int, ...]:  # noqa: PLR0911, a hot loop
        """The shortest codes that may be pushed now: of the seat on turn, in a swap or an open
        window of the seat that answers next. Lays of the lowest cards of a rank, truthful claims of
        them, a lie of the lowest card where there is no truth to tell."""
        if self.phase is not _PLAY:
            return _ANSWERS if self.phase is _RESPOND else codes_of(self)
        seat = self.turn
        held = self.holdings[seat]
        if held:
            menu = self.here.hand
            ranks = held & menu.fits
        elif self.rows[seat]:
            menu = self.here.row
            ranks = self.rows[seat] & menu.fits
        else:
            slots = BLINDS[self.filled[seat]]
            return (*slots, PICK_UP) if self.lying and self.now.picks_up else slots
        if not ranks:
            return menu.stuck or codes_of(self)
        try:
            if not menu.low:
                return menu.ends[ranks]
            lays = menu.lays
            if not menu.middle:
                return lays[ranks & menu.low] + menu.ends[ranks & menu.high]
            return lays[ranks & menu.low] + lays[ranks & menu.middle] + menu.ends[ranks & menu.high]
        except KeyError:
            return menu.learn(ranks)

    # Actions

    def play(self, seat: int, text: str) -> None:
        """Take an action. Raises `IllegalAction` and changes nothing."""
        self.push(judge(self, seat, parse_loose(text)))

    def step(self, action: int) -> None:  # noqa: PLR0912, a hot loop
        """Take an action out of `codes`. Raises `IllegalAction` for any other.

        Three of four actions are lays, a fifth picks up. What flow.py does with these stands here
        once more without a detour, for a game that keeps no story, at a third of the time
        (`manage.py bench engine`); so do claims and answers in `_bluffs`."""
        if action < BLIND:
            quick = self.here.quick.get(action)
            if quick:
                after, effect, at, lays = quick
                seat = self.turn
                holdings = self.holdings
                held = holdings[seat]
                laid = lays[(held or self.rows[seat]) >> at & 0xFF]
                if laid:
                    self.log.append(action)
                    self.moves[seat] += 1
                    self.lying.append(laid)
                    self.here = after
                    if held:
                        holdings[seat] = held = held - laid
                    else:
                        self._spend(seat, laid)
                    if effect or not (held or self.rows[seat] or self.filled[seat]):
                        self._settle(seat, effect)
                        self._cap()
                    else:
                        if self.stock:
                            self._refill(seat)
                        self.turn = self.next[seat]
                    return
        elif action == PICK_UP:
            seat = self.turn
            holdings = self.holdings
            held = holdings[seat]
            zone = held or self.rows[seat]
            if zone and not zone & self.here.bars and self.phase is _PLAY:
                self.log.append(PICK_UP)
                self.moves[seat] += 1
                holdings[seat] = held + (sum(self.lying) & HOLDING)
                self.lying = []
                self.here = self.tops[EMPTY][0]
                self.turn = self.next[seat]
                self._note()
                if len(self.log) >= self.tables.wary:
                    self._cap()
                return
        elif action >= CHALLENGE and self._bluffs(action):
            return
        if action not in self.codes():
            raise IllegalAction(Code.MALFORMED_ACTION)
        self._carry_out(action)

    def push(self, action: int) -> None:
        """Take an action that is known to be legal, by its code."""
        quick = self.here.quick
        if quick and (action in quick or action == PICK_UP) and self.phase is _PLAY:
            self.step(action)
        else:
            self._carry_out(action)

    def replay(self, actions: Iterable[int]) -> None:
        """`push` each of them.

        Eight plies of ten lay a part of the hand and do nothing else, or pick up: they stand here
        as in `step`, in one loop, in two thirds of the time (`manage.py bench api`)."""
        holdings, moves, log = self.holdings, self.moves, self.log
        for action in actions:
            quick = self.here.quick
            if action in quick and action < BLIND:
                after, effect, at, lays = quick[action]
                seat = self.turn
                held = holdings[seat]
                laid = lays[held >> at & 0xFF]
                if laid and laid != held and not effect:
                    log.append(action)
                    moves[seat] += 1
                    self.lying.append(laid)
                    self.here = after
                    holdings[seat] = held - laid
                    if self.stock:
                        self._refill(seat)
                    self.turn = self.next[seat]
                else:
                    self.step(action)
            elif action == PICK_UP and quick and self.phase is _PLAY:
                self.step(action)
            else:
                self._carry_out(action)

    def _carry_out(self, action: int) -> None:
        self.log.append(action)
        if self.phase is _PLAY:
            self._act(action)
        elif not self._answer(action):
            self._close_window(self.next[self.turn])
            self._act(action)
        self._cap()
