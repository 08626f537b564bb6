"""The arena: who sits where, what the figures say, programs behind a pipe, all in one file."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from games.arena import command
from games.arena.bundle import bundle
from games.arena.entrants import UnknownEntrantError, entrant
from games.arena.figures import Figures, wilson
from games.arena.match import Played
from games.arena.run import games
from games.arena.seating import Contest, deck_of, seatings
from games.arena.stdio import NoHandshakeError
from games.engine import verify_lines

ROBO = """
import json, sys
print(json.dumps({"protocol": 1, "version": "1"}), flush=True)
asked = 0
for line in sys.stdin:
    turn, asked = json.loads(line), asked + 1
    assert turn["type"] == "turn" and turn["view"]["seat"] == turn["seat"], turn
    %s
"""
DEFAULT = 'print(json.dumps({"action": turn["legal"][0]}), flush=True)'


def contest(*entrants: str, **asked: object) -> Contest:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    chosen = parser.parse_args(list(entrants))
    for name, value in asked.items():
        setattr(chosen, name, value)
    return command.contest_from(chosen)


def robo(tmp_path: Path, answer: str) -> str:
    program = tmp_path / "robo.py"
    program.write_text(ROBO % answer)
    return f"{sys.executable} {program}"


def all_games(played: Contest, jobs: int = 1) -> list[Played]:
    return list(games(played, jobs))


def test_duplicate_gives_everybody_every_seat_of_one_deck() -> None:
    played = contest("house:lowest", "house:random", "house:cautious", duplicate=True, games=6)
    block = list(seatings(played, 1))
    assert {deck_of(played, seating) for seating in block} == {deck_of(played, block[0])}
    for seat in range(3):
        assert {seating.entrants[seat] for seating in block} == {0, 1, 2}


def test_without_duplicate_every_game_has_its_own_deck() -> None:
    played = contest("house:lowest", "house:random", games=8, players=4)
    decks = {deck_of(played, s) for block in range(2) for s in seatings(played, block)}
    assert len(decks) == 8


def test_more_bots_than_seats_sit_in_all_combinations() -> None:
    played = contest("house:lowest", "house:random", "house:cautious", games=6, players=2)
    pairs = Counter(
        tuple(sorted(s.entrants)) for block in range(3) for s in seatings(played, block)
    )
    assert pairs == {(0, 1): 2, (0, 2): 2, (1, 2): 2}


def test_two_processes_play_the_same_games_as_one() -> None:
    played = contest("house:lowest", "house:random", preset="classic", games=8, players=4)
    records = [game.record for game in all_games(played)]
    assert [game.record for game in all_games(played, jobs=2)] == records


def test_records_replay() -> None:
    played = contest("house:lowest", "house:counter", preset="valepaska", games=2)
    text = "\n".join(json.dumps(game.record) for game in all_games(played))
    assert all(verdict["ok"] for verdict in verify_lines(text))


def test_a_weak_bot_loses_more_often() -> None:
    played = contest("house:lowest", "house:random", preset="classic", games=40, players=4)
    figures = Figures([e.name for e in played.entrants], duplicate=False)
    for game in all_games(played):
        figures.add(game)
    assert figures.loss_rate(0).high < figures.loss_rate(1).low
    assert figures.difference(0, 1).high < 0
    assert sum(figures.places[0].values()) == 80


def test_wilson_intervals_are_those_of_the_book() -> None:
    interval = wilson(25, 100)
    assert [round(value, 4) for value in interval] == [0.25, 0.1755, 0.343]


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
    with pytest.raises(NoHandshakeError, match="no handshake"):
        all_games(contest(f"{sys.executable} {program}", "house:lowest", games=1))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("https://bot.example", "webhook"),
        ("house:oracle", "no house bot"),
        ("house:counter?lies=often", "often"),
        ("", "empty"),
    ],
)
def test_who_can_not_be_seated_is_told_why(name: str, says: str) -> None:
    with pytest.raises(UnknownEntrantError, match=says):
        entrant(name)


def test_bad_rules_and_seats_are_refused() -> None:
    with pytest.raises(command.UsageError, match="unknown_preset"):
        contest("house:lowest", preset="bridge")
    with pytest.raises(command.UsageError, match="2 to 6"):
        contest("house:lowest", players=7)
    with pytest.raises(command.UsageError, match="JSON"):
        contest("house:lowest", options="[]")


def run(pyz: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(pyz), *arguments]
    return subprocess.run(
        line, input=given, capture_output=True, text=True, check=False, cwd=pyz.parent
    )


def test_housu_pyz_needs_nothing_but_python(tmp_path: Path) -> None:
    pyz = tmp_path / "housu.pyz"
    pyz.write_bytes(bundle())
    out = tmp_path / "out.jsonl"
    line = "arena house:counter house:lowest --preset classic --games 4 --jobs 2 --json"
    told = run(pyz, *line.split(), str(out))
    assert told.returncode == 0, told.stderr
    assert "house:counter - house:lowest" in told.stdout or "house:lowest - " in told.stdout
    records = out.read_text()
    assert len(records.splitlines()) == 4
    verdicts = run(pyz, "verify", given=records)
    assert [json.loads(line)["ok"] for line in verdicts.stdout.splitlines()] == [True] * 4
    traced = run(pyz, "trace", str(out)).stdout.splitlines()
    assert json.loads(traced[0])["action"] is None
    assert run(pyz, "verify", given="no record").returncode == 1
    assert "webhook" in run(pyz, "arena", "http://x", "house:lowest").stderr


def test_housu_pyz_is_the_same_bytes_each_time() -> None:
    assert bundle() == bundle()
