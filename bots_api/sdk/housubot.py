"""Housuliiga bots in one file of the standard library (Python 3.9 or newer).

    from housubot import Bot, run

    class Robo(Bot):
        def choose(self, turn):
            return turn.plays[0] if turn.plays else turn.otherwise()

    run(Robo())

`python robo.py --port 8001` serves webhook calls at http://127.0.0.1:8001/, with the signing
secret in the environment as HOUSUBOT_SECRET (two with a space between while rotating);
`python robo.py --pull https://service.example.org` connects out and needs no address of its own,
with the bot's token in HOUSUBOT_TOKEN;
`python robo.py --stdio` plays over standard input and output in a local arena.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import os
import random
import socket
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

__all__ = [
    "Bot",
    "Puller",
    "SignatureError",
    "Turn",
    "handle",
    "run",
    "server",
    "strength",
    "verify",
]

__version__ = "1"

PROTOCOL = 1
STRENGTH = "3456789TJQKA2*"
MAX_REQUEST = 64 * 1024
TOLERANCE_S = 300
# Answers that are kept in case the service asks again with the same id.
KEPT_ANSWERS = 1000
LONGEST_LINE = 2 * MAX_REQUEST
# The service says something at least every 5 s: silence means that the connection is dead.
SILENCE_S = 15
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 10.0


def strength(card_or_rank: str) -> int:
    """Order of ranks: 0 for a three up to 12 for a two, 13 for a joker ("9C" or "9")."""
    return STRENGTH.index(card_or_rank[0])


class Turn:
    """One decision. `raw` is the whole message; everything else reads from it."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.game: Mapping[str, Any] = raw["game"]
        self.view: Mapping[str, Any] = raw["view"]
        self.legal: Sequence[str] = raw["legal"]
        self.seat: int = raw["seat"]
        self.hand: Sequence[str] = self.view.get("hand") or ()
        self.deadline_ms: int = raw["deadline_ms"]

    @property
    def plays(self) -> list[str]:
        """The legal plays, "P:9x2" for two nines: weakest rank first, fewest cards first."""
        plays = [action for action in self.legal if action.startswith("P:")]
        return sorted(plays, key=lambda play: (strength(play[2]), int(play[4:])))

    def otherwise(self) -> str:
        """A legal action when there is nothing to play, or you don't care which."""
        for action in ("S", ".", "!"):
            if action in self.legal:
                return "S:/" if action == "S" else action
        if self.plays:
            return self.plays[0]
        if "B" in self.legal:
            return f"B:{list(self.view['down'][self.seat]).index(True)}"
        claims = sorted((a for a in self.legal if a.startswith("C:")), key=lambda a: strength(a[2]))
        if claims:
            return self.claim(claims)
        return next(action for action in ("U", "X", "D", "-") if action in self.legal)

    def claim(self, claims: Sequence[str]) -> str:
        """Bluff games: one card with a rank that may be named, truthful if any card allows it."""
        names = [action[2] for action in claims]
        for card in self.hand:
            if card[0] in names:
                return f"C:{card}={card[0]}"
        return f"C:{self.hand[0]}={names[0]}"


class Bot:
    """Subclass it and write `choose`. Give `version` a new value when it plays differently."""

    version = "1"
    author = ""
    presets: Sequence[str] = ("table",)
    concurrency = 8

    def choose(self, turn: Turn) -> str | Mapping[str, str]:
        """Return an action: an entry of `turn.legal` ("B" and "S" need more: see `otherwise`).

        Or {"action": ..., "note": "why"}: the note is shown in the replay after the game.
        """
        raise NotImplementedError

    def entropy(self, start: Mapping[str, Any]) -> str:
        """Up to 64 bytes of text that go into the shuffle, so that nobody can arrange the deck."""
        return ""

    def game_end(self, end: Mapping[str, Any]) -> None:
        """Hear how a game ended; `end["places"]` holds the seats in finishing order, and nothing
        if `end["reason"]` is "voided": called off."""


class SignatureError(Exception):
    """A call that did not come from the service, or not to us, or not now."""


