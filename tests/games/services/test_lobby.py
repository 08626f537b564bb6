"""From the invitation to the deal: seats, entropy, and what binds the deck."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from config.kit.errors import ServiceError
from games import engine
from games.engine import rules_from
from games.errors import (
    AlreadyReadyError,
    BadSeatsError,
    EntropyTooLongError,
    GameFullError,
    NotFormingError,
    NotYourSeatError,
)
from games.models import Deck, Game, GameRecord, Player, Seat
from games.services import lobby, players
from games.services.lobby import Plan
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = rules_from("table")


def test_the_deck_is_bound_before_anybody_gives_entropy() -> None:
    game_id, _ = cast.forming(2)
    deck = cast.row(game_id).deck
    assert bytes(deck.commitment) == engine.commitment(bytes(deck.server_seed))
    assert (deck.state, deck.deal_seed, deck.entropies) == (Deck.State.OPEN, None, None)


def test_the_last_to_be_ready_closes_the_entropy_and_deals() -> None:
    game_id, people = cast.forming(3)
    lobby.ready(game_id, people[2], "c")
    lobby.ready(game_id, people[0], "a")
    assert cast.row(game_id).state == Game.State.READY
    lobby.ready(game_id, people[1], "b")
    row = cast.row(game_id)
    given = [(0, "a"), (1, "b"), (2, "c")]
    assert (row.state, row.deck.entropies) == (Game.State.PLAYING, [list(pair) for pair in given])
    seed = engine.deal_seed(bytes(row.deck.server_seed), row.deck.deck_id, given)
    assert bytes(row.deck.deal_seed or b"") == seed
    assert bytes(row.head) == bytes(row.deck.commitment)
    assert row.deadline_at is not None and row.started_at is not None


def test_other_entropy_than_before_is_refused_and_the_same_is_not() -> None:
    game_id, people = cast.forming(2)
    lobby.ready(game_id, people[0], "a")
    lobby.ready(game_id, people[0], "a")
    with pytest.raises(AlreadyReadyError):
        lobby.ready(game_id, people[0], "b")


def test_entropy_has_at_most_64_bytes() -> None:
    game_id, people = cast.forming(2)
    with pytest.raises(EntropyTooLongError):
        lobby.ready(game_id, people[0], "ä" * 33)
    lobby.ready(game_id, people[0], "ä" * 32)


def test_house_bots_are_ready_from_the_start_and_wake_by_the_progress() -> None:
    game_id, people = cast.forming(1, "table", bots=2)
    placed = lobby.ready(game_id, people[0], "x")
    assert placed.progress.turns == (game_id,)
    assert cast.row(game_id).due_at is not None


def test_one_may_leave_before_the_deal_and_the_last_one_out_calls_the_game_off() -> None:
    game_id, people = cast.forming(2)
    lobby.ready(game_id, people[1], "mine")
    lobby.leave(game_id, people[1])
    seat = Seat.objects.get(game=game_id, index=1)
    assert (seat.player, seat.ready_at, seat.entropy) == (None, None, "")
    assert cast.row(game_id).state == Game.State.FORMING
    lobby.leave(game_id, people[0])
    row = cast.row(game_id)
    assert (row.state, row.deck.state) == (Game.State.VOID, Deck.State.VOID)


def test_after_the_deal_nobody_joins_leaves_or_gives_entropy() -> None:
    game_id, people = cast.dealt(2)
    with pytest.raises(NotFormingError):
        lobby.join(game_id, cast.person("Cecilia"))
    with pytest.raises(NotFormingError):
        lobby.leave(game_id, people[0])
    with pytest.raises(NotFormingError):
        lobby.ready(game_id, people[0], "late")


def test_a_seat_is_taken_once_and_joining_again_keeps_it() -> None:
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    game_id = lobby.create_game(aino, Plan(TABLE, ["", "", ""])).game_id
    assert lobby.join(game_id, bertil, 2).seat == 2
    assert lobby.join(game_id, bertil).seat == 2
    with pytest.raises(GameFullError):
        lobby.join(game_id, cast.person("Cecilia"), 2)
    with pytest.raises(NotYourSeatError):
        lobby.leave(game_id, cast.person("Daniela"))


def refuse(bot: Player, by: Player, preset: str) -> None:
    if by.name == "Aino":
        raise ServiceError(f"{bot.name} does not play {preset} with {by.name}.")


def test_a_bot_is_seated_where_the_layer_above_lets_it(settings: Any) -> None:
    settings.SEAT_INVITES = {"bot": f"{__name__}.refuse"}
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    Player.objects.create(kind="bot", name="Robo", name_key="robo", owner=bertil, agent_ref="bot:1")
    with pytest.raises(ServiceError, match="Robo does not play table with Aino"):
        lobby.create_game(aino, Plan(TABLE, ["", "bot:1"]))
    game_id = lobby.create_game(bertil, Plan(TABLE, ["", "bot:1"])).game_id
    assert Seat.objects.get(game=game_id, index=1).agent_ref == "bot:1"
    for seats in (["", "bot:2"], ["", "bot:1", "bot:1"]):
        with pytest.raises(BadSeatsError):
            lobby.create_game(bertil, Plan(TABLE, seats))


def test_a_house_bot_is_one_player_however_often_it_sits() -> None:
    game_id, _ = cast.forming(1, bots=3)
    seats = Seat.objects.filter(game=game_id, agent_ref="house:lowest")
    assert len({seat.player_id for seat in seats}) == 1
    assert players.house_player("lowest").pk == seats[0].player_id


def test_a_record_is_never_changed() -> None:
    game_id, _ = cast.dealt(2, "classic", max_plies=100)
    cast.play_out(game_id)
    with pytest.raises(IntegrityError, match="never changed"):
        GameRecord.objects.filter(pk=game_id).update(dealer=1)
