"""Valepaska with people: windows of sealed answers, and nobody wins by a faster line."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import permutations
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import F

from games import engine
from games.engine import Phase
from games.errors import StaleMoveError
from games.models import By, Deck, Game, Player, Seat
from games.queries import clocks, wire_view
from games.services import lobby, moves, resigning
from games.services.moves import How, act
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

SEED = bytes([7]) * 32


def claimed(
    seats: int = 4, max_plies: int = 5000, challengers: str = "anyone"
) -> tuple[UUID, list[Player], list[int]]:
    """A game in which a claim was just made, always the same; who owes an answer, clockwise."""
    game_id, people = cast.forming(seats, "valepaska", max_plies=max_plies, challengers=challengers)
    Deck.objects.update(
        server_seed=SEED, deck_id=engine.deck_id(SEED), commitment=engine.commitment(SEED)
    )
    Game.objects.filter(pk=game_id).update(dealer=0)
    for player in people:
        lobby.ready(game_id, player, player.name)
    game = cast.engine_game(game_id)
    seat = game.turn
    card = wire_view(game, seat)["hand"][0]
    rank = next(entry[2:] for entry in game.legal(seat) if entry != f"C:{card[0]}")
    act(game_id, people[seat].pk, 1, f"C:{card}={rank}")
    game = cast.engine_game(game_id)
    assert game.phase is Phase.RESPOND
    return game_id, people, list(game.answer_order())


def answer(game_id: UUID, people: Sequence[Player], seat: int, action: str) -> moves.Acted:
    number = cast.engine_game(game_id).move_number(seat)
    return act(game_id, people[seat].pk, number, action)


def kinds(game_id: UUID) -> list[str]:
    return [event["event"] for event in Api().get(f"/games/{game_id}/events")["events"]]


def run_out(game_id: UUID, seats: Sequence[int]) -> None:
    """As if the window had been open for long enough for these seats."""
    Seat.objects.filter(game=game_id, index__in=seats).update(bank_ms=0)
    Seat.objects.filter(game=game_id).exclude(index__in=seats).update(bank_ms=10**8)
    past = timedelta(seconds=61)
    Game.objects.filter(pk=game_id).update(
        started_at=F("started_at") - past,
        turn_at=F("turn_at") - past,
        deadline_at=F("turn_at"),
    )


def test_who_says_nothing_in_the_window_accepts() -> None:
    game_id, people, asked = claimed()
    answer(game_id, people, asked[0], ".")
    run_out(game_id, asked[1:])
    moves.expire(game_id)
    row, game = cast.row(game_id), cast.engine_game(game_id)
    assert game.phase is not Phase.RESPOND
    assert bytes(row.by)[1:] == bytes([By.SEAT, By.DEFAULT, By.DEFAULT])
    assert kinds(game_id)[-4:-1].count("accept") == 3 or "claim_stands" in kinds(game_id)


def test_nobody_says_anything_and_the_claim_stands() -> None:
    game_id, _, asked = claimed()
    run_out(game_id, asked)
    moves.expire(game_id)
    told = kinds(game_id)
    assert told.count("accept") == len(asked)
    assert "claim_stands" in told and "lie" not in told


def test_a_silent_seat_does_not_undo_the_challenge_of_another() -> None:
    game_id, people, asked = claimed()
    answer(game_id, people, asked[-1], "!")
    run_out(game_id, asked[:-1])
    moves.expire(game_id)
    told = kinds(game_id)
    assert told.count("accept") == len(asked) - 1 and "challenge" in told
    assert "lie" in told


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_whoever_answers_first_the_nearest_challenger_counts(order: tuple[int, ...]) -> None:
    game_id, people, asked = claimed()
    said = [".", "!", "!"]
    for at in order:
        answer(game_id, people, asked[at], said[at])
    game = cast.engine_game(game_id)
    told = [e for e in Api().get(f"/games/{game_id}/events")["events"] if e["ply"] >= 2]
    assert [(e["event"], e["seat"]) for e in told[:3]] == [
        ("accept", asked[0]),
        ("challenge", asked[1]),
        ("challenge", asked[2]),
    ]
    assert game.ply == 4


def test_answers_sent_at_once_give_the_same_game_as_one_after_the_other() -> None:
    calm_id, people, asked = claimed()
    for at in (2, 1, 0):
        answer(calm_id, people, asked[at], "!" if at else ".")
    game_id, people, asked = claimed()

    def say(at: int) -> None:
        try:
            answer(game_id, people, asked[at], "!" if at else ".")
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(say, range(3)))
    calm, hasty = cast.row(calm_id), cast.row(game_id)
    assert (hasty.ply, bytes(hasty.actions)) == (4, bytes(calm.actions))


def test_a_sealed_answer_is_seen_by_nobody_until_all_are_in() -> None:
    game_id, people, asked = claimed()
    others = [Api(), *(Api(people[seat]) for seat in range(4) if seat != asked[0])]
    before = [(api.get(f"/games/{game_id}"), api.answer["ETag"]) for api in others]
    events = [api.get(f"/games/{game_id}/events") for api in others]
    told = answer(game_id, people, asked[0], "!")
    assert (told.waiting, told.link) == (True, None)
    assert [(api.get(f"/games/{game_id}"), api.answer["ETag"]) for api in others] == before
    assert [api.get(f"/games/{game_id}/events") for api in others] == events
    with pytest.raises(StaleMoveError):
        answer(game_id, people, asked[0], ".")


def test_the_claimant_and_who_is_not_asked_answer_nothing() -> None:
    game_id, people, asked = claimed()
    claimant = next(seat for seat in range(4) if seat not in asked)
    api = Api(people[claimant])
    number = cast.engine_game(game_id).move_number(claimant)
    told = api.move(game_id, number, "!")
    assert api.status in (409, 422), told
    assert told["code"] in ("early_move", "may_not_challenge")
    game_id, people, asked = claimed(3, challengers="next_player")
    assert len(asked) == 1


def test_a_window_is_over_when_the_last_answer_is_in_and_not_before() -> None:
    game_id, people, asked = claimed()
    deadline = cast.row(game_id).deadline_at
    for seat in asked[:-1]:
        answer(game_id, people, seat, ".")
        row = cast.row(game_id)
        assert (row.ply, row.deadline_at) == (1, deadline)
    answer(game_id, people, asked[-1], ".")
    assert cast.row(game_id).ply == 1 + len(asked)


def test_a_stand_in_answers_for_who_has_resigned() -> None:
    game_id, people, asked = claimed()
    resigning.resign(game_id, people[asked[0]])
    row = cast.row(game_id)
    assert row.due_at is not None and row.state == Game.State.PLAYING
    number = cast.engine_game(game_id).move_number(asked[0])
    moves.act_seat(game_id, asked[0], number, ".", How(By.STAND_IN))
    for seat in asked[1:]:
        answer(game_id, people, seat, ".")
    assert clocks.unpacked(bytes(cast.row(game_id).at_ms))[1:]
    assert By.STAND_IN in bytes(cast.row(game_id).by)


def test_however_answers_come_in_times_rise_and_the_proof_holds() -> None:
    game_id, people, asked = claimed(max_plies=100)
    for seat in reversed(asked):
        answer(game_id, people, seat, ".")
        # As if the next one took a second to think.
        back = F("started_at") - timedelta(seconds=1)
        Game.objects.filter(pk=game_id).update(started_at=back)
    times = clocks.unpacked(bytes(cast.row(game_id).at_ms))
    assert len(times) == 1 + len(asked) and times == sorted(times)
    cast.play_out(game_id)
    assert Api().get(f"/games/{game_id}/verdict")["ok"] is True


def test_a_clock_that_is_set_back_lets_no_time_fall() -> None:
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    cast.play_default(game_id)
    Game.objects.filter(pk=game_id).update(started_at=F("started_at") + timedelta(hours=1))
    cast.play_out(game_id)
    assert Api(people[0]).get(f"/games/{game_id}/verdict")["ok"] is True
