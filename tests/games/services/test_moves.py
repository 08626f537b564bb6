"""The straight line of a move: stored once, answered the same each time, refused with a code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import engine
from games.errors import (
    EarlyMoveError,
    GameOverError,
    NotPlayingError,
    NotYourSeatError,
    StaleMoveError,
)
from games.models import By, Deck, Game, GameRecord, Player, Seat
from games.queries import clocks, replays, wire_view
from games.services import lobby, moves
from games.services.moves import How, act
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def opening(game_id: UUID, people: list[Player]) -> tuple[Player, int, str]:
    """Who is on turn first, the seat and its default action."""
    game = cast.engine_game(game_id)
    (seat,) = game.to_act()
    return people[seat], seat, game.default_action(seat)


def test_a_move_is_stored_with_its_time_and_who_chose_it() -> None:
    game_id, people = cast.dealt()
    player, seat, action = opening(game_id, people)
    acted = act(game_id, player.pk, 1, action)
    row = cast.row(game_id)
    assert (acted.action, acted.by, acted.ply, row.ply) == (action, By.SEAT, 1, 1)
    assert (len(row.at_ms), bytes(row.by)) == (4, b"\0")
    assert acted.view == wire_view(cast.engine_game(game_id), seat)


def test_the_acting_seat_gets_the_link_that_becomes_the_head() -> None:
    game_id, people = cast.dealt()
    player, _, action = opening(game_id, people)
    assert act(game_id, player.pk, 1, action).link == bytes(cast.row(game_id).head)


def test_the_same_move_again_gets_the_same_answer_even_after_others_have_moved() -> None:
    game_id, people = cast.dealt()
    player, _, action = opening(game_id, people)
    first = act(game_id, player.pk, 1, action)
    for _ in range(3):
        cast.play_default(game_id)
    again = act(game_id, player.pk, 1, action)
    assert (again.view, again.link, again.ply) == (first.view, first.link, first.ply)
    assert cast.row(game_id).ply == 4


def test_another_action_for_a_decision_taken_is_stale() -> None:
    game_id, people = cast.dealt()
    player, _, action = opening(game_id, people)
    act(game_id, player.pk, 1, action)
    with pytest.raises(StaleMoveError):
        act(game_id, player.pk, 1, "U")


def test_a_number_not_yet_reached_is_early() -> None:
    game_id, people = cast.dealt()
    player, seat, action = opening(game_id, people)
    with pytest.raises(EarlyMoveError):
        act(game_id, player.pk, 2, action)
    with pytest.raises(EarlyMoveError):
        act(game_id, people[1 - seat].pk, 1, action)


def test_an_illegal_action_has_the_rules_code_and_changes_nothing() -> None:
    game_id, people = cast.dealt()
    player, _, _ = opening(game_id, people)
    with pytest.raises(engine.IllegalAction) as refused:
        act(game_id, player.pk, 1, "U")
    assert refused.value.code == "pile_empty"
    assert cast.row(game_id).ply == 0


def test_who_has_no_seat_can_not_move() -> None:
    game_id, _ = cast.dealt()
    with pytest.raises(NotYourSeatError):
        act(game_id, cast.person("Cecilia").pk, 1, "U")


def test_before_the_deal_nothing_can_be_played() -> None:
    game_id, people = cast.forming()
    with pytest.raises(NotPlayingError):
        act(game_id, people[0].pk, 1, "U")


@pytest.mark.parametrize("preset", ["table", "classic", "valepaska", "espanjalainen"])
def test_a_game_ends_with_places_a_record_and_an_open_gate(preset: str) -> None:
    game_id, _ = cast.dealt(3, preset, max_plies=100)
    over = cast.play_out(game_id)
    record = GameRecord.objects.get(pk=game_id)
    assert over.ended_at is not None and over.places is not None
    assert sorted(seat for group in over.places for seat in group) == [0, 1, 2]
    assert (record.log, bytes(record.head)) == (bytes(over.actions), bytes(over.head))
    assert over.deck.state == Deck.State.OVER
    assert (over.deadline_at, over.due_at, over.settled_at) == (None, None, None)


def test_answers_that_the_cap_on_plies_cuts_off_are_left_out() -> None:
    game_id, people = cast.forming(3, "valepaska", max_plies=100)
    # From this seed the hundredth ply is not the last of the answers that came in together.
    seed = bytes([3]) * 32
    Deck.objects.update(server_seed=seed, deck_id=engine.deck_id(seed))
    Game.objects.update(dealer=0)
    for player in people:
        lobby.ready(game_id, player, f"entropy of {player.name}")
    over = cast.play_out(game_id)
    assert (over.state, over.ending, over.ply) == (Game.State.OVER, "ply_cap", 100)
    assert over.pending == {}


def test_the_chain_in_the_row_is_that_of_the_whole_game() -> None:
    game_id, _ = cast.dealt(2, "table", max_plies=100)
    over = cast.play_out(game_id)
    steps = replays.steps(replays.start_of(over), bytes(over.actions))
    played = [(step.seat, step.action) for step in steps]
    times = clocks.unpacked(bytes(over.at_ms))
    assert engine.chain(bytes(over.deck.server_seed), played, times) == bytes(over.head)


def test_after_the_end_the_last_move_is_answered_and_others_are_refused() -> None:
    game_id, people = cast.dealt()
    while cast.row(game_id).state == Game.State.PLAYING:
        last = cast.play_default(game_id)
    again = act(game_id, people[last.seat].pk, last.move_number, last.action)
    assert again.view == last.view
    with pytest.raises(GameOverError) as refused:
        act(game_id, people[last.seat].pk, last.move_number + 1, "U")
    assert refused.value.data["places"] == cast.row(game_id).places


def test_swaps_wait_until_all_are_in_and_nobody_sees_them() -> None:
    game_id, people = cast.dealt(3, "table")
    before = wire_view(cast.engine_game(game_id), None)
    first = act(game_id, people[1].pk, 1, "S:/")
    assert (first.waiting, first.link, first.ply) == (True, None, 0)
    act(game_id, people[0].pk, 1, "S:/")
    row = cast.row(game_id)
    assert (row.ply, wire_view(cast.engine_game(game_id), None)) == (0, before)
    last = act(game_id, people[2].pk, 1, "S:/")
    assert (last.waiting, last.ply, cast.row(game_id).pending) == (False, 3, {})


def test_a_waiting_answer_can_be_repeated_but_not_changed() -> None:
    game_id, people = cast.dealt(3, "table")
    first = act(game_id, people[1].pk, 1, "S:/")
    assert act(game_id, people[1].pk, 1, "S:/") == first
    view = first.view
    swap = f"S:{view['hand'][0]}/{view['up'][1][0]}"
    with pytest.raises(StaleMoveError):
        act(game_id, people[1].pk, 1, swap)


def test_a_swap_after_it_was_pushed_is_answered_with_what_all_brought() -> None:
    game_id, people = cast.dealt(2, "table")
    act(game_id, people[0].pk, 1, "S:/")
    last = act(game_id, people[1].pk, 1, "S:/")
    again = act(game_id, people[0].pk, 1, "S:/")
    assert (again.waiting, again.ply) == (False, last.ply)
    assert again.link is not None


def test_late_people_get_the_default_action_and_may_learn_so() -> None:
    game_id, people = cast.dealt(2, "classic")
    player, _, action = opening(game_id, people)
    Game.objects.filter(pk=game_id).update(move_ms=0)
    Seat.objects.filter(game=game_id).update(bank_ms=0)
    progress = moves.expire(game_id)
    row = cast.row(game_id)
    assert bytes(row.by)[0] == By.DEFAULT
    assert progress.over == ()
    late = act(game_id, player.pk, 1, action)
    assert (late.by, late.ply) == (By.DEFAULT, 1)


def test_a_move_past_the_deadline_finds_the_default_action_played() -> None:
    game_id, people = cast.dealt(2, "table")
    Game.objects.filter(pk=game_id).update(move_ms=0)
    Seat.objects.filter(game=game_id).update(bank_ms=0)
    view = wire_view(cast.engine_game(game_id), 0)
    with pytest.raises(StaleMoveError):
        act(game_id, people[0].pk, 1, f"S:{view['hand'][0]}/{view['up'][0][0]}")
    assert bytes(cast.row(game_id).by)[:2] == bytes((By.DEFAULT, By.DEFAULT))


def test_a_house_bot_that_is_to_act_is_told_by_the_progress() -> None:
    game_id, people = cast.dealt(1, "table", bots=1)
    acted = act(game_id, people[0].pk, 1, "S:/")
    assert acted.waiting and acted.progress.turns == ()
    done = moves.act_seat(game_id, 1, 1, "S:/", How())
    game = cast.engine_game(game_id)
    expected = (game_id,) if game.to_act() == (1,) else ()
    assert done.progress.turns == expected


def test_three_defaults_of_a_machine_hand_its_seat_to_the_stand_in() -> None:
    game_id, _ = cast.dealt(1, "table", bots=1)
    while (seat := Seat.objects.get(game=game_id, index=1)).faults < 3:
        game = cast.engine_game(game_id)
        if 1 in game.to_act() and "1" not in cast.row(game_id).pending:
            number = game.move_number(1)
            moves.act_seat(game_id, 1, number, game.default_action(1), How(By.DEFAULT))
        else:
            cast.play_default(game_id)
    assert seat.stand_in_at is not None


def statements(caught: CaptureQueriesContext) -> list[str]:
    """The first words of what was sent; statements that were sent together count each."""
    sent = ";".join(one["sql"] for one in caught.captured_queries)
    return [one.split()[0] for one in sent.split(";")]


def test_a_move_takes_three_statements_also_when_it_costs_time_off_the_bank() -> None:
    game_id, people = cast.dealt()
    player, _, action = opening(game_id, people)
    Game.objects.filter(pk=game_id).update(move_ms=0)
    with CaptureQueriesContext(connection) as caught:
        act(game_id, player.pk, 1, action)
    assert statements(caught) == ["BEGIN", "SELECT", "SELECT", "WITH", "COMMIT"]


def test_challenges_are_sealed_until_all_have_answered() -> None:
    game_id, people = cast.dealt(3, "valepaska")
    claimant = cast.play_default(game_id).seat
    asked = [seat for seat in range(3) if seat != claimant]
    public = wire_view(cast.engine_game(game_id), None)
    first = act(game_id, people[asked[0]].pk, 1, "!")
    assert first.waiting and wire_view(cast.engine_game(game_id), None) == public
    last = act(game_id, people[asked[1]].pk, 1, ".")
    row = cast.row(game_id)
    played = [s.action for s in replays.steps(replays.start_of(row), bytes(row.actions))][1:]
    order = [(claimant + 1) % 3, (claimant + 2) % 3]
    assert played == ["!" if seat == asked[0] else "." for seat in order]
    assert (last.waiting, row.ply) == (False, 3)


def test_where_speed_decides_an_answer_counts_at_once() -> None:
    game_id, people = cast.dealt(3, "valepaska", challenge_mode="first")
    claimant = cast.play_default(game_id).seat
    asked = [seat for seat in range(3) if seat != claimant]
    acted = act(game_id, people[asked[1]].pk, 1, "!")
    assert (acted.waiting, cast.row(game_id).ply) == (False, 2)


def test_who_is_late_in_the_swap_gets_the_default_and_the_others_keep_theirs() -> None:
    game_id, people = cast.dealt(3, "table")
    view = wire_view(cast.engine_game(game_id), 1)
    swap = f"S:{view['hand'][0]}/{view['up'][1][0]}"
    act(game_id, people[1].pk, 1, swap)
    Game.objects.filter(pk=game_id).update(move_ms=0)
    Seat.objects.filter(game=game_id).update(bank_ms=0)
    moves.expire(game_id)
    row = cast.row(game_id)
    steps = list(replays.steps(replays.start_of(row), bytes(row.actions)))
    told = {step.seat: (step.action, By(bytes(row.by)[n])) for n, step in enumerate(steps[:3])}
    assert told == {0: ("S:/", By.DEFAULT), 1: (swap, By.SEAT), 2: ("S:/", By.DEFAULT)}


def test_what_goes_over_the_time_for_a_move_comes_off_the_bank() -> None:
    game_id, people = cast.dealt(2, "classic")
    player, seat, action = opening(game_id, people)
    Game.objects.filter(pk=game_id).update(move_ms=0)
    act(game_id, player.pk, 1, action)
    left = Seat.objects.get(game=game_id, index=seat).bank_ms
    spent = clocks.unpacked(bytes(cast.row(game_id).at_ms))[0]
    assert left == 300_000 - spent


def test_a_move_on_a_connection_that_has_died_is_taken_once_on_a_new_one() -> None:
    game_id, people = cast.dealt()
    player, _, action = opening(game_id, people)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    _in_a_thread(lambda: _kill(pid))
    assert act(game_id, player.pk, 1, action).ply == 1
    assert cast.row(game_id).ply == 1


def _kill(pid: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    connection.close()


def _in_a_thread(task: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(task).result()
