"""Reading what a bot answered: a usable reply, or which fault it is (bots.md, "Clocks and faults").

Judges transport and shape alone; whether an action is legal the rules say, elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from bots_api.models import Fault
from config.kit.egress.results import Call, EgressFault, FaultKind
from config.kit.strict import StrictJSONError, loads

MAX_ACTION = 300
MAX_NOTE = 256
MAX_ENTROPY = 64
MAX_VERSION = 60
SHOWN_BYTES = 500

_KINDS = {
    FaultKind.REFUSED: Fault.Kind.CONNECT,
    FaultKind.CONNECT: Fault.Kind.CONNECT,
    FaultKind.TLS: Fault.Kind.TLS,
    FaultKind.TIMEOUT: Fault.Kind.TIMEOUT,
    FaultKind.TOO_LARGE: Fault.Kind.TOO_LARGE,
    FaultKind.MALFORMED: Fault.Kind.BAD_REPLY,
}


class Unusable(Exception):  # noqa: N818 - what came of a call, not an error of ours
    """An answer that can't be used: which fault it is, and a sentence for the bot's owner."""

    def __init__(self, kind: Fault.Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class Chosen(NamedTuple):
    """A reply to a turn that has the right shape."""

    action: str
    note: str


class Handshake(NamedTuple):
    """What a bot says of itself."""

    version: str
    author: str
    presets: list[str]
    concurrency: int | None


def chosen(result: Call | EgressFault) -> Chosen:
    """The reply to a turn; raises `Unusable`."""
    return chosen_of(document(result))


def chosen_of(reply: Mapping[str, Any]) -> Chosen:
    """The choice in a reply; raises `Unusable`."""
    action, note = reply.get("action"), reply.get("note", "")
    if not isinstance(action, str) or not 0 < len(action) <= MAX_ACTION:
        raise Unusable(Fault.Kind.BAD_REPLY, "“action” is not a text of 1 to 300 characters")
    if not isinstance(note, str) or len(note) > MAX_NOTE:
        raise Unusable(Fault.Kind.BAD_REPLY, "“note” is not a text of up to 256 characters")
    return Chosen(action, note)


def entropy(result: Call | EgressFault) -> str:
    """The entropy in the reply to `game_start`; "" for anything that is none."""
    try:
        return entropy_of(document(result))
    except Unusable:
        return ""


def entropy_of(reply: Mapping[str, Any]) -> str:
    """The entropy in a reply, "" if it is none."""
    text = reply.get("entropy", "")
    return text if isinstance(text, str) and len(text.encode()) <= MAX_ENTROPY else ""


def handshake(result: Call | EgressFault) -> Handshake:
    """The answer to a waking call; raises `Unusable`."""
    return handshake_of(document(result))


def handshake_of(reply: Mapping[str, Any]) -> Handshake:
    """What a reply says of the bot; raises `Unusable`."""
    version, author = reply.get("version"), reply.get("author", "")
    presets, concurrency = reply.get("presets", []), reply.get("concurrency")
    protocol = reply.get("protocol")
    if type(protocol) is not int or protocol != 1:
        raise Unusable(Fault.Kind.BAD_REPLY, "“protocol” is not 1")
    if not isinstance(version, str) or not 0 < len(version) <= MAX_VERSION:
        raise Unusable(Fault.Kind.BAD_REPLY, "“version” is not a text of 1 to 60 characters")
    if not isinstance(author, str) or not _texts(presets):
        raise Unusable(Fault.Kind.BAD_REPLY, "“author” or “presets” has the wrong type")
    if concurrency is not None and not (type(concurrency) is int and 1 <= concurrency <= 64):
        raise Unusable(Fault.Kind.BAD_REPLY, "“concurrency” is not a number from 1 to 64")
    return Handshake(version, author[:80], presets[:50], concurrency)


def document(result: Call | EgressFault) -> dict[str, Any]:
    """The JSON object that was answered; raises `Unusable`."""
    if isinstance(result, EgressFault):
        raise Unusable(_KINDS[result.kind], result.detail)
    if 300 <= result.status < 400:
        raise Unusable(Fault.Kind.REDIRECT, f"status {result.status}: redirects are not followed")
    if result.status != 200:
        raise Unusable(Fault.Kind.HTTP_STATUS, f"status {result.status} instead of 200")
    if result.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unusable(Fault.Kind.BAD_ENCODING, "the answer is packed (Content-Encoding)")
    try:
        reply = loads(result.body)
    except StrictJSONError as error:
        raise Unusable(Fault.Kind.BAD_JSON, str(error)) from None
    if not isinstance(reply, dict):
        raise Unusable(Fault.Kind.BAD_REPLY, "the answer is JSON, but no object")
    return reply


def evidence(result: Call | EgressFault) -> Mapping[str, Any]:
    """What came, for the bot's owner: timings, status, first 500 bytes, SHA-256 of all."""
    shown = result.body[:SHOWN_BYTES].decode("utf-8", "backslashreplace")
    return {
        "status": result.status,
        "timings": result.timings.wire(),
        # PostgreSQL's JSON has no NUL.
        "body": shown.replace("\0", "\\x00"),
        "bytes": len(result.body),
        "sha256": hashlib.sha256(result.body).hexdigest(),
        "content_type": result.headers.get("content-type", "")[:100],
    }


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and len(one) <= 40 for one in value)
