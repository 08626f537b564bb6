"""Bots that answer wrongly in every way: the game goes on, and the owner sees why."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from bots_api.models import Fault
from games.driver.resident import Resident
from games.models import Game
from tests.bots_api.cast import driven_game, house, owner, robo
from tests.raw_server import answer, read_request, running

pytestmark = pytest.mark.django_db(transaction=True)

OK = b"HTTP/1.1 200 OK\r\n"
SAYING = b'{"protocol": 1, "version": "1", "presets": ["table"], "concurrency": 8}'
DEEP = b'{"action": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"

# What is sent after a turn (a number: seconds to wait first; None: for ever), and what that is.
MISCHIEF: dict[str, tuple[list[bytes | float], Fault.Kind]] = {
    "stall": ([9.0], Fault.Kind.TIMEOUT),
    "late": ([0.6, answer(b'{"action": "U"}')], Fault.Kind.TIMEOUT),
    "stall-in-headers": ([OK + b"Content-Le", 9.0], Fault.Kind.TIMEOUT),
    "stall-in-body": ([OK + b"Content-Length: 90\r\n\r\n{", 9.0], Fault.Kind.TIMEOUT),
    "hang-up": ([b""], Fault.Kind.CONNECT),
    "truncated": ([OK + b"Content-Length: 90\r\n\r\n{}"], Fault.Kind.CONNECT),
    "huge": ([answer(b"0" * 10_000_000)], Fault.Kind.TOO_LARGE),
    "endless-header": ([OK + b"X: " + b"y" * 100_000], Fault.Kind.TOO_LARGE),
    "many-headers": ([OK + b"X: y\r\n" * 100_000], Fault.Kind.TOO_LARGE),
    "not-http": ([b"hello\r\n\r\n"], Fault.Kind.BAD_REPLY),
    "packed": (
        [answer(gzip.compress(b"0" * 9_000_000)[:9000], "200 OK", "Content-Encoding: gzip")],
        Fault.Kind.BAD_ENCODING,
    ),
    "redirect": (
        [answer(b"", "302 Found", "Location: http://127.0.0.1:22/")],
        Fault.Kind.REDIRECT,
    ),
    "empty": ([answer(b"", "204 No Content")], Fault.Kind.HTTP_STATUS),
    "teapot": ([answer(b'{"action": "U"}', "418 Teapot")], Fault.Kind.HTTP_STATUS),
    "error": ([answer(b"oh no", "500 Internal Server Error")], Fault.Kind.HTTP_STATUS),
    "html": ([answer(b"<html></html>")], Fault.Kind.BAD_JSON),
    "header-of-bytes": (
        [OK + b"Content-Type: a/\xff\xfe\xed\xa0\x80\r\nContent-Length: 2\r\n\r\nxx"],
        Fault.Kind.BAD_JSON,
    ),
    "reason-of-bytes": (
        [b"HTTP/1.1 418 \xff\x01\r\nContent-Length: 0\r\n\r\n"],
        Fault.Kind.HTTP_STATUS,
    ),
    "body-of-bytes": ([answer(bytes(range(256)))], Fault.Kind.BAD_JSON),
    "bom": ([answer(b'\xef\xbb\xbf{"action": "U"}')], Fault.Kind.BAD_JSON),
    "two-documents": ([answer(b'{"action": "U"}{}')], Fault.Kind.BAD_JSON),
    "two-keys": ([answer(b'{"action": "U", "action": "P:9x1"}')], Fault.Kind.BAD_JSON),
    "nan": ([answer(b'{"action": NaN}')], Fault.Kind.BAD_JSON),
    "long-number": ([answer(b'{"action": ' + b"1" * 5000 + b"}")], Fault.Kind.BAD_JSON),
    "deep": ([answer(DEEP[:8000])], Fault.Kind.BAD_JSON),
    "nul": ([answer(b'{"action": "\\u0000"}')], Fault.Kind.BAD_JSON),
    "surrogate": ([answer(b'{"action": "\\ud800"}')], Fault.Kind.BAD_JSON),
    "list": ([answer(b'["U"]')], Fault.Kind.BAD_REPLY),
    "no-action": ([answer(b'{"move": "U"}')], Fault.Kind.BAD_REPLY),
    "long-action": ([answer(b'{"action": "' + b"U" * 5000 + b'"}')], Fault.Kind.BAD_REPLY),
    "long-note": (
        [answer(b'{"action": "U", "note": "' + b"n" * 257 + b'"}')],
        Fault.Kind.BAD_REPLY,
    ),
    "illegal": ([answer(b'{"action": "P:*1"}')], Fault.Kind.ILLEGAL_ACTION),
    "malformed": ([answer(b'{"action": "hello"}')], Fault.Kind.ILLEGAL_ACTION),
}


async def bad_bots(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Many bots at one port, told apart by the path: awake when asked, wrong on every turn."""
    while True:
        line, _, body = await read_request(reader)
        if line.startswith("GET"):
            writer.write(answer(SAYING))
            continue
        if b'"type":"turn"' not in body:
            writer.write(answer(b"{}"))
            continue
        for part in MISCHIEF[line.split("/")[1]][0]:
            if isinstance(part, bytes):
                writer.write(part)
                await writer.drain()
            else:
                await asyncio.sleep(part)
        if not part or line.split("/")[1] in ("truncated", "not-http"):
            return


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def test_every_wrong_answer_is_a_fault_of_its_kind_and_the_game_goes_on(driver: Resident) -> None:
    games: dict[str, UUID] = {}
    with running(bad_bots) as port:
        for number, name in enumerate(MISCHIEF):
            of = owner(f"Owner {number}")
            bot = robo(f"http://127.0.0.1:{port}/{name}", f"Bad {name}", of=of)
            games[name] = driven_game(bot.player, house(), move_ms=400)
        assert driver.run_slice(lambda _: None, 60) == 0

    assert set(Game.objects.values_list("state", flat=True)) == {"over"}
    for name, game in games.items():
        found = Counter(Fault.objects.filter(game_ref=game).values_list("kind", flat=True))
        assert found == {MISCHIEF[name][1].value: 3}, name
    held = [fault.evidence["timings"]["total_ms"] for fault in Fault.objects.all()]
    assert max(held) <= 400 + 500


def test_the_evidence_shows_what_was_asked_and_what_came(driver: Resident) -> None:
    with running(bad_bots) as port:
        bot = robo(f"http://127.0.0.1:{port}/teapot")
        driven_game(bot.player, house())
        driver.run_slice(lambda _: None, 60)

    evidence = Fault.objects.filter(bot=bot).order_by("pk")[0].evidence
    assert evidence["status"] == 418
    assert evidence["body"] == '{"action": "U"}'
    assert len(evidence["sha256"]) == 64
    assert evidence["asked"]["type"] == "turn"
    assert set(evidence["asked"]["game"]) == {"id", "rules", "players", "dealer", "competition"}
    assert evidence["timings"]["first_byte_ms"] is not None
    assert evidence["detail"] == "status 418 instead of 200"


def test_an_illegal_action_comes_with_the_rule_and_the_legal_ones(driver: Resident) -> None:
    with running(bad_bots) as port:
        bot = robo(f"http://127.0.0.1:{port}/malformed")
        driven_game(bot.player, house())
        driver.run_slice(lambda _: None, 60)

    evidence = Fault.objects.filter(bot=bot).order_by("pk")[0].evidence
    assert (evidence["code"], evidence["action"]) == ("malformed_action", "hello")
    assert evidence["legal"] and evidence["sha256"]
