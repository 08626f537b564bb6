"""Programs behind a pipe: what they may do wrong, and that nobody else has to wait for it."""

import json
import sys
from itertools import groupby
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bots_api.protocol import schemas
from games.arena.stdio import NoBotError
from tests.games.arena.support import DEFAULT, ROBO, all_games, contest, robo


def test_a_program_plays_over_its_pipe(tmp_path: Path) -> None:
    legal = robo(
        tmp_path,
        'first = turn["legal"][0]\n'
        '    print(json.dumps({"action": {"S": "S:/", "B": "B:0"}.get(first, first)}), flush=True)',
    )
    played = contest(legal, "house:lowest", preset="classic", games=2)
    for game in all_games(played):
        seat = game.seating.entrants.index(0)
        assert not game.tallies[seat].faults
        assert game.tallies[seat].spent_ms


def test_three_faults_hand_the_seat_to_the_stand_in(tmp_path: Path) -> None:
    rude = robo(tmp_path, 'print("what?", flush=True)')
    (game, _) = all_games(contest(rude, "house:lowest", preset="classic", games=1))
    seat = game.seating.entrants.index(0)
    assert game.tallies[seat].faults == {"bad_json": 3}
    assert game.ending == "over"


def test_an_illegal_action_is_a_fault_with_its_code(tmp_path: Path) -> None:
    blind = robo(tmp_path, 'print(json.dumps({"action": "B:0"}), flush=True)')
    (game, _) = all_games(contest(blind, "house:lowest", preset="classic", games=1))
    assert game.tallies[game.seating.entrants.index(0)].faults == {"illegal_action:option_off": 3}


def test_a_late_answer_is_a_fault_and_is_not_taken_for_the_next(tmp_path: Path) -> None:
    slow = robo(
        tmp_path,
        "import time; time.sleep(0.6 if asked == 1 else 0)\n"
        '    print(json.dumps({"action": "nr %d" % asked}), flush=True)',
    )
    played = contest(slow, "house:lowest", preset="classic", games=1, move_ms=300, bank_ms=0)
    (game, _) = all_games(played)
    faults = game.tallies[game.seating.entrants.index(0)].faults
    assert faults["timeout"] >= 1
    assert faults.total() == 3


def test_a_dead_program_forfeits_its_turns(tmp_path: Path) -> None:
    dead = robo(tmp_path, "sys.exit()")
    (game, _) = all_games(contest(dead, "house:lowest", preset="classic", games=1))
    assert game.tallies[game.seating.entrants.index(0)].faults == {"connect": 3}


def test_with_duplicate_a_program_is_started_afresh_for_each_game(tmp_path: Path) -> None:
    log = tmp_path / "starts"
    counted = robo(tmp_path, DEFAULT).replace("robo.py", "counted.py")
    program = tmp_path / "counted.py"
    program.write_text(f"open({str(log)!r}, 'a').write('x')\n" + ROBO % DEFAULT)
    all_games(contest(counted, "house:lowest", preset="classic", games=4, duplicate=True))
    assert log.read_text() == "xxxx"


def test_a_program_without_a_handshake_is_no_entrant(tmp_path: Path) -> None:
    program = tmp_path / "mute.py"
    program.write_text("print('hello')")
    with pytest.raises(NoBotError, match="no handshake"):
        all_games(contest(f"{sys.executable} {program}", "house:lowest", games=1))


def test_a_program_that_can_not_be_started_is_named() -> None:
    with pytest.raises(NoBotError, match="no-such-bot: cannot be started"):
        all_games(contest("./no-such-bot", "house:lowest", games=1))


def test_one_that_ends_at_once_is_told_by_its_exit_code() -> None:
    with pytest.raises(NoBotError, match="exit code 3"):
        all_games(contest("sh -c 'exit 3'", "house:lowest", games=1))


def test_a_program_that_crashed_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    dead = robo(tmp_path, "sys.exit()")
    played = all_games(contest(dead, "house:lowest", preset="classic", games=2))
    faults = [game.tallies[game.seating.entrants.index(0)].faults for game in played]
    assert faults == [{"connect": 3}] * 2


def test_an_endless_line_is_too_large_and_what_follows_is_read(tmp_path: Path) -> None:
    loud = robo(tmp_path, 'print("x" * 70_000 if asked == 1 else "what?", flush=True)')
    (game, _) = all_games(contest(loud, "house:lowest", preset="classic", games=1))
    tally = game.tallies[game.seating.entrants.index(0)]
    assert tally.faults == {"too_large": 1, "bad_json": 2}
    assert tally.evidence.startswith("too_large in game 0.0, seat ")


def test_who_talks_beside_its_answers_is_still_understood(tmp_path: Path) -> None:
    """A word too many that comes with an answer is not taken for the next one."""
    chatty = robo(
        tmp_path,
        'first = turn["legal"][0]\n'
        '    said = json.dumps({"action": {"S": "S:/"}.get(first, first)})\n'
        '    __import__("os").write(1, (said + "\\nthat was it\\n").encode())',
    )
    for game in all_games(contest(chatty, "house:lowest", preset="classic", games=2)):
        assert not game.tallies[game.seating.entrants.index(0)].faults


def test_who_never_reads_does_not_hold_the_arena_up(tmp_path: Path) -> None:
    """The pipe to it fills after some messages; then it is ended, and started for the next game."""
    program = tmp_path / "deaf.py"
    hello = ROBO.partition("asked = 0")[0]
    program.write_text(hello + "import time\nwhile True: time.sleep(1)")
    deaf = f"{sys.executable} {program}"
    asked = {"preset": "valepaska", "games": 40, "move_ms": 1, "bank_ms": 0}
    for game in all_games(contest(deaf, "house:random", **asked)):
        faults = game.tallies[game.seating.entrants.index(0)].faults
        assert faults.total() == 3
        assert faults.keys() <= {"timeout", "connect"}


def test_a_program_hears_of_each_game_before_its_turns_and_of_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = tmp_path / "robo.py"
    noting = f"    open({str(log)!r}, 'a').write(line)\n    turn = json.loads(line)\n"
    program.write_text(ROBO.replace("    turn = json.loads(line)\n", noting) % DEFAULT)
    played = all_games(
        contest(f"{sys.executable} {program}", "house:lowest", preset="classic", games=2)
    )
    told = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = [message["type"] for message in told]
    assert [kind for kind, _ in groupby(kinds)] == ["game_start", "turn", "game_end"] * 2
    starts = [message for message in told if message["type"] == "game_start"]
    ends = [message for message in told if message["type"] == "game_end"]
    assert all(len(start["commitment"]) == 64 for start in starts)
    for message in told:
        if message["type"] != "game_end":
            schema = schemas.TURN if message["type"] == "turn" else schemas.GAME_START
            Draft202012Validator(schema).validate(message)
    for game, end in zip(played, ends, strict=True):
        Draft202012Validator(schemas.GAME_END).validate(end)
        assert end["places"] == [list(group) for group in game.places]
        assert end["seat"] == game.seating.entrants.index(0)
