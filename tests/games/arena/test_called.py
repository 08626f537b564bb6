"""Bots behind a URL play in the arena as programs do, but never twice with one deck."""

import asyncio
import time

import pytest

from games.arena import command
from games.arena.stdio import NoBotError
from games.arena.webhook import WebhookBot
from tests.games.arena.support import all_games, contest
from tests.games.arena.test_checkup import OTHER, SECRET, answering, sdk_server
from tests.raw_server import running


def test_a_bot_behind_a_url_plays_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSUBOT_SECRET", SECRET)
    with sdk_server([SECRET]) as url:
        for _ in range(2):  # the second time other games have other ids
            for game in all_games(contest(url, "house:lowest", preset="classic", games=2)):
                tally = game.tallies[game.seating.entrants.index(0)]
                assert tally.spent_ms
                assert not tally.faults, tally.evidence


def test_a_wrong_secret_is_told_in_the_words_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSUBOT_SECRET", OTHER)
    with sdk_server([SECRET]) as url:
        (game, _) = all_games(contest(url, "house:lowest", preset="classic", games=1))
    tally = game.tallies[game.seating.entrants.index(0)]
    assert tally.faults == {"http_status": 3}
    assert "401" in tally.evidence


def test_where_nobody_listens_there_is_no_bot() -> None:
    with pytest.raises(NoBotError, match="no handshake"):
        all_games(contest("http://127.0.0.1:1", "house:lowest", games=1))


def test_a_bot_that_answers_with_errors_is_at_fault() -> None:
    with answering(lambda _: (500, b"oops")) as url:
        (game, _) = all_games(contest(url, "house:lowest", preset="classic", games=1))
    tally = game.tallies[game.seating.entrants.index(0)]
    assert tally.faults == {"http_status": 3}
    assert "500" in tally.evidence


def test_a_url_can_not_be_made_to_forget_a_deck() -> None:
    with pytest.raises(command.UsageError, match="forget"):
        contest("http://127.0.0.1:1", "house:lowest", duplicate=True)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n"


@pytest.mark.parametrize(
    ("scheme", "head", "drip"),
    [
        ("http", HEAD + b"\r\n", b" "),
        ("http", b"HTTP/1.1 200 OK\r\n", b"X"),
        ("http", b"", b"H"),
        ("https", b"", b""),
    ],
    ids=["body", "headers", "status", "tls"],
)
def test_a_drip_holds_nobody_up_beyond_the_deadline(scheme: str, head: bytes, drip: bytes) -> None:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(drip)
            await asyncio.sleep(0.02)

    with running(script) as port:
        bot = WebhookBot(f"{scheme}://127.0.0.1:{port}", [])
        began = time.monotonic()
        # Written in 20 ms steps, a whole answer would take minutes.
        answer = bot.ask({"request_id": "m1"}, 0.5)
        took = time.monotonic() - began
        bot.close()
    assert answer.reply is None and answer.fault.startswith("timeout: ")
    assert took < 20
