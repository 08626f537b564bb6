"""One fault of your Housuliiga bot as a test: it fails until the bot answers soundly.

    BOT_URL=http://127.0.0.1:8001 BOT_SECRET=whsec_... pytest test_fault.py
    BOT_COMMAND="python my_bot.py --stdio" pytest test_fault.py
    python test_fault.py http://127.0.0.1:8001

It sends the request of then, signed anew with BOT_SECRET if that is set, and judges the answer as
the service does. Python 3.9 or newer, standard library alone; pytest if you like.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

CASE: dict[str, Any] = {}

WAKING_S = 20.0
MOST_BYTES, MOST_DEPTH = 16 * 1024, 16


def test_the_bot_answers_soundly() -> None:
    """The fault does not happen again."""
    if CASE["kind"] == "version_changed":
        wanted = CASE["then"]["frozen"]
        said = handshake()
        assert said["version"] == wanted, f"answers as {said['version']}, entered as {wanted}"
        return
    message = CASE["message"]
    assert message is not None, "what was asked then was not kept"
    reply = read(ask(message))
    if message["type"] == "turn":
        check_turn(message, reply)


def check_turn(message: dict[str, Any], reply: dict[str, Any]) -> None:
    """The reply has the right shape, and its action is legal."""
    action, note = reply.get("action"), reply.get("note", "")
    assert isinstance(action, str) and 0 < len(action) <= 300, f"no action: {reply}"
    assert isinstance(note, str) and len(note) <= 256, "the note is no text of up to 256"
    assert is_legal(action, message), f"{action!r} is not among {message['legal']}"


def is_legal(action: str, message: dict[str, Any]) -> bool:
    """Whether `legal` has the action, in short form or with its cards named."""
    legal, view, seat = message["legal"], message["view"], message["seat"]
    kind, _, rest = action.partition(":")
    hand, up = list(view["hand"]), list(view["up"][seat])
    if kind == "P" and "x" not in rest:
        cards = split(rest)
        held = holds(hand or up, cards) and len({card[0] for card in cards}) == 1
        return held and f"P:{cards[0][0]}x{len(cards)}" in legal
    if kind == "S":
        give, slash, take = rest.partition("/")
        swapped = split(give), split(take)
        same = len(swapped[0]) == len(swapped[1])
        return bool(slash and same and holds(hand, swapped[0]) and holds(up, swapped[1])) and (
            "S" in legal
        )
    if kind == "C":
        cards_text, _, rank = rest.partition("=")
        cards = split(cards_text)
        return bool(cards) and holds(hand, cards) and f"C:{rank}" in legal
    if kind == "B":
        down = view["down"][seat]
        there = rest.isdigit() and int(rest) < len(down) and down[int(rest)]
        return bool(there) and "B" in legal
    return action in legal


def split(text: str) -> list[str]:
    """Cards of two characters each; what is none stays, and is held by nobody."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def holds(have: list[str], cards: list[str]) -> bool:
    """Whether all these cards are among those, each as often."""
    return all(cards.count(card) <= have.count(card) for card in cards)


