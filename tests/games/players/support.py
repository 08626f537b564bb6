"""Bots asked at positions, and games in which every decision is looked at."""

import hashlib
import random
from collections.abc import Iterator, Sequence

from games.engine import EventDict, Game, Phase, Rules, View, packs_needed, shuffled_deck, view
from games.engine.history import History
from games.players import HOUSE, Agent

SEED = bytes(range(32))


def asked(
    agent: Agent, game: Game, seat: int = 0, events: Sequence[EventDict] = (), seed: bytes = SEED
) -> str:
    """What the bot does there, as records write it."""
    return game.check(seat, agent.choose(view(game, seat), events, seed))


def decisions(
    rules: Rules, players: int, rng: random.Random, names: Sequence[str], plies: int = 400
) -> Iterator[tuple[Game, int, View, list[EventDict]]]:
    """All decisions of one game between these bots, each before it is taken."""
    packs, _ = packs_needed(rules, players)
    deck = shuffled_deck(rng.randbytes(32), packs, rules.jokers)
    game = Game(rules, players, rng.randrange(players), deck)
    yield from watched(game, [HOUSE[rng.choice(names)] for _ in range(players)], rng, plies)


def watched(
    game: Game, agents: Sequence[Agent], rng: random.Random, plies: int
) -> Iterator[tuple[Game, int, View, list[EventDict]]]:
    game.story = []
    seen = [History(game, seat) for seat in range(game.players)]
    while game.phase is not Phase.OVER and game.ply < plies:
        phase, order = game.phase, game.answer_order()
        said = []
        for seat in order:
            shown, events = view(game, seat), list(seen[seat])
            yield game, seat, shown, events
            said.append(agents[seat].choose(shown, events, rng.randbytes(32)))
        for seat, action in zip(order, said, strict=True):
            if game.phase is phase:  # the first challenge may have closed the window
                game.play(seat, action)


def seed_of(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def picked_up(seat: int, *cards: str) -> EventDict:
    return {"ply": 1, "event": "pick_up", "seat": seat, "count": len(cards), "cards": list(cards)}


def laid(seat: int, *cards: str) -> EventDict:
    return {"ply": 2, "event": "play", "seat": seat, "count": len(cards), "cards": list(cards)}
