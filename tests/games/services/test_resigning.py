"""Resigning: the stand-in plays on, the seat is placed last of those left, all tell the same."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from games.engine import verify_lines
from games.errors import (
    GameOverError,
    NotPlayingError,
    NotResignableError,
    NotYourSeatError,
    ResignedError,
)
from games.models import Game, GameRecord, Player, Seat
from games.queries.finished import finished_game
from games.services import endings, moves
from games.services.moves import How
from games.services.resigning import resign
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)


def play_on(game_id: UUID) -> Game:
    """Play until the game is over; the stand-in plays where nobody else does."""
    while (row := cast.row(game_id)).state == Game.State.PLAYING:
        game = cast.engine_game(game_id)
        seat = next(s for s in game.to_act() if str(s) not in row.pending)
        action = game.default_action(seat)
        moves.act_seat(game_id, seat, game.move_number(seat), action, How())
    return row


def verdict(game_id: UUID, kind: str = "proof") -> dict[str, object]:
    (told,) = verify_lines(json.dumps(Api().get(f"/games/{game_id}/{kind}")))
    return told


def test_of_two_who_play_the_other_wins_at_once() -> None:
    game_id, people = cast.dealt(2, "table")
    placed = resign(game_id, people[0])
    row = cast.row(game_id)
    assert (row.state, row.ending, row.places) == ("over", "resigned", [[1], [0]])
    assert placed.progress.over == (game_id,)
    assert row.deck.gate_open and (row.deadline_at, row.due_at) == (None, None)


def test_of_three_the_stand_in_plays_on_and_the_seat_is_last_however_it_does() -> None:
    game_id, people = cast.dealt(3, "classic", max_plies=400)
    cast.play_default(game_id)
    resign(game_id, people[1])
    row = cast.row(game_id)
    assert (row.state, row.resigned) == ("playing", [[1, 1]])
    assert Seat.objects.get(game=game_id, index=1).stand_in_at is not None
    over = play_on(game_id)
    assert over.places is not None and over.places[-1] == [1]
    assert sorted(seat for group in over.places for seat in group) == [0, 1, 2]


def test_who_resigns_later_is_placed_before_who_resigned_first() -> None:
    game_id, people = cast.dealt(4, "table")
    for seat in (2, 0, 3):
        resign(game_id, people[seat])
    assert cast.row(game_id).places == [[1], [3], [0], [2]]


def test_without_a_person_left_the_game_ends_and_bots_are_placed_by_their_cards() -> None:
    game_id, people = cast.dealt(1, "table", bots=2)
    resign(game_id, people[0])
    row, game = cast.row(game_id), cast.engine_game(game_id)
    assert game.held(1) == game.held(2)
    assert (row.ending, row.places) == ("resigned", [[1, 2], [0]])


def test_resigning_again_changes_nothing_and_whoever_resigned_plays_no_more() -> None:
    game_id, people = cast.dealt(3, "classic")
    assert resign(game_id, people[1]).seat == resign(game_id, people[1]).seat == 1
    assert cast.row(game_id).resigned == [[1, 0]]
    while 1 not in cast.engine_game(game_id).to_act():
        cast.play_default(game_id)
    game = cast.engine_game(game_id)
    with pytest.raises(ResignedError):
        moves.act(game_id, people[1].pk, game.move_number(1), game.default_action(1))
    assert Api(people[1]).get(f"/games/{game_id}")["legal"] == []


def test_where_nothing_is_to_be_given_up_nobody_resigns() -> None:
    game_id, people = cast.forming(2)
    with pytest.raises(NotPlayingError):
        resign(game_id, people[0])
    game_id, people = cast.dealt(2, "table")
    with pytest.raises(NotYourSeatError):
        resign(game_id, cast.person("Cecilia"))
    Game.objects.filter(pk=game_id).update(competition_ref=7)
    with pytest.raises(NotResignableError):
        resign(game_id, people[0])
    Game.objects.filter(pk=game_id).update(competition_ref=None)
    resign(game_id, people[0])
    with pytest.raises(GameOverError):
        resign(game_id, people[1])


def test_a_clock_that_has_run_out_is_played_before_the_resignation() -> None:
    game_id, people = cast.dealt(3, "classic")
    (seat,) = cast.engine_game(game_id).to_act()
    Game.objects.filter(pk=game_id).update(move_ms=0)
    Seat.objects.filter(game=game_id, index=seat).update(bank_ms=0)
    resign(game_id, people[(seat + 1) % 3])
    row = cast.row(game_id)
    assert row.ply >= 1 and row.resigned == [[(seat + 1) % 3, row.ply]]


def test_a_sealed_answer_that_is_in_stays_and_the_stand_in_owes_none() -> None:
    game_id, people = cast.dealt(3, "table")
    moves.act(game_id, people[1].pk, 1, "S:/")
    resign(game_id, people[1])
    for seat in (0, 2):
        moves.act(game_id, people[seat].pk, 1, "S:/")
    assert cast.row(game_id).ply == 3


def ended_early() -> tuple[UUID, list[Player]]:
    """A game of three that ended by two resignations, a move between them."""
    game_id, people = cast.dealt(3, "classic")
    resign(game_id, people[0])
    play_one(game_id)
    resign(game_id, people[2])
    return game_id, people


def play_one(game_id: UUID) -> None:
    game = cast.engine_game(game_id)
    (seat,) = game.to_act()
    moves.act_seat(game_id, seat, 1, game.default_action(seat), How())


def test_view_events_record_proof_and_verifier_tell_one_story() -> None:
    game_id, people = ended_early()
    places = [[1], [2], [0]]
    for api in (Api(), Api(people[0]), Api(people[1])):
        game = api.get(f"/games/{game_id}")
        view = game["view"]
        assert (game["places"], game["ending"]) == (places, "resigned")
        assert (view["phase"], view["places"], view["ending"]) == ("over", places, "resigned")
        assert (view["to_act"], view["turn"], game["legal"]) == ([], None, [])
        assert [seat["resigned"] for seat in game["seats"]] == [True, False, True]
        events = api.get(f"/games/{game_id}/events")["events"]
        told = [(e["event"], e.get("seat")) for e in events]
        assert told[1] == ("resign", 0)
        assert told[-2:] == [("resign", 2), ("over", None)]
        assert [event["number"] for event in events] == list(range(len(events)))
    assert GameRecord.objects.get(pk=game_id).resigned == [[0, 0], [2, 1]]
    for kind in ("record", "proof"):
        said = verdict(game_id, kind)
        assert (said["ok"], said["ending"], said["places"]) == (True, "resigned", places)


def test_looking_back_shows_who_had_resigned_by_then_and_no_end() -> None:
    game_id, _ = ended_early()
    first = Api().get(f"/games/{game_id}?ply=0")["view"]
    assert (first["phase"], first["places"]) == ("play", None)


def test_the_record_alone_tells_the_same_when_the_row_is_gone() -> None:
    game_id, people = ended_early()
    endings.mark_settled(game_id)
    before = Api(people[1]).get(f"/games/{game_id}")
    events = Api().get(f"/games/{game_id}/events")
    Game.objects.filter(pk=game_id).delete()
    assert finished_game(game_id, None) is not None
    after = Api(people[1]).get(f"/games/{game_id}")
    assert (after["places"], after["ending"]) == (before["places"], before["ending"])
    assert after["view"] == before["view"]
    assert Api().get(f"/games/{game_id}/events") == events
    assert verdict(game_id)["places"] == before["places"]


def test_a_move_sent_again_after_a_resignation_gets_the_first_answer() -> None:
    game_id, people = cast.dealt(3, "classic")
    (seat,) = cast.engine_game(game_id).to_act()
    action = cast.engine_game(game_id).default_action(seat)
    first = moves.act(game_id, people[seat].pk, 1, action)
    resign(game_id, people[(seat + 1) % 3])
    resign(game_id, people[(seat + 2) % 3])
    again = moves.act(game_id, people[seat].pk, 1, action)
    assert (again.view, again.link) == (first.view, first.link)


def test_the_finished_list_finds_games_that_ended_so() -> None:
    game_id, people = ended_early()
    rows = Api().get(f"/games/finished?ending=resigned&player={people[1].pk}&place=1")["results"]
    assert [row["id"] for row in rows] == [str(game_id)]
