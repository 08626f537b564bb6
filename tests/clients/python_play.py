"""Two players and a whole game by the client that was generated; run beside it by its test."""

# ruff: noqa: T201
# mypy: ignore-errors

import json
import sys
from uuid import UUID

from housuliiga_client import AuthenticatedClient, Client
from housuliiga_client.api.games import be_ready, create_game, get_game, join_game, make_move
from housuliiga_client.api.players import create_player
from housuliiga_client.models import (
    GameShape,
    GameState,
    JoinRequestRequest,
    MoveRequestRequest,
    NewGameRequestRequest,
    NewGameRequestRequestOptions,
    NewPlayerRequestRequest,
    Problem,
    ReadyRequestRequest,
)

ADDRESS = sys.argv[1]


def somebody(name: str) -> AuthenticatedClient:
    body = NewPlayerRequestRequest(name=name)
    made = create_player.sync(client=Client(ADDRESS), body=body)
    return AuthenticatedClient(ADDRESS, made.token)


def look(player: AuthenticatedClient, game: UUID) -> GameShape:
    return get_game.sync(game, client=player)


def move(player: AuthenticatedClient, game: UUID) -> bool:
    seen = look(player, game)
    if not seen.legal:
        return False
    body = MoveRequestRequest(move_number=seen.move_number, action=seen.legal[0])
    answer = make_move.sync(game, client=player, body=body)
    assert not isinstance(answer, Problem), answer
    return True


def main() -> None:
    players = [somebody("Aino"), somebody("Bertil")]
    impossible = NewGameRequestRequest(preset="nothing")
    assert isinstance(create_game.sync(client=players[0], body=impossible), Problem)
    options = NewGameRequestRequestOptions.from_dict({"max_plies": 100})
    plan = NewGameRequestRequest(preset="classic", seats=["open", "open"], options=options)
    game = create_game.sync(client=players[0], body=plan).id
    join_game.sync(game, client=players[1], body=JoinRequestRequest())
    for player in players:
        be_ready.sync(game, client=player, body=ReadyRequestRequest(entropy="rain"))
    moves = 0
    while (seen := look(players[0], game)).state == GameState.PLAYING:
        moves += sum(move(player, game) for player in players)
    told = {"id": str(seen.id), "state": seen.state.value, "places": seen.places, "moves": moves}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