def read(came: tuple[int, dict[str, str], bytes]) -> dict[str, Any]:
    """The reply in an answer that the service would take."""
    status, headers, body = came
    assert status == 200, f"status {status} instead of 200: {body[:200]!r}"
    encoding = headers.get("content-encoding", "identity").lower()
    assert encoding == "identity", f"the answer is packed: {encoding}"
    assert len(body) <= MOST_BYTES, f"{len(body)} bytes; at most {MOST_BYTES}"
    text = body.decode("utf-8")
    assert not text.startswith("\ufeff"), "a byte order mark"
    reply = json.loads(
        text, object_pairs_hook=once, parse_constant=refused, parse_float=finite, parse_int=short
    )
    check_texts(reply, 1)
    assert isinstance(reply, dict), "the answer is JSON, but no object"
    return reply


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without a key twice."""
    assert len({key for key, _ in pairs}) == len(pairs), "a key twice"
    return dict(pairs)


def refused(name: str) -> None:
    """NaN and Infinity are no JSON."""
    raise AssertionError(f"{name} is no JSON")


def finite(text: str) -> float:
    """A number that a machine can hold."""
    assert math.isfinite(float(text)), f"{text[:40]} is too large"
    return float(text)


def short(text: str) -> int:
    """A number that nobody has to wait for."""
    assert len(text) <= 40, "a number of more than 40 digits"
    return int(text)


def check_texts(value: Any, depth: int) -> None:
    """No NUL, no half of a surrogate pair, not too deep."""
    assert depth <= MOST_DEPTH, f"deeper than {MOST_DEPTH}"
    if isinstance(value, str):
        assert "\0" not in value, "a NUL"
        value.encode("utf-8")
    elif isinstance(value, dict):
        for key, part in value.items():
            check_texts(key, depth)
            check_texts(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            check_texts(part, depth + 1)


def ask(message: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """Send the message, to whatever the environment names; woken first, off the clock."""
    allowed_s = (message.get("deadline_ms", 5000) + message.get("bank_ms", 0)) / 1000
    command = os.environ.get("BOT_COMMAND")
    if command:
        return over_stdio(shlex.split(command), message, allowed_s)
    handshake()
    body = json.dumps(message, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json", **signature(message["request_id"], body)}
    came: tuple[int, dict[str, str], bytes] = within(
        allowed_s, lambda: over_http("POST", "/move", headers, body)
    )
    return came


def handshake() -> dict[str, Any]:
    """Wake the bot; what it says of itself."""
    command = os.environ.get("BOT_COMMAND")
    if command:
        with subprocess.Popen(shlex.split(command), stdout=-1, stdin=-1, text=True) as bot:
            assert bot.stdout is not None
            line = within(WAKING_S, bot.stdout.readline)
            bot.kill()
        said: dict[str, Any] = json.loads(line)
        return said
    headers = signature("msg_waking", b"")
    return read(within(WAKING_S, lambda: over_http("GET", "", headers, None)))


def over_http(
    method: str, path: str, headers: dict[str, str], body: bytes | None
) -> tuple[int, dict[str, str], bytes]:
    """One call. Redirects are not followed."""
    url = os.environ.get("BOT_URL") or CASE["url"]
    assert url, "set BOT_URL, or BOT_COMMAND for a bot that is not called"
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=WAKING_S)
    try:
        connection.request(method, (parts.path.rstrip("/") + path) or "/", body, headers)
        answer = connection.getresponse()
        content = answer.read(MOST_BYTES + 1)
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content
    finally:
        connection.close()


def over_stdio(
    command: list[str], message: dict[str, Any], allowed_s: float
) -> tuple[int, dict[str, str], bytes]:
    """The same over standard input and output, a line each."""
    with subprocess.Popen(command, stdout=-1, stdin=-1, text=True) as bot:
        assert bot.stdin is not None and bot.stdout is not None
        try:
            within(WAKING_S, bot.stdout.readline)
            bot.stdin.write(json.dumps(message) + "\n")
            bot.stdin.flush()
            line: str = within(allowed_s, bot.stdout.readline)
            return 200, {}, line.encode()
        finally:
            bot.kill()


def within(seconds: float, act: Callable[[], Any]) -> Any:
    """What `act` returns or raises, if that comes in time."""
    came: list[Any] = []

    def run() -> None:
        try:
            came.append((act(), None))
        except Exception as error:
            came.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert came, f"no whole answer within {seconds:g} s"
    found, error = came[0]
    if error is not None:
        raise AssertionError(f"no answer: {error!r}") from error
    return found


def signature(message_id: str, body: bytes) -> dict[str, str]:
    """Standard Webhooks headers, if BOT_SECRET is set."""
    secret = os.environ.get("BOT_SECRET", "").split(" ")[0]
    if not secret:
        return {}
    stamp = str(int(time.time()))
    key = base64.b64decode(secret.replace("whsec_", "", 1))
    signed = f"{message_id}.{stamp}.".encode() + body
    mark = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{mark}",
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.environ["BOT_URL"] = sys.argv[1]
    print(f"fault {CASE['fault']}, {CASE['kind']}: {CASE['then'].get('detail', '')}")
    test_the_bot_answers_soundly()
    print("sound")
