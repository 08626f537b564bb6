"""A bot behind a URL, called as the service calls it: signed, strictly read (bots.md, "A turn").

For authors on their own machine: knows no address rules and keeps no connection budget.
"""

import base64
import hashlib
import hmac
import http.client
import json
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from config.kit.strict import StrictJSONError, loads

_LONGEST_REPLY: Final = 16 * 1024
_CUT_EVERY_S: Final = 0.02
"""How often a call whose time is up is cut again: it may be about to connect."""


class Answered(NamedTuple):
    """What came: a reply, or which fault it is and why; what it took; over HTTP the status."""

    reply: Mapping[str, Any] | None
    fault: str
    ms: float
    status: int | None = None
    size: int | None = None


class BadUrlError(Exception):
    """An address or a secret that no call can be made with; says why."""


class WebhookBot:
    """One bot's address. Raises `BadUrlError` when it is made."""

    def __init__(self, url: str, secrets: Sequence[str]) -> None:
        parts = urllib.parse.urlsplit(url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadUrlError(f"{url}: not an http or https address")
        try:
            headers_of(secrets, "", b"")
        except ValueError:
            raise BadUrlError("HOUSUBOT_SECRET holds no signing secret (whsec_...)") from None
        self._parts, self._secrets = parts, secrets
        self._connection: http.client.HTTPConnection | None = None

    def hello(self, seconds: float) -> Answered:
        """The handshake: `GET {url}`, signed over an empty body."""
        return self._call("GET", "", "msg_hello", b"", seconds)

    def ask(self, message: Mapping[str, Any], seconds: float, signed: bool = True) -> Answered:
        """One message to `{url}/move`."""
        body = json.dumps(message, separators=(",", ":")).encode()
        return self._call("POST", "/move", message["request_id"], body, seconds, signed)

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _call(
        self,
        method: str,
        path: str,
        message_id: str,
        body: bytes,
        seconds: float,
        signed: bool = True,
    ) -> Answered:
        headers = headers_of(self._secrets if signed else (), message_id, body)
        began = time.monotonic()
        until = began + seconds
        try:
            answer, text = self._exchange(method, path, body, headers, until)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            late = isinstance(error, TimeoutError) or time.monotonic() >= until
            fault = (
                f"timeout: nothing whole within {seconds:.1f} s" if late else f"connect: {error}"
            )
            return Answered(None, fault, (time.monotonic() - began) * 1000)
        ms = (time.monotonic() - began) * 1000
        if ms > seconds * 1000:
            return Answered(None, "timeout: the answer took too long", ms, answer.status, len(text))
        reply, fault = _read(answer, text)
        return Answered(reply, fault, ms, answer.status, len(text))

    def _exchange(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str], until: float
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """On the kept connection; on a new one if the bot has closed that meanwhile."""
        kept = self._connection is not None
        connection = self._connection or self._connect()
        self._connection = connection
        connection.timeout = max(0.001, until - time.monotonic())
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            with _cut_at(connection, until):
                connection.request(method, (self._parts.path + path) or "/", body or None, headers)
                answer = connection.getresponse()
                return answer, answer.read(_LONGEST_REPLY + 1)
        except (ConnectionError, http.client.BadStatusLine):
            self.close()
            if not kept or time.monotonic() >= until:
                raise
            return self._exchange(method, path, body, headers, until)
        finally:
            if self._connection is not None and self._connection.sock is None:
                self.close()

    def _connect(self) -> http.client.HTTPConnection:
        https = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port)


@contextmanager
def _cut_at(connection: http.client.HTTPConnection, until: float) -> Iterator[None]:
    """One deadline over all of a call: a drip outlasts the patience of every single read."""
    done = threading.Event()

    def watch() -> None:
        if not done.wait(max(0.0, until - time.monotonic())):
            while not done.wait(_CUT_EVERY_S):
                with suppress(OSError, AttributeError):
                    connection.sock.shutdown(socket.SHUT_RDWR)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def headers_of(secrets: Sequence[str], message_id: str, body: bytes) -> dict[str, str]:
    """Standard Webhooks headers, a signature for each secret; without one the call is unsigned."""
    headers = {"Content-Type": "application/json"} if body else {}
    if not secrets:
        return headers
    stamp = str(int(time.time()))
    content = f"{message_id}.{stamp}.".encode() + body
    return {
        **headers,
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join("v1," + _signature(secret, content) for secret in secrets),
    }


def _signature(secret: str, content: bytes) -> str:
    text = secret.removeprefix("whsec_")
    key = base64.b64decode(text + "=" * (-len(text) % 4))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def _read(answer: http.client.HTTPResponse, text: bytes) -> tuple[Mapping[str, Any] | None, str]:
    """The reply, or why it is none; the same rules as the service's."""
    if 300 <= answer.status < 400:
        return None, f"redirect: status {answer.status}: redirects are not followed"
    if answer.status != 200:
        shown = text[:200].decode(errors="replace")
        return None, f"http_status: status {answer.status} instead of 200: {shown}"
    if len(text) > _LONGEST_REPLY:
        return None, "too_large: an answer has at most 16 KiB"
    if answer.headers.get("content-encoding", "identity").lower() != "identity":
        return None, "bad_encoding: the answer is packed (Content-Encoding)"
    return read_reply(text)


def read_reply(text: bytes) -> tuple[Mapping[str, Any] | None, str]:
    """The JSON object in an answer, or why there is none."""
    try:
        reply = loads(text)
    except StrictJSONError as error:
        return None, f"bad_json: {error}"
    if not isinstance(reply, dict):
        return None, "bad_reply: the answer is JSON, but no object"
    return reply, ""
