"""`check URL|COMMAND`: what the service's check asks, asked from here, and what came of it.

Reads like `bots_api.checks.checking`, over a URL or a stdio command, without a service.
"""

import json
import secrets
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from games.arena.positions import DEADLINE_MS, POSITIONS, Position, found, message, refusal
from games.arena.stdio import NoBotError, StdioBot
from games.arena.webhook import Answered, WebhookBot

WAKING_S: Final = 20.0
PATIENCE_S: Final = 5.0
COLD_MS: Final = 2000
MAX_MESSAGE: Final = 64 * 1024
MAX_ACTION, MAX_NOTE, MAX_VERSION = 300, 256, 60

Ask = Callable[[Mapping[str, Any]], Answered]
Judge = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class Step:
    """One question and its verdict: ok, note or failed; `asked` is for trying it again."""

    name: str
    verdict: str
    ms: float
    detail: str = ""
    asked: str = ""


class Way(Protocol):
    """A transport, as a check uses it."""

    def hello(self) -> Answered:
        """The handshake, with patience."""

    def ask(self, question: Mapping[str, Any]) -> Answered:
        """One question."""

    def shown(self, question: Mapping[str, Any]) -> str:
        """The question for a shell."""

    def own(self) -> Iterator[Step]:
        """What only this transport is asked."""

    def close(self) -> None:
        """The end."""


def way(bot: str, signing: Sequence[str], note: Callable[[str], object] = print) -> Way:
    """How a bot is reached. Raises `BadUrlError`, `ValueError` for a line that is no command."""
    if "://" in bot.partition(" ")[0]:
        return _Called(bot, signing, note)
    return _Started(shlex.split(bot))


def steps(asker: Way) -> Iterator[Step]:
    """The whole check, each step as it is done; after a failed handshake there is no more."""
    hello = _hello(asker.hello())
    yield hello
    if hello.verdict == "failed":
        return
    yield from asker.own()
    for position in POSITIONS:
        yield _position(asker, f"position: {position.name}", position, message(position))
    yield _position(asker, "the last one again", POSITIONS[-1], message(POSITIONS[-1]))
    yield _position(asker, "64 KiB", POSITIONS[-2], full(message(POSITIONS[-2])))


def full(question: Mapping[str, Any]) -> dict[str, Any]:
    """A turn that is as long as any can be: its events are repeated up to 64 KiB."""
    view = question["view"]
    once = view["events"] or [{"event": "pass", "seat": question["seat"]}]
    size = len(json.dumps({**question, "request_id": _new_id()}, separators=(",", ":")))
    room = (MAX_MESSAGE - size) // (len(json.dumps(once, separators=(",", ":"))) + 1)
    return {**question, "view": {**view, "events": once * max(1, room)}}


def _position(asker: Way, name: str, position: Position, question: Mapping[str, Any]) -> Step:
    def judge(reply: Mapping[str, Any]) -> str:
        wrong = _shape(reply)
        refused = wrong or refusal(position, reply["action"])
        if wrong or refused is None:
            return wrong
        game, seat = found(position)
        return f"illegal_action: {refused}: it said {reply['action']!r}, legal are " + " ".join(
            game.legal(seat)
        )

    return _asked(asker, name, question, judge)


def _asked(asker: Way, name: str, question: Mapping[str, Any], judge: Judge) -> Step:
    whole = {**question, "request_id": _new_id()}
    came = asker.ask(whole)
    wrong = came.fault if came.reply is None else judge(came.reply)
    if wrong:
        return Step(name, "failed", came.ms, wrong, asker.shown(whole))
    if came.ms > DEADLINE_MS:
        return Step(name, "note", came.ms, f"slower than {DEADLINE_MS} ms: it costs of the bank")
    action = (came.reply or {}).get("action")
    return Step(name, "ok", came.ms, "" if action is None else str(action))


def _hello(came: Answered) -> Step:
    wrong = came.fault if came.reply is None else _introduction(came.reply)
    if wrong or came.reply is None:
        return Step("handshake", "failed", came.ms, wrong)
    if came.ms > COLD_MS:
        return Step("handshake", "note", came.ms, "a cold start: it is woken before its games")
    plays = ", ".join(came.reply.get("presets") or ["table"])
    return Step("handshake", "ok", came.ms, f"version {came.reply['version']}, plays {plays}")


def _shape(reply: Mapping[str, Any]) -> str:
    """What is wrong with a reply to a turn, whatever the rules say of it."""
    action, note = reply.get("action"), reply.get("note", "")
    if not isinstance(action, str) or not 0 < len(action) <= MAX_ACTION:
        return f'bad_reply: "action" is not a text of 1 to {MAX_ACTION} characters'
    if not isinstance(note, str) or len(note) > MAX_NOTE:
        return f'bad_reply: "note" is not a text of up to {MAX_NOTE} characters'
    return ""