def verify(
    secrets: Iterable[str], headers: Mapping[str, str], body: bytes, now: float | None = None
) -> None:
    """Check the Standard Webhooks signature of a call; raises `SignatureError`.

    Calls older (or newer) than 5 minutes are refused, and calls that were signed for another bot:
    their signature was made with another secret.
    """
    named = {name.lower(): value for name, value in headers.items()}
    stamp, given = named.get("webhook-timestamp", ""), named.get("webhook-signature", "")
    message_id = named.get("webhook-id", "")
    if not (message_id and stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        raise SignatureError("the call is not signed")
    late = (time.time() if now is None else now) - int(stamp)
    if abs(late) > TOLERANCE_S:
        raise SignatureError(f"the call is too old, or a clock is wrong: {late:.0f} s apart")
    signed = f"{message_id}.{stamp}.".encode() + body
    signatures = [one[3:].encode() for one in given.split(" ") if one.startswith("v1,")]
    for secret in secrets:
        right = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(right, one) for one in signatures):
            return
    raise SignatureError("the signature is not right for this bot")


def _object(text: bytes | str) -> dict[str, Any]:
    """A message; raises `ValueError` for anything that is none."""
    try:
        message = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("a message is a JSON object")
    return message


def _key(secret: str) -> bytes:
    text = secret[6:] if secret.startswith("whsec_") else secret
    return base64.b64decode(text + "=" * (-len(text) % 4))


def handshake(bot: Bot) -> dict[str, Any]:
    """What the bot says of itself when the service wakes it."""
    return {
        "protocol": PROTOCOL,
        "version": bot.version,
        "author": bot.author,
        "presets": list(bot.presets),
        "concurrency": bot.concurrency,
    }


def handle(bot: Bot, message: Mapping[str, Any]) -> dict[str, Any]:
    """The bot's reply to one message, whichever way it came."""
    kind = message.get("type")
    if kind == "turn":
        action = bot.choose(Turn(message))
        if not isinstance(action, (str, Mapping)):
            raise TypeError(f"choose() returned {action!r}, not an action such as 'P:9x1'")
        return {"action": action} if isinstance(action, str) else dict(action)
    if kind == "game_start":
        return {"entropy": bot.entropy(message)}
    if kind == "game_end":
        bot.game_end(message)
    if kind == "handshake":
        return handshake(bot)
    if kind == "nonce":
        return {"nonce": message.get("nonce")}
    return {}


def server(bot: Bot, secrets: Sequence[str], host: str = "127.0.0.1", port: int = 0) -> Any:
    """An HTTP server for webhook calls; call `serve_forever()`. Without secrets it trusts all.

    Raises `ValueError` for a secret that is none.
    """
    for secret in secrets:
        _key(secret)

    class Handler(_Handler):
        pass

    Handler.bot, Handler.secrets, Handler.answers = bot, list(secrets), _Answers()
    return _Server((host, port), Handler)


