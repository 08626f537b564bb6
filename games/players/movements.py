"""Where hidden cards may have gone in a bluff game, and one way in which they may have.

A *token* is one card of the pack. A *place* is a hand, a source of clues.py, or the cards of one
claim; place 0 is wherever the viewer sees the card. Each step of the clues moves hidden tokens from
place to place; between two steps every token has one place: a *lane*.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.players.clues import Clues, Step
from games.players.matching import bits, placed

SEEN: Final = 0
_TRIES: Final = 200


class NoHistoryError(Exception):
    """No way was found in which the cards may have moved."""


@dataclass
class Move:
    """What one step did to hidden tokens; read backwards to find where they came from."""

    into: int = SEEN
    """The place that tokens went to."""
    out_of: dict[int, int] = field(default_factory=dict)
    """Places that tokens came from, and how many hidden ones of each."""
    before: dict[int, int] = field(default_factory=dict)
    """Of these places: which tokens may have been there, as sets."""
    lost: list[int] = field(default_factory=list)
    """Tokens that were seen until now."""
    found: dict[int, int] = field(default_factory=dict)
    """Tokens that are seen from now on: where they were just before."""
    taken: list[int] = field(default_factory=list)
    """Tokens that the viewer took out of `out_of`."""


@dataclass
class Movements:
    """All moves of a game, the seats' hands and claims as places."""

    clues: Clues
    tokens: list[int] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    claim_lanes: dict[int, int] = field(default_factory=dict)
    """By claim of somebody else: the lane after it."""
    seen: int = 0
    """The tokens seen now."""
    start_seen: int = 0
    may: dict[int, int] = field(default_factory=dict)
    """By place: the tokens that may be there now."""
    room: dict[int, int] = field(default_factory=dict)
    """By place: how many hidden tokens are there now."""
    labels: dict[int, int] = field(default_factory=dict)
    """Seen tokens that lie under a claim: the claim's place."""

    @property
    def me(self) -> int:
        """The viewer's seat."""
        seat = self.clues.view.seat
        assert seat is not None
        return seat

    def hand(self, seat: int) -> int:
        """The place of a hand."""
        return 1 + seat

    def source(self, number: int) -> int:
        """The place of a source: a dealt hand is the hand."""
        source = self.clues.sources[number]
        if source.seat is not None and source.at == 0:
            return self.hand(source.seat)
        return 8 + number

    def claim(self, number: int) -> int:
        """The place of a claim's cards."""
        return 8 + len(self.clues.sources) + number


def follow(clues: Clues) -> Movements:
    """Read the steps forward: what may be where."""
    found = Movements(clues)
    _start(found)
    for step in clues.steps:
        move = _READ[step.kind](found, step)
        found.moves.append(move)
    return found


def _start(m: Movements) -> None:
    left = list(m.clues.pack)
    for card in m.clues.fixed.values():
        left.remove(card)
    m.tokens = [*m.clues.fixed.values(), *left]
    m.seen = m.start_seen = (1 << len(m.clues.fixed)) - 1
    hidden = (1 << len(m.tokens)) - 1 & ~m.seen
    for number, source in enumerate(m.clues.sources):
        m.may[m.source(number)] = hidden
        m.room[m.source(number)] = len(source.positions)


def _draw(m: Movements, step: Step) -> Move:
    place, source = m.hand(step.seat), m.source(step.number)
    return _pour(m, place, [source])


def _pour(m: Movements, into: int, places: Iterable[int], lost: Sequence[int] = ()) -> Move:
    """All hidden tokens of some places go into one."""
    out_of = {place: m.room[place] for place in places if m.room.get(place)}
    before = {place: m.may.get(place, 0) for place in (*out_of, into)}
    move = Move(into, out_of, before, list(lost))
    for place in out_of:
        m.may[into] = m.may.get(into, 0) | m.may.pop(place)
        m.room[into] = m.room.get(into, 0) + m.room.pop(place)
    _hide(m, into, lost)
    return move


def _hide(m: Movements, into: int, lost: Iterable[int]) -> None:
    for token in lost:
        m.seen &= ~(1 << token)
        m.labels.pop(token, None)
        m.may[into] = m.may.get(into, 0) | 1 << token
        m.room[into] = m.room.get(into, 0) + 1


def _claim(m: Movements, step: Step) -> Move:
    place = m.claim(step.number)
    if step.seat == m.me:
        for card in step.cards:
            m.labels[_seen_token(m, card)] = place
        return Move()
    hand, count = m.hand(step.seat), m.clues.claims[step.number].count
    m.may[place] = m.may.get(hand, 0)
    m.room[place] = count
    m.room[hand] = m.room.get(hand, 0) - count
    m.claim_lanes[step.number] = len(m.moves) + 1
    return Move(into=place, out_of={hand: count})


def _reveal(m: Movements, step: Step) -> Move:
    place = m.claim(step.number)
    known = [m.tokens[token] for token, label in m.labels.items() if label == place]
    move = Move()
    for card in step.cards:
        if card in known:
            known.remove(card)
        else:
            token = _show(m, card, place)
            move.found[token] = place
            m.labels[token] = place
    return move


def _show(m: Movements, card: int, place: int) -> int:
    """A hidden token of that card turns out to be at a place."""
    token = next((t for t in bits(m.may.get(place, 0)) if m.tokens[t] == card), None)
    if token is None:
        raise NoHistoryError
    _see(m, token)
    m.room[place] -= 1
    return token


