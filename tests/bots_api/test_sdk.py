"""The bot authors' file: whom it answers, what it says, and that it plays whole games."""

from __future__ import annotations

import ast
import hashlib
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from bots_api.sdk import housubot
from games.engine import PRESETS, Game, rules_from, shuffled_deck, view
from games.engine.rules import packs_needed

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
EXAMPLES = Path(housubot.__file__).parents[1] / "examples" / "python"
BODY = b'{"type": "nonce", "nonce": "n1"}'


class Echo(housubot.Bot):
    version = "7"

    def choose(self, turn: housubot.Turn) -> str:
        return turn.otherwise()


def signed(body: bytes, secret: str = SECRET, at: datetime | None = None) -> dict[str, str]:
    moment = at or datetime.now(UTC)
    return {
        "webhook-id": "m1",
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": Webhook(secret).sign("m1", moment, body.decode()),
    }


@contextmanager
def serving(bot: housubot.Bot, secrets: list[str]) -> Iterator[http.client.HTTPConnection]:
    server = housubot.server(bot, secrets)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    try:
        yield connection
    finally:
        connection.close()
        server.shutdown()
        thread.join()
        server.server_close()


def post(
    connection: http.client.HTTPConnection, body: bytes, headers: dict[str, str], path: str
) -> tuple[int, Any]:
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_a_signature_of_the_service_is_accepted() -> None:
    housubot.verify([SECRET], signed(BODY), BODY)


def test_either_of_two_secrets_is_accepted_while_rotating() -> None:
    headers = signed(BODY)
    headers["webhook-signature"] += " " + signed(BODY, OTHER)["webhook-signature"]
    housubot.verify([OTHER], headers, BODY)
    housubot.verify([SECRET], headers, BODY)
    housubot.verify([OTHER, SECRET], signed(BODY), BODY)


@pytest.mark.parametrize("shift", [-299, 299])
def test_clocks_may_be_almost_five_minutes_apart(shift: int) -> None:
    headers = signed(BODY)
    housubot.verify([SECRET], headers, BODY, int(headers["webhook-timestamp"]) + shift)


def test_header_names_may_be_in_any_case() -> None:
    headers = {name.title(): value for name, value in signed(BODY).items()}
    housubot.verify([SECRET], headers, BODY)


@pytest.mark.parametrize("shift", [-301, 301])
def test_an_old_or_future_call_is_refused(shift: int) -> None:
    headers = signed(BODY)
    now = int(headers["webhook-timestamp"]) - shift
    with pytest.raises(housubot.SignatureError, match="old"):
        housubot.verify([SECRET], headers, BODY, now)


def test_an_altered_call_is_refused() -> None:
    with pytest.raises(housubot.SignatureError):
        housubot.verify([SECRET], signed(BODY), BODY + b" ")


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp"])
def test_a_signature_moved_to_another_id_or_time_is_refused(name: str) -> None:
    moved = {"webhook-id": "m2", "webhook-timestamp": str(int(time.time()) - 7)}[name]
    with pytest.raises(housubot.SignatureError, match="not right"):
        housubot.verify([SECRET], {**signed(BODY), name: moved}, BODY)


def test_a_call_that_was_meant_for_another_bot_is_refused() -> None:
    with pytest.raises(housubot.SignatureError):
        housubot.verify([SECRET], signed(BODY, OTHER), BODY)


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
@pytest.mark.parametrize("value", ["", "x", "１", "-1", "v1,", "v2,AAAA", "9" * 500])
def test_headers_that_make_no_sense_are_refused(name: str, value: str) -> None:
    with pytest.raises(housubot.SignatureError):
        housubot.verify([SECRET], {**signed(BODY), name: value}, BODY)


def test_the_server_answers_signed_calls_on_one_kept_connection() -> None:
    with serving(Echo(), [SECRET]) as connection:
        for _ in range(3):
            assert post(connection, BODY, signed(BODY), "/move") == (200, {"nonce": "n1"})


def test_a_call_that_comes_again_hears_the_same_and_the_bot_is_asked_once() -> None:
    asked: list[str] = []

    class Counting(Echo):
        def entropy(self, start: Any) -> str:
            asked.append(start["type"])
            return str(len(asked))

    body = b'{"type": "game_start"}'
    headers = signed(body)
    with serving(Counting(), [SECRET]) as connection:
        said = [post(connection, body, headers, "/move") for _ in range(3)]
    assert said == [(200, {"entropy": "1"})] * 3
    assert asked == ["game_start"]


def test_answers_that_are_kept_do_not_pile_up() -> None:
    kept = housubot._Answers()
    for number in range(housubot.KEPT_ANSWERS + 5):
        kept.keep(str(number), {})
    assert (kept.get("0"), kept.get("5")) == (None, {})


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/move", {}, 401),
        ("/move", signed(BODY, OTHER), 401),
        ("/elsewhere", signed(BODY), 404),
        ("/move", {"Content-Length": "99999999"}, 413),
        ("/move", {"Content-Length": "9" * 5000}, 413),
        ("/move", {"Content-Length": "-1"}, 413),
        ("/move", {"Transfer-Encoding": "chunked"}, 413),
    ],
)
def test_the_server_turns_away_what_is_not_for_it(
    path: str, headers: dict[str, str], status: int
) -> None:
    with serving(Echo(), [SECRET]) as connection:
        assert post(connection, BODY, headers, path)[0] == status


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 60_000, b"1" * 5000], ids=range(7)
)
def test_what_is_no_message_is_answered_400(body: bytes) -> None:
    with serving(Echo(), []) as connection:
        assert post(connection, body, {}, "/move")[0] == 400
        assert post(connection, BODY, {}, "/move")[0] == 200