class _Answers:
    """What was answered lately, by the id of the call.

    The service asks once more with the same id when a connection breaks; whoever sends an old
    call again hears what was said then, and the bot is not asked twice.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given: OrderedDict[str, Mapping[str, Any]] = OrderedDict()

    def get(self, message_id: str) -> Mapping[str, Any] | None:
        with self._lock:
            return self._given.get(message_id)

    def keep(self, message_id: str, reply: Mapping[str, Any]) -> None:
        with self._lock:
            self._given[message_id] = reply
            while len(self._given) > KEPT_ANSWERS:
                self._given.popitem(last=False)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self) -> None:
        # As in the base class, but without asking a name server what this machine is called.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is no news; anything else is."""
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    # Kept connections and no waiting for small packets: a move costs one round trip.
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 300

    bot: Bot
    secrets: list[str]
    answers: _Answers

    def do_GET(self) -> None:
        """The handshake."""
        self._say(200, handshake(self.bot))

    def do_POST(self) -> None:
        """A turn, or news of a game."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length[:9]) > MAX_REQUEST:
            self.close_connection = True
            return self._say(413, {"error": "a message has a length of at most 64 KiB"})
        body = self.rfile.read(int(length))
        if self.path.split("?")[0].rsplit("/", 1)[-1] != "move":
            return self._say(404, {"error": "turns go to /move"})
        try:
            if self.secrets:
                verify(self.secrets, dict(self.headers.items()), body)
        except SignatureError as error:
            return self._say(401, {"error": str(error)})
        try:
            message = _object(body)
        except ValueError as error:
            return self._say(400, {"error": str(error)})
        return self._say(*self._answer(message))

    def _answer(self, message: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        # The id is worth something only where it was signed.
        message_id = self.headers.get("webhook-id", "") if self.secrets else ""
        reply = self.answers.get(message_id)
        if reply is None:
            try:
                reply = handle(self.bot, message)
            except Exception:
                traceback.print_exc()
                return 500, {"error": "the bot failed; see its own log"}
            if message_id:
                self.answers.keep(message_id, reply)
        return 200, reply

    def _say(self, status: int, reply: Mapping[str, Any]) -> None:
        body = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of calls that went well."""


class Puller:
    """Plays by connecting out: reads messages from one stream, answers them in threads.

    `run` comes back after `stop`, or raises `PermissionError` for a token that is not accepted.
    A stream that breaks is opened again, where it was; open turns are sent anew by the service.
    """

    def __init__(self, bot: Bot, url: str, token: str) -> None:
        self.bot = bot
        self.cursor = 0
        self._url = urlsplit(url)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._taken: dict[str, float] = {}
        self._answerers = ThreadPoolExecutor(max(1, min(64, bot.concurrency)))
        self._kept = threading.local()
        self._opened: list[HTTPConnection] = []
        self._stopped = threading.Event()
        self._stream: HTTPConnection | None = None

    def run(self) -> None:
        """Play until `stop` is called."""
        pause = FIRST_PAUSE_S
        while not self._stopped.is_set():
            try:
                for message in self._messages():
                    pause = FIRST_PAUSE_S
                    self._take(message)
            except (OSError, HTTPException, ValueError) as error:
                if isinstance(error, PermissionError):
                    raise
                if not self._stopped.is_set():
                    print(f"stream lost: {error!r}", file=sys.stderr, flush=True)
            # Not all bots at once when the service comes back.
            self._stopped.wait(pause * (0.5 + random.random()))  # noqa: S311
            pause = min(LONGEST_PAUSE_S, pause * 2)
        self._answerers.shutdown()
        for connection in self._opened:
            connection.close()

    def stop(self) -> None:
        """End `run`: soon, and not before what was asked is answered."""
        self._stopped.set()
        stream = self._stream
        if stream is not None and stream.sock is not None:
            stream.sock.shutdown(socket.SHUT_RDWR)

    def _messages(self) -> Iterable[dict[str, Any]]:
        self._stream = self._connection()
        try:
            path = f"/api/v1/bot/stream?after={self.cursor}"
            self._stream.request("GET", self._url.path.rstrip("/") + path, headers=self._headers)
            answer = self._stream.getresponse()
            if answer.status in (401, 403):
                raise PermissionError(answer.read(2000).decode("utf-8", "replace"))
            if answer.status != 200:
                raise HTTPException(f"status {answer.status}")
            print(f"connected to {self._url.geturl()}", file=sys.stderr, flush=True)
            while not self._stopped.is_set():
                line = answer.readline(LONGEST_LINE)
                if not line:
                    return
                if line.strip():
                    yield _object(line)
        finally:
            self._stream.close()

    def _take(self, message: Mapping[str, Any]) -> None:
        """Answer each message once, however often it comes."""
        if not isinstance(message.get("cursor"), int) or not message.get("request_id"):
            raise ValueError("a message without its cursor or id")
        self.cursor = max(self.cursor, message["cursor"])
        now = time.monotonic()
        self._taken = {key: at for key, at in self._taken.items() if now - at < 600}
        if self._taken.setdefault(str(message["request_id"]), now) == now:
            self._answerers.submit(self._answer, message)

    def _answer(self, message: Mapping[str, Any]) -> None:
        try:
            reply = handle(self.bot, message)
            if message["type"] == "game_end":
                return
            if message["reply_to"].endswith("/moves"):
                body = {"move_number": message["move_number"], "action": reply["action"]}
            else:
                body = {"request_id": message["request_id"], "reply": reply}
            self._post(message["reply_to"], json.dumps(body).encode())
        except Exception:
            traceback.print_exc()

    def _post(self, path: str, body: bytes) -> None:
        """Send an answer, again after a lost connection: the service takes the first one."""
        for attempt in range(4):
            try:
                status, text = self._posted(path, body)
            except (OSError, HTTPException) as error:
                self._forget()
                print(f"answer not sent: {error!r}", file=sys.stderr, flush=True)
                time.sleep(FIRST_PAUSE_S * 2**attempt if attempt else 0)
                continue
            if status < 500:
                if status >= 400:
                    print(f"answer refused: {text}", file=sys.stderr, flush=True)
                return

    def _forget(self) -> None:
        connection: HTTPConnection | None = getattr(self._kept, "connection", None)
        if connection is not None:
            self._opened.remove(connection)
            connection.close()
        self._kept.connection = None

    def _posted(self, path: str, body: bytes) -> tuple[int, str]:
        connection: HTTPConnection | None = getattr(self._kept, "connection", None)
        if connection is None:
            connection = self._kept.connection = self._connection()
            self._opened.append(connection)
        connection.request("POST", path, body, self._headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")

    def _connection(self) -> HTTPConnection:
        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=SILENCE_S)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


