"""R9: malformed requests over a socket are refused with a code, never a 5xx; no memory is kept."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from config.describe import schema
from tests.benchmarks.plain_http import Connection
from tests.chaos import SEED, Proof
from tests.chaos.people import Person, person

GOAL: Final = "no 5xx, p99 < 250 ms, memory + < 50 MiB"
FASTEST_S: Final = 0.25
MOST_MIB: Final = 50
METHODS: Final = ("get", "post", "put", "patch", "delete")
# What fits nowhere, wherever a value is asked for.
WORDS: Final = (
    "%00", "%ff%fe", "%ED%A0%80", "-1", "0", "1e999", "NaN", "9" * 400, "9223372036854775808",
    "..%2f..%2fetc", "%2e%2e", "'%20OR%201=1--", "%F0%9F%83%8F", "a" * 3000, "null", "[]",
    "%0d%0aX:1",
)  # fmt: skip
BODIES: Final = (
    b"", b"nope", b'{"name": NaN}', b'{"name": 1e999}', b'{"name": 1' + b"0" * 400 + b"}",
    b'{"name": ' + b"9" * 5000 + b"}", b'{"name": "Aino", "name": "Bertil"}', b"[" * 100_000,
    b'{"a":' * 40_000, b"[" * 50_000 + b"]" * 50_000, b'{"name": "\\ud800"}',
    b'{"name": "a\\u0000b"}', b'{"name": "a\x00b"}', b'{"name": "\xff\xfe"}',
    '{"name": "Aino"}'.encode("utf-16"), b"\xef\xbb\xbf{}", b'{"name": "' + b"a" * 2**20 + b'"}',
    b"[]", b"5", b'"Aino"', b"null", b'{"name": {"first": "Aino"}}', b'{"name": ["Aino"]}',
    b"{}{}", b'{"name": "Aino",}', b'{"' + b"k" * 20_000 + b'": 1}',
    b"{" + b",".join(b'"k%d": %d' % (n, n) for n in range(5000)) + b"}",
    b'{"action": "C:7C=J", "move_number": -1}', b'{"preset": {"$ref": "#"}, "seats": [[[[]]]]}',
)  # fmt: skip
KINDS: Final = (
    "application/json", "application/json", "application/json", "text/plain", "application/xml",
    "application/json; charset=utf-16", "multipart/form-data; boundary=x", "", "a/b/c; =;",
)  # fmt: skip
HEADERS: Final = (
    ("Idempotency-Key", "a" * 300), ("Idempotency-Key", "ä"), ("If-None-Match", '"' * 500),
    ("If-Match", "*, *, W/"), ("Last-Event-ID", "9" * 40), ("Authorization", "Bearer"),
    ("Authorization", "Basic x"), ("Authorization", "Bearer \xff\xfe"), ("Accept", "\x7f/;q=x"),
    ("Accept-Language", "x" * 2000), ("Cookie", "sessionid=%00; sessionid=; =;;"),
    ("X-Request-ID", "<script>"), ("Range", "bytes=0-" + "9" * 40),
    ("X-Forwarded-For", "not an address, " * 50), ("Host", "localhost"),
)  # fmt: skip


class Asked(NamedTuple):
    """A malformed request: the kind of mistake, and its bytes."""

    kind: str
    data: bytes


def prove(port: int, requests: int = 10_000) -> Proof:
    """So many, one after the other, each timed from its first byte to the end of its answer."""
    statuses: Counter[int] = Counter()
    times, faults, before = [], [], _memory_mib(port)
    for asked in malformed(requests, person("Aino")):
        began = time.perf_counter()
        status, code = _answer(port, asked.data)
        times.append(time.perf_counter() - began)
        statuses[status] += 1
        if status >= 500 or (status >= 400 and not code):
            faults.append(f"{asked.kind} got {status}: {asked.data[:120]!r}")
    p99 = sorted(times)[int(len(times) * 0.99)]
    grown = max(0.0, _memory_mib(port) - before)
    told = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    figure = f"{requests} requests: {told}; p99 {p99 * 1000:.0f} ms; memory + {grown:.0f} MiB"
    holds = not faults and p99 < FASTEST_S and grown < MOST_MIB
    return Proof("; ".join([figure, *faults[:5]]), GOAL, holds)


def malformed(requests: int, who: Person) -> Iterator[Asked]:
    """Requests with one mistake or more, the same ones for the same number."""
    chance = random.Random(SEED)
    addresses = [
        (path, method)
        for path, found in schema()["paths"].items()
        for method in METHODS
        # It stays open, whatever is sent along.
        if method in found and not path.endswith(("/bot/stream", "/bot/turns"))
    ]
    makers = (_wrong_path, _wrong_query, _wrong_body, _wrong_header, _wrong_http)
    for _ in range(requests):
        path, method = chance.choice(addresses)
        make = chance.choice(makers)
        yield Asked(make.__name__[1:], make(path, method, who, chance))


def _wrong_path(path: str, method: str, who: Person, chance: random.Random) -> bytes:
    return _request(method, _filled(path, chance, chance.choice(WORDS)), who, chance)


def _wrong_query(path: str, method: str, who: Person, chance: random.Random) -> bytes:
    names = ("limit", "cursor", "after", "ply", "player", "preset", "fields", "zzz", "%00", "")
    count = chance.choice((1, 2, 50))
    pairs = [f"{chance.choice(names)}={chance.choice(WORDS)}" for _ in range(count)]
    return _request(method, f"{_filled(path, chance)}?{'&'.join(pairs)[:30_000]}", who, chance)


def _wrong_body(path: str, method: str, who: Person, chance: random.Random) -> bytes:
    method = method if method != "get" else "post"
    return _request(method, _filled(path, chance), who, chance, chance.choice(BODIES))


def _wrong_header(path: str, method: str, who: Person, chance: random.Random) -> bytes:
    name, value = chance.choice(HEADERS)
    body = b"{}" if method != "get" else b""
    return _request(method, _filled(path, chance), who, chance, body, f"{name}: {value}")


def _wrong_http(path: str, method: str, who: Person, chance: random.Random) -> bytes:
    """Other verbs, other hosts."""
    verb = chance.choice(("TRACE", "PROPFIND", "PUT", "OPTIONS", "DELETE", "HEAD"))
    host = chance.choice(("localhost", "evil.example", "a" * 300, "", "[::1", "x y"))
    lines = [f"{verb} {_filled(path, chance)} HTTP/1.1", f"Host: {host}", "Content-Length: 0"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _filled(path: str, chance: random.Random, word: str = "") -> str:
    """The path with numbers of nothing, or `word`, for its parameters."""
    parts = path.split("/")
    nothing = ("1", "2", "999999999", "01990d5c-7a8e-7c3a-9a55-0b1f2d3c4e5f", "kulma")
    filled = [word or chance.choice(nothing) if part.startswith("{") else part for part in parts]
    return "/".join(filled)


def _request(
    method: str, path: str, who: Person, chance: random.Random, body: bytes = b"", header: str = ""
) -> bytes:
    lines = [f"{method.upper()} {path} HTTP/1.1", f"Content-Length: {len(body)}"]
    if not header.startswith("Host:"):
        lines.append("Host: localhost")
    if body:
        lines.append(f"Content-Type: {chance.choice(KINDS)}")
    if not header.startswith("Authorization") and chance.random() < 0.7:
        lines.append(f"Authorization: Bearer {who.token}")
    lines += [header] if header else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace") + body


def _answer(port: int, data: bytes) -> tuple[int, str]:
    """The status, and the code of a problem; a connection of its own, as it may be closed."""
    # The answer to HEAD has a length and no body; what it says otherwise is what GET says.
    data = data.replace(b"HEAD ", b"GET ", 1) if data.startswith(b"HEAD ") else data
    with Connection(port) as own:
        answer = own.ask(data)
        body = answer.body
        while b"transfer-encoding" in answer.headers and not body.endswith(b"0\r\n\r\n"):
            body += own.answer_part()
    if b"problem+json" not in answer.headers.get(b"content-type", b""):
        # What is no HTTP at all the server refuses itself, in plain text.
        return answer.status, "plain" if answer.status == 400 else ""
    found = re.search(rb'"code":"(\w+)"', body)
    return answer.status, found[1].decode() if found else ""


def _memory_mib(port: int) -> float:
    """What the process that listens there holds; nothing is known without /proc."""
    return _resident(_listening(port)) / 2**20


def _resident(pid: int | None) -> int:
    status = Path(f"/proc/{pid}/status")
    if pid is None or not status.exists():
        return 0
    found = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(found.split()[1]) * 1024


def _listening(port: int) -> int | None:
    """The process whose socket it is."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return None
    rows = (line.split() for line in table.read_text().splitlines()[1:])
    inodes = {row[9] for row in rows if row[1] == f"0100007F:{port:04X}" and row[3] == "0A"}
    own = Path("/proc").glob("[0-9]*/fd/*")
    for link in own:
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith("socket:[") and target[8:-1] in inodes and _is_web(link.parts[2]):
            return int(link.parts[2])
    return None


def _is_web(pid: str) -> bool:
    """Whoever made the socket may hold it too."""
    return b"uvicorn" in Path(f"/proc/{pid}/cmdline").read_bytes()
