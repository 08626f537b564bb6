"""States of the game that give exactly what a seat sees, guessed at random without end.

The first is played again from the deal, each action checked; the others differ from it only in
what is hidden.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final, Protocol

from games.engine.cards import RANKS, card_text, mask_of, parse_cards
from games.engine.game import Game
from games.engine.holdings import COUNTS, holding
from games.players.clues import Claim, Clues
from games.players.hidden_claims import ClaimSampler
from games.players.sampler import Sampler

_ONE_PACK: Final = 56


def states(clues: Clues, rng: random.Random) -> Iterator[Game]:
    """Without end. Raises `NoSampleError` or `NoHistoryError`."""
    if clues.view.rules.bluff:
        yield from _histories(clues, ClaimSampler(clues, rng))
    else:
        yield from _deals(clues, Sampler(clues, rng))


def _histories(clues: Clues, sampler: ClaimSampler) -> Iterator[Game]:
    """What lay under claims changes the course of the game: each is played again."""
    sampler.next()
    game = replayed(clues, sampler)
    one_pack = clues.size <= _ONE_PACK
    codes = _codes(clues, game) if one_pack else []
    while True:
        yield game
        sampler.next()
        game = _repeated(clues, sampler, codes) if one_pack else replayed(clues, sampler)


def _deals(clues: Clues, sampler: Sampler) -> Iterator[Game]:
    """All that was done was done openly: other cards change hands and face-down rows alone, unless
    they say which rank is to be laid first."""
    sampler.next()
    first = replayed(clues, sampler)
    yield first.clone()
    model, unseen = first.clone(), sampler.unseen()
    exchange = clues.size <= _ONE_PACK and (clues.first is None or clues.deciding > 0)
    if exchange:
        model.log = [code for code in _codes(clues, first) if isinstance(code, int)]
    while True:
        sampler.next()
        if exchange:
            yield _exchanged(clues, sampler, model, unseen)
        else:
            yield replayed(clues, sampler)


def _exchanged(clues: Clues, sampler: Sampler, model: Game, unseen: Sequence[int]) -> Game:
    """The same state with other hidden cards; `unseen` are the model's, by seat. Since a position
    was noted nobody has drawn: what is hidden in a hand now was in it then."""
    game, changes = model.clone(), []
    game.deck = sampler.deck()
    for seat, (old, new) in enumerate(zip(unseen, sampler.unseen(), strict=True)):
        changes.append(holding(new) - holding(old))
        game.holdings[seat] += changes[-1]
    game.notes = {}
    for key, noted in model.notes.items():
        turn = key & 0xF
        hands = tuple(map(int.__add__, noted, cycle(changes)))
        game.notes[hands[turn] & COUNTS | turn] = hands
    downs = [0] * clues.view.players
    for (seat, slot), position in clues.slots.items():
        downs[seat] |= game.deck[position] << 8 * slot
    game.downs = tuple(downs)
    return game


class Guess(Protocol):
    """A sampler of either kind."""

    def next(self) -> None:
        """Go on to another guess."""

    def deck(self) -> tuple[int, ...]:
        """How the deck lay."""
        ...

    def cards(self, claim: Claim) -> Sequence[int]:
        """What lies under a claim."""
        ...


def replayed(clues: Clues, guess: Guess) -> Game:
    """The game as guessed, as far as it has come, each action checked."""
    game = _dealt(clues, guess.deck())
    for seat, action in clues.actions:
        if isinstance(action, Claim):
            cards = "".join(map(card_text, guess.cards(action)))
            game.play(seat, f"C:{cards}={RANKS[action.rank]}")
        else:
            game.play(seat, action)
    return game


def _dealt(clues: Clues, deck: tuple[int, ...]) -> Game:
    return Game(clues.view.rules, clues.view.players, clues.view.dealer, deck)


def _codes(clues: Clues, game: Game) -> list[int | Claim]:
    """The actions as codes that mean the same whatever else a hand holds: lays name their cards."""
    return [
        action
        if isinstance(action, Claim)
        else mask_of(parse_cards(action[2:]))
        if action[0] == "P"
        else code
        for (_, action), code in zip(clues.actions, game.log, strict=True)
    ]


def _repeated(clues: Clues, guess: Guess, codes: Sequence[int | Claim]) -> Game:
    """The game with another deck of one pack; what was checked once needs no second look."""
    game = _dealt(clues, guess.deck())
    for code in codes:
        game.push(mask_of(guess.cards(code)) | code.rank if isinstance(code, Claim) else code)
    return game
