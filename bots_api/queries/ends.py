"""Ends of games that no driver tells its bots of: called off, or played by people."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from games.agents import GameEnd
from games.models import Game, Seat

PREFIX = "bot:"


class Untold(NamedTuple):
    """How a game ended for one bot's seat."""

    agent_ref: str
    end: GameEnd


def untold(game_id: UUID) -> list[Untold]:
    """What is to be told to whom; nothing for a game that the driver has played to its end."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None or not (_called_off(game) or _of_people(game)):
        return []
    voided = game.state == Game.State.VOID
    places = tuple(tuple(group) for group in game.places or ())
    seats = Seat.objects.filter(game=game, agent_ref__startswith=PREFIX).order_by("index")
    return [Untold(s.agent_ref, GameEnd(game_id, s.index, places, voided)) for s in seats]


def _called_off(game: Game) -> bool:
    """A game of people is called off before the deal alone: its bots have not heard of it."""
    return game.state == Game.State.VOID and game.kind == Game.Kind.DRIVEN


def _of_people(game: Game) -> bool:
    return game.state == Game.State.OVER and game.kind == Game.Kind.EVENTED
