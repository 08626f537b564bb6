"""The fixed cast and the plainest ways to a game, for all tests of games."""

from __future__ import annotations

from uuid import UUID

from games.engine import Game as EngineGame
from games.engine import rules_from
from games.models import Game, Player, Seat
from games.queries import replayed
from games.services import lobby, moves, players
from games.services.lobby import Plan
from games.services.moves import Acted

CAST = ("Aino", "Bertil", "Cecilia", "Oskari", "Daniela", "Eetu")


def person(name: str) -> Player:
    return players.create(name).player


def forming(
    seats: int = 2, preset: str = "classic", bots: int = 0, **options: object
) -> tuple[UUID, list[Player]]:
    """A game of people who have all joined, `bots` house bots after them."""
    people = [person(name) for name in CAST[:seats]]
    plan = Plan(rules_from(preset, options), [""] * seats + ["house:lowest"] * bots)
    game_id = lobby.create_game(people[0], plan).game_id
    for player in people[1:]:
        lobby.join(game_id, player)
    return game_id, people


def dealt(
    seats: int = 2, preset: str = "classic", bots: int = 0, **options: object
) -> tuple[UUID, list[Player]]:
    """A game in play."""
    game_id, people = forming(seats, preset, bots, **options)
    for player in people:
        lobby.ready(game_id, player, f"entropy of {player.name}")
    return game_id, people


def row(game_id: UUID) -> Game:
    return Game.objects.select_related("rules", "deck").get(pk=game_id)


def engine_game(game_id: UUID) -> EngineGame:
    return replayed(row(game_id))


def play_default(game_id: UUID) -> Acted:
    """The first seat that may act does what would be done for it."""
    game = row(game_id)
    engine = replayed(game)
    seat = next(s for s in engine.to_act() if str(s) not in game.pending)
    player = Seat.objects.get(game=game_id, index=seat).player_id
    assert player is not None
    return moves.act(game_id, player, engine.move_number(seat), engine.default_action(seat))


def play_out(game_id: UUID) -> Game:
    """Play until the game is over."""
    while row(game_id).state == Game.State.PLAYING:
        play_default(game_id)
    return row(game_id)