def stdio(bot: Bot) -> None:
    """Play over standard input and output, a line of JSON each; the first line is the handshake."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what the bot prints is no answer
    print(json.dumps(handshake(bot)), file=answers, flush=True)
    for line in sys.stdin:
        try:
            reply = handle(bot, _object(line))
        except Exception:
            traceback.print_exc()
            reply = {"error": "the bot failed; see its own log"}
        print(json.dumps(reply), file=answers, flush=True)


def run(bot: Bot, arguments: Sequence[str] | None = None) -> None:
    """Read the command line and play until told to stop."""
    parser = argparse.ArgumentParser(description=(type(bot).__doc__ or "A bot.").splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=int, default=8001, help="port to listen at, 0 for any")
    parser.add_argument("--stdio", action="store_true", help="play over standard input and output")
    parser.add_argument("--pull", metavar="URL", help="connect to the service instead of listening")
    parser.add_argument("--unsigned", action="store_true", help="answer unsigned calls too")
    options = parser.parse_args(arguments)
    if options.stdio:
        return stdio(bot)
    if options.pull:
        return _pull(bot, options.pull, parser)
    secrets = [] if options.unsigned else os.environ.get("HOUSUBOT_SECRET", "").split()
    if not secrets and not options.unsigned:
        parser.error(
            "put the signing secret into HOUSUBOT_SECRET, or say --unsigned, --pull URL or --stdio"
        )
    try:
        serving = server(bot, secrets, options.host, options.port)
    except ValueError:
        parser.error("HOUSUBOT_SECRET holds no signing secret (whsec_...)")
    except OSError as error:
        parser.error(f"can't listen at {options.host}:{options.port}: {error.strerror}")
    print(f"listening at http://{options.host}:{serving.server_port}/", file=sys.stderr, flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        serving.server_close()
    return None


def _pull(bot: Bot, url: str, parser: argparse.ArgumentParser) -> None:
    token = os.environ.get("HOUSUBOT_TOKEN", "")
    if not token:
        parser.error("put the bot's token into HOUSUBOT_TOKEN")
    if not url.startswith(("http://", "https://")):
        parser.error("--pull wants the service's address, such as https://service.example.org")
    puller = Puller(bot, url, token)
    try:
        puller.run()
    except PermissionError as error:
        parser.exit(1, f"not accepted: {error}\n")
    except KeyboardInterrupt:
        puller.stop()