def _see(m: Movements, token: int) -> None:
    m.seen |= 1 << token
    for place in m.may:
        m.may[place] &= ~(1 << token)


def _take(m: Movements, step: Step) -> Move:
    places = [m.claim(number) for number in step.claims]
    known = [token for token, label in m.labels.items() if label in places]
    if step.seat == m.me:
        return _take_oneself(m, step, places, known)
    openly = [_seen_token(m, card) for card in step.cards]
    return _arrived(m, _pour(m, m.hand(step.seat), places, [*known, *_distinct(m, openly)]))


def _distinct(m: Movements, tokens: Sequence[int]) -> list[int]:
    """Of equal cards each its own token."""
    used: list[int] = []
    for token in tokens:
        same = (t for t in bits(m.seen) if m.tokens[t] == m.tokens[token])
        used.append(next(t for t in same if t not in used and t not in m.labels))
    return used


def _arrived(m: Movements, move: Move) -> Move:
    """What was seen to go into a hand is there for certain, for now."""
    for token in move.lost:
        for place in m.may:
            if place != move.into:
                m.may[place] &= ~(1 << token)
    return move


def _take_oneself(m: Movements, step: Step, places: list[int], known: list[int]) -> Move:
    out_of = {place: m.room[place] for place in places if m.room.get(place)}
    before = {place: m.may[place] for place in out_of}
    move = Move(SEEN, out_of, before)
    cards = list(step.cards)
    for token in known:
        cards.remove(m.tokens[token])
        del m.labels[token]
    for place in out_of:
        m.room.pop(place)
    hidden = {place: m.may.pop(place) for place in out_of}
    anywhere = 0
    for mask in hidden.values():
        anywhere |= mask
    _take_hidden(m, move, cards, anywhere)
    return move


def _take_hidden(m: Movements, move: Move, cards: list[int], anywhere: int) -> None:
    """Of the cards taken those that were hidden; the others lay openly."""
    wanted = sum(move.out_of.values())
    for token in bits(anywhere):
        if len(move.taken) < wanted and m.tokens[token] in cards:
            cards.remove(m.tokens[token])
            move.taken.append(token)
    if len(move.taken) < wanted:
        raise NoHistoryError
    for token in move.taken:
        _see(m, token)


def _shown_card(m: Movements, step: Step) -> Move:
    place = m.hand(step.seat)
    return Move(found={_show(m, card, place): place for card in step.cards})


def _gain(m: Movements, step: Step) -> Move:
    tokens = _distinct(m, [_seen_token(m, card) for card in step.cards])
    return _arrived(m, _pour(m, m.hand(step.seat), [], tokens))


def _seen_token(m: Movements, card: int) -> int:
    """A token of that card in sight, not under a claim."""
    for token in bits(m.seen):
        if m.tokens[token] == card and token not in m.labels:
            return token
    raise NoHistoryError


_READ = {
    "draw": _draw,
    "claim": _claim,
    "reveal": _reveal,
    "take": _take,
    "show": _shown_card,
    "gain": _gain,
}


def history_of(m: Movements, rng: random.Random) -> list[list[int]]:
    """Some way in which it may all have happened: by token its place in each lane. Raises
    `NoHistoryError`."""
    for _ in range(_TRIES):
        lanes = _traced_back(m, rng)
        if lanes is not None:
            return lanes
    raise NoHistoryError


def _traced_back(m: Movements, rng: random.Random) -> list[list[int]] | None:
    """From now back to the deal; None if it runs into a contradiction."""
    at = _assigned(m.may, m.room, [t for t in range(len(m.tokens)) if not m.seen >> t & 1], rng)
    if at is None:
        return None
    lanes = [at]
    for move in reversed(m.moves):
        at = _before(move, at, rng)
        if at is None:
            return None
        lanes.append(at)
    lanes.reverse()
    return [[lane.get(token, SEEN) for lane in lanes] for token in range(len(m.tokens))]


def _before(move: Move, after: dict[int, int], rng: random.Random) -> dict[int, int] | None:
    at = {**after, **move.found}
    for token in move.lost:
        if at.pop(token, None) != move.into:
            return None
    if len(move.before) == 0:
        for token, place in at.items():
            if move.out_of and place == move.into:
                (at[token],) = move.out_of
        return at
    there = move.taken or [token for token, place in at.items() if place == move.into]
    room = dict(move.out_of)
    if not move.taken:
        room[move.into] = len(there) - sum(room.values())
    if min(room.values(), default=0) < 0:
        return None
    back = _assigned(move.before, room, there, rng)
    return None if back is None else {**at, **back}


def _assigned(
    may: dict[int, int], room: dict[int, int], tokens: Sequence[int], rng: random.Random
) -> dict[int, int] | None:
    """Tokens to places that have room for them, at random but so that it works out."""
    places = [place for place in room if room[place]]
    rng.shuffle(places)
    allowed = [
        sum(1 << n for n, place in enumerate(places) if may[place] >> token & 1) for token in tokens
    ]
    order = list(range(len(tokens)))
    rng.shuffle(order)
    order.sort(key=lambda index: allowed[index].bit_count())
    at = placed(allowed, [room[place] for place in places], order)
    if at is None or sum(room.values()) != len(tokens):
        return None
    return {token: places[n] for token, n in zip(tokens, at, strict=True)}
