"""Corners of the rules as a client meets them: each refused with its code, and nothing changed."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from games.engine import Game as EngineGame
from games.engine import Phase, encode_action, view
from games.models import Game, Player, Token
from games.services import tokens
from tests.benchmarks.plain_http import Connection
from tests.chaos import people
from tests.games import cast
from tests.games.api.client import Api
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = 4000


def found(
    wanted: Callable[[EngineGame], bool], preset: str = "table", seats: int = 2
) -> tuple[UUID, list[Player], EngineGame]:
    """A game of people at the first moment that is `wanted`; its row is brought there at once."""
    for _ in range(40):
        game_id, players = cast.dealt(seats, preset)
        game = cast.engine_game(game_id)
        actions = b""
        while game.ending is None and not wanted(game):
            for seat in game.answer_order():
                action = game.default_action(seat)
                actions += encode_action(game, seat, action)
                game.play(seat, action)
        if game.ending is None:
            put(game_id, game, actions)
            return game_id, players, game
    raise AssertionError("no deal leads there")


def put(game_id: UUID, game: EngineGame, actions: bytes) -> None:
    Game.objects.filter(pk=game_id).update(
        ply=game.ply, actions=actions, at_ms=bytes(4 * game.ply), by=bytes(game.ply)
    )


def refused(
    game_id: UUID, player: Player, game: EngineGame, seat: int, action: str
) -> tuple[int, str]:
    """Status and code; the row stays as it was."""
    api = Api(player)
    before = cast.row(game_id).ply
    told = api.move(game_id, game.move_number(seat), action)
    assert cast.row(game_id).ply == before
    return api.status, told["code"]


def hand(game: EngineGame, seat: int) -> list[str]:
    return list(own_view(game, seat)["hand"])


def own_view(game: EngineGame, seat: int) -> dict[str, Any]:
    return dict(view(game, seat).wire())


def in_play(game: EngineGame) -> bool:
    return game.phase is Phase.PLAY


def test_one_card_named_twice_is_refused() -> None:
    game_id, players, game = found(in_play, "classic")
    (seat,) = game.to_act()
    card = hand(game, seat)[0]
    status, code = refused(game_id, players[seat], game, seat, f"P:{card}{card}")
    assert (status, code) == (422, "not_your_card")


def test_cards_of_two_ranks_are_refused() -> None:
    game_id, players, game = found(in_play, "classic")
    (seat,) = game.to_act()
    cards = hand(game, seat)
    other = next(card for card in cards if card[0] != cards[0][0])
    status, code = refused(game_id, players[seat], game, seat, f"P:{cards[0]}{other}")
    assert (status, code) == (422, "mixed_ranks")


def test_a_row_card_is_refused_while_the_hand_has_cards() -> None:
    def able(game: EngineGame) -> bool:
        if not in_play(game):
            return False
        wire = own_view(game, game.to_act()[0])
        held = {card[0] for card in wire["hand"]}
        return any(card[0] not in held for card in wire["up"][game.to_act()[0]])

    game_id, players, game = found(able)
    (seat,) = game.to_act()
    wire = own_view(game, seat)
    held = {card[0] for card in wire["hand"]}
    card = next(card for card in wire["up"][seat] if card[0] not in held)
    assert refused(game_id, players[seat], game, seat, f"P:{card}")[0] == 422


def test_the_pile_is_not_picked_up_in_the_swap_or_when_it_is_empty() -> None:
    game_id, players = cast.dealt(2, "table")
    game = cast.engine_game(game_id)
    assert refused(game_id, players[0], game, 0, "U")[0] == 422
    game_id, players, game = found(in_play, "classic")
    (seat,) = game.to_act()
    assert refused(game_id, players[seat], game, seat, "U") == (422, "pile_empty")


def test_after_the_end_everything_is_refused_at_once_with_the_final_state() -> None:
    game_id, players = cast.dealt(2, "classic", max_plies=100)
    over = cast.play_out(game_id)
    for action in ("U", "P:3C", "!", "nonsense"):
        api = Api(players[0])
        begun = time.monotonic()
        told = api.move(game_id, LONGEST, action)
        assert (api.status, told["code"], told["places"]) == (409, "game_over", over.places)
        assert time.monotonic() - begun < 5


def test_the_turn_never_stays_on_a_seat_that_is_out_and_skips_nobody() -> None:
    """Whoever lays the last card, falling with it or not: the next seat that is in acts."""
    checked = 0
    for _ in range(3):
        game_id, players = cast.dealt(3, "classic", max_plies=2000)
        gone: set[int] = set()
        while cast.row(game_id).state == Game.State.PLAYING:
            acted = cast.play_default(game_id)
            gone |= {seat for group in acted.view["out"] for seat in group}
            now = Api(players[acted.seat]).get(f"/games/{game_id}")["view"]
            assert not gone & set(now["to_act"])
            if acted.seat in gone and now["phase"] == "play" and now["turn"] is not None:
                between = range(acted.seat + 1, acted.seat + 4)
                expected = next(seat % 3 for seat in between if seat % 3 not in gone)
                assert now["turn"] == expected
                checked += 1
                told = Api(players[acted.seat]).move(game_id, acted.move_number + 1, "!")
                assert told["code"] in ("early_move", "illegal_action"), told
        if checked:
            return
    raise AssertionError("nobody went out before the last")


def test_who_is_out_can_not_challenge() -> None:
    def claimed(game: EngineGame) -> bool:
        return game.phase is Phase.RESPOND and len(game.answer_order()) < game.players - 1

    game_id, players, game = found(claimed, "valepaska", seats=3)
    answering = set(game.to_act())
    claimant = game.turn
    (out,) = set(range(3)) - answering - {claimant}
    api = Api(players[out])
    told = api.move(game_id, game.move_number(out), "!")
    assert (api.status, told["code"]) == (409, "early_move")
    assert cast.row(game_id).pending == {}


def test_an_answer_that_was_cut_off_is_given_again() -> None:
    game_id, (aino, bertil) = cast.dealt(2, "classic")
    scopes = [Token.Scope.PLAY]
    seated = [people.Person(one, tokens.issue(one, scopes).text) for one in (aino, bertil)]
    (seat,) = cast.engine_game(game_id).to_act()
    one = people.move(game_id, seated[seat], 1, cast.engine_game(game_id).default_action(seat))
    with serving() as address:
        port = int(address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as cut:
            cut.sendall(one)
            # The way back is cut when the move has been stored: as a proxy's 504 looks from here.
            _until(lambda: cast.row(game_id).ply == 1)
        with Connection(port) as again:
            first, second = again.ask(one), again.ask(one)
    assert (first.status, first.body) == (200, second.body)
    assert json.loads(first.body)["by"] == "seat"
    assert cast.row(game_id).ply == 1


def test_two_tabs_of_one_seat_agree() -> None:
    game_id, players = cast.dealt(2, "classic")
    game = cast.engine_game(game_id)
    (seat,) = game.to_act()
    left, right = Api(players[seat]), Api(players[seat])
    action = game.default_action(seat)
    first = left.move(game_id, 1, action)
    assert right.move(game_id, 1, action) == first
    told = right.move(game_id, 1, "U")
    assert (right.status, told["code"]) == (409, "stale_move")
    assert left.get(f"/games/{game_id}") == right.get(f"/games/{game_id}")


def _until(true: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 30
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.01)
