"""The arena: who sits where, what the figures say, what is refused; and all in one file."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from games.arena import command
from games.arena.bundle import bundle
from games.arena.entrants import UnknownEntrantError, entrant
from games.arena.figures import Figures, wilson
from games.arena.seating import deck_of, seatings
from games.arena.show import page
from games.engine import verify_lines
from tests.games.arena.support import all_games, contest


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


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("house:oracle", "no house bot"),
        ("house:counter?lies=often", "often"),
        ("", "empty"),
        ("counter", "did you mean house:counter"),
        ('robo "', "No closing quotation"),
    ],
)
def test_who_can_not_be_seated_is_told_why(name: str, says: str) -> None:
    with pytest.raises(UnknownEntrantError, match=says):
        entrant(name)


def test_bad_rules_and_seats_are_refused() -> None:
    with pytest.raises(command.UsageError, match=r"no preset 'bridge'; there are table"):
        contest("house:lowest", preset="bridge")
    with pytest.raises(command.UsageError, match=r"bad_option_value \(jokers\)"):
        contest("house:lowest", options='{"jokers": 9}')
    with pytest.raises(command.UsageError, match="2 to 6"):
        contest("house:lowest", players=7)
    with pytest.raises(command.UsageError, match="JSON"):
        contest("house:lowest", options="[]")


@pytest.mark.parametrize("option", ["games", "jobs", "move_ms"])
def test_numbers_that_make_no_sense_are_refused(option: str) -> None:
    with pytest.raises(command.UsageError, match="at least 1"):
        contest("house:lowest", **{option: 0})


def test_a_game_is_shown_with_the_cards_of_all() -> None:
    (game, *_) = all_games(contest("house:lowest", "house:counter", preset="valepaska", games=1))
    shown = page(game.record)
    assert shown.count("<tr>") == game.plies + 2
    assert "house:counter" in shown


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
    assert "no handshake" in run(pyz, "arena", "http://127.0.0.1:1", "house:lowest").stderr


def test_housu_pyz_is_the_same_bytes_each_time() -> None:
    assert bundle() == bundle()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_tells_what_has_been_played(tmp_path: Path, jobs: str) -> None:
    pyz, out, told = tmp_path / "housu.pyz", tmp_path / "out.jsonl", tmp_path / "told"
    pyz.write_bytes(bundle())
    line = "arena house:lowest house:random --games 1000000 --jobs"
    with told.open("w") as to:
        arena = subprocess.Popen(
            [sys.executable, "-I", "-S", str(pyz), *line.split(), jobs, "--json", str(out)],
            stdout=to,
            stderr=to,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until and not (out.exists() and out.read_text().count("\n") > 1):
            time.sleep(0.05)
        arena.send_signal(signal.SIGINT)
        assert arena.wait(60) == 130
    assert "interrupted" in told.read_text()
    assert "house:lowest - house:random" in told.read_text()
    assert "Traceback" not in told.read_text()
    assert out.read_text().endswith("}\n")
