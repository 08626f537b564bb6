"""Places of a game in which seats have resigned (rules.md, "Resigning").

Resigning is no action: a stand-in plays the seat on, and the seat is placed last of those who were
left. Knows who is left and in which order; not who is a person.
"""

from collections.abc import Collection, Sequence

from games.engine.game import Game

ENDING = "resigned"
"""How a game ended whose last person, or last seat but one, has resigned."""


def left(game: Game, resigned: Collection[int]) -> list[int]:
    """The seats that are still in and have not resigned."""
    gone = {seat for group in game.places for seat in group} | set(resigned)
    return [seat for seat in range(game.players) if seat not in gone]


def final_places(game: Game, resigned: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The finishing order with `resigned` seats, in the order in which they resigned, at its end.

    In a game that has not ended by its rules those left are placed by the cards they hold, as in a
    stalemate.
    """
    order = [tuple(seat for seat in group if seat not in resigned) for group in game.places]
    held = {seat: game.held(seat) for seat in left(game, resigned)}
    order += [tuple(s for s in held if held[s] == count) for count in sorted(set(held.values()))]
    order += [(seat,) for seat in reversed(resigned)]
    return tuple(group for group in order if group)