@pytest.mark.parametrize(
    "message", [{"type": "turn"}, {"type": "turn", "game": 1}, {"type": ["turn"]}, {}]
)
def test_a_server_lives_through_messages_it_does_not_know(
    message: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(Echo(), []) as connection:
        assert post(connection, json.dumps(message).encode(), {}, "/move")[0] in (200, 500)
        assert post(connection, BODY, {}, "/move") == (200, {"nonce": "n1"})


def test_a_secret_that_is_none_is_told_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSUBOT_SECRET", "whsec_ä")
        housubot.run(Echo(), ["--port", "0"])
    assert "no signing secret" in capsys.readouterr().err


def test_a_choice_that_is_no_action_is_told_in_words() -> None:
    class Silent(Echo):
        def choose(self, turn: housubot.Turn) -> str:
            return None  # type: ignore[return-value]

    with pytest.raises(TypeError, match="not an action"):
        housubot.handle(Silent(), message(fresh_game("table", 3), 0))


def test_a_note_goes_with_the_action() -> None:
    class Noting(housubot.Bot):
        def choose(self, turn: housubot.Turn) -> dict[str, str]:
            return {"action": turn.otherwise(), "note": "why not"}

    assert housubot.handle(Noting(), message(fresh_game("table", 3), 0))["note"] == "why not"


def test_the_file_reads_as_python_3_9() -> None:
    ast.parse(Path(housubot.__file__).read_text(), feature_version=(3, 9))


def test_what_a_bot_prints_is_no_answer_and_a_failure_is_survived(tmp_path: Path) -> None:
    program = tmp_path / "chatty.py"
    program.write_text(
        "from housubot import Bot, run\n"
        "class Chatty(Bot):\n"
        "    def choose(self, turn):\n"
        "        print('thinking')\n"
        "        return turn.otherwise() if turn.hand else 1 / 0\n"
        "run(Chatty())\n"
    )
    turn = message(fresh_game("table", 3), 0)
    empty = {**turn, "view": {**turn["view"], "hand": []}}
    lines = ["nonsense", json.dumps(empty), json.dumps(turn)]
    done = subprocess.run(
        [sys.executable, str(program), "--stdio"],
        input="\n".join(lines) + "\n",
        env={**os.environ, "PYTHONPATH": str(Path(housubot.__file__).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    _, *said = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in one for one in said] == [True, True, False]
    assert "thinking" in done.stderr


def test_the_handshake_says_who_it_is() -> None:
    with serving(Echo(), [SECRET]) as connection:
        connection.request("GET", "/")
        said = json.loads(connection.getresponse().read())
    assert (said["protocol"], said["version"], said["presets"]) == (1, "7", ["table"])


def test_a_bot_that_fails_answers_500_and_lives_on(capfd: pytest.CaptureFixture[str]) -> None:
    body = b'{"type": "turn"}'
    with serving(Echo(), []) as connection:
        assert post(connection, body, {}, "/move")[0] == 500
        assert post(connection, BODY, {}, "/move")[0] == 200
    assert "KeyError" in capfd.readouterr().err


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_otherwise_is_a_legal_action_all_through_a_game(preset: str, players: int) -> None:
    game = fresh_game(preset, players)
    while game.ending is None:
        for seat in game.to_act():
            turn = housubot.Turn(message(game, seat))
            game.play(seat, game.check(seat, turn.otherwise()))
            if game.ending is None and seat in game.to_act():
                break


@pytest.mark.parametrize("example", ["lowest_bot.py", "keeper_bot.py"])
def test_an_example_plays_a_whole_game_over_stdio(example: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(housubot.__file__).parent)}
    command = [sys.executable, str(EXAMPLES / example), "--stdio"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert json.loads(process.stdout.readline())["protocol"] == 1
        game = fresh_game("table", 3)
        while game.ending is None:
            seat = game.to_act()[0]
            process.stdin.write(json.dumps(message(game, seat)) + "\n")
            process.stdin.flush()
            action = json.loads(process.stdout.readline())["action"]
            game.play(seat, game.check(seat, action))
        process.stdin.close()
        assert process.wait(5) == 0


def fresh_game(preset: str, players: int) -> Game:
    rules = rules_from(preset)
    packs, _ = packs_needed(rules, players)
    deck = shuffled_deck(hashlib.sha256(preset.encode()).digest(), packs, rules.jokers)
    return Game(rules, players, 0, deck)


def message(game: Game, seat: int) -> dict[str, Any]:
    return {
        "type": "turn",
        "game": {"players": game.players},
        "seat": seat,
        "view": view(game, seat).wire(),
        "legal": game.legal(seat),
        "deadline_ms": 1000,
    }