def _introduction(reply: Mapping[str, Any]) -> str:
    """What is wrong with a handshake."""
    version, presets = reply.get("version"), reply.get("presets", [])
    width = reply.get("concurrency")
    if reply.get("protocol") != 1:
        return '"protocol" is not 1'
    if not isinstance(version, str) or not 0 < len(version) <= MAX_VERSION:
        return f'"version" is not a text of 1 to {MAX_VERSION} characters'
    texts = isinstance(presets, list) and all(isinstance(one, str) for one in presets)
    if not texts or not isinstance(reply.get("author", ""), str):
        return '"author" or "presets" has the wrong type'
    if width is not None and not (type(width) is int and 1 <= width <= 64):
        return '"concurrency" is not a number from 1 to 64'
    return ""


def _new_id() -> str:
    return f"msg_{secrets.token_hex(16)}"


class _Called:
    """Over HTTP, as in a game."""

    def __init__(self, url: str, signing: Sequence[str], note: Callable[[str], object]) -> None:
        self._bot, self._url, self._signed = WebhookBot(url, signing), url.rstrip("/"), signing
        self._note = note

    def hello(self) -> Answered:
        """Again each second on refusal or a 5xx, as the service does it."""
        began = time.monotonic()
        while True:
            left = WAKING_S - (time.monotonic() - began)
            came = self._bot.hello(max(0.1, left))
            sleeps = came.status is None or came.status >= 500
            if not sleeps or left < 1:
                return came._replace(ms=(time.monotonic() - began) * 1000)
            if left > WAKING_S - 1:
                self._note(f"not awake yet: {came.fault}; asked again for {WAKING_S:.0f} s")
            time.sleep(1)

    def ask(self, question: Mapping[str, Any]) -> Answered:
        """A signed call."""
        return self._bot.ask(question, PATIENCE_S)

    def shown(self, question: Mapping[str, Any]) -> str:
        """As curl; unsigned, so start the bot with --unsigned for it."""
        body = json.dumps(question, separators=(",", ":"))
        kind = "Content-Type: application/json"
        return shlex.join(["curl", "-s", f"{self._url}/move", "-H", kind, "-d", body])

    def own(self) -> Iterator[Step]:
        """A signed echo, and whether it would obey a stranger."""
        nonce = secrets.token_hex(16)
        question = {"type": "nonce", "protocol": 1, "nonce": nonce}

        def same(reply: Mapping[str, Any]) -> str:
            return "" if reply.get("nonce") == nonce else 'the reply has not the same "nonce"'

        yield _asked(self, "nonce", question, same)
        stranger = self._bot.ask({**question, "request_id": _new_id()}, PATIENCE_S, signed=False)
        if not self._signed:
            told = "not signed: put the bot's secret into HOUSUBOT_SECRET here too"
            yield Step("signature", "note", 0.0, told)
        elif stranger.reply is not None:
            told = "it answers calls that nobody signed: anybody may pose as the service"
            yield Step("signature", "note", stranger.ms, told)
        else:
            yield Step("signature", "ok", stranger.ms, "an unsigned call was refused")

    def close(self) -> None:
        """Hang up."""
        self._bot.close()


class _Started:
    """A program, over standard input and output."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._bot: StdioBot | None = None

    def hello(self) -> Answered:
        """Start it; its first line is the handshake."""
        began = time.monotonic()
        try:
            self._bot = StdioBot(self._command)
        except NoBotError as error:
            return Answered(None, str(error), (time.monotonic() - began) * 1000)
        return Answered(self._bot.hello, "", (time.monotonic() - began) * 1000)

    def ask(self, question: Mapping[str, Any]) -> Answered:
        """A line in, a line out."""
        assert self._bot is not None
        said = self._bot.ask(question, PATIENCE_S * 1000)
        fault = f"{said.fault}: it said {said.words!r}" if said.fault else ""
        return Answered(said.reply, fault, said.spent_ms)

    def shown(self, question: Mapping[str, Any]) -> str:
        """The line, into a fresh one."""
        line = json.dumps(question, separators=(",", ":"))
        return f"echo {shlex.quote(line)} | {shlex.join(self._command)}"

    def own(self) -> Iterator[Step]:
        """Nothing: there is no address that anybody could pose at."""
        return iter(())

    def close(self) -> None:
        """End it."""
        if self._bot is not None:
            self._bot.close()
