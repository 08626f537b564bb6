"""Sixty URLs that lead inside, names that turn, redirects: what reaches a listener in here?

`PORT` stands for that of a listener on 127.0.0.1 and ::1 which counts who connects. A server on
127.0.0.2, the one address that may be called, stands for the public internet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from config.kit.egress.addresses import allowance
from config.kit.egress.client import Budget, Egress, Outgoing
from config.kit.egress.guard import Lookup
from config.kit.egress.results import Call, EgressFault, FaultKind
from tests.name_server import name_server
from tests.raw_server import Script, answer, read_request, serving

OUTSIDE: Final = "127.0.0.2"
CALL: Final = Outgoing("POST", {"Content-Type": "application/json"}, b'{"type": "turn"}')
QUICK: Final = Budget(total_s=2, answer_s=2)

URLS: Final = (
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.0x0.0x0.0x1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://127.000.000.001:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://１２７.0.0.1:PORT/",
    "http://127．0．0．1:PORT/",
    "http://127%2e0%2e0%2e1:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://127.0.0.1%00.example.org:PORT/",
    "http://127.0.0.1\t:PORT/",
    "http://127.0.0.1\r\n:PORT/",
    "http://user@127.0.0.1:PORT/",
    "http://bots.example.org@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT@bots.example.org/",
    "http://127.0.0.1:PORT#@bots.example.org/",
    "http://127.0.0.1:PORT\\@bots.example.org/",
    "http://bots.example.org\\@127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT/",
    "http:///127.0.0.1:PORT/",
    "http:127.0.0.1:PORT/",
    "//127.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/",
    "http://[::1%25lo]:PORT/",
    "http://[fe80::1%25lo]:PORT/",
    "http://[::]:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://127.127.127.127:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "https://169.254.170.2/v2/credentials",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://100.100.100.200/latest/meta-data/",
    "https://192.0.0.192/opc/v2/instance/",
    "https://168.63.129.16/machine",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://[fec0::1]/",
    "https://[fd00::1]/",
    "http://127.0.0.2:22/",
    "http://127.0.0.2:5432/",
    "http://127.0.0.2:6379/",
    "gopher://127.0.0.1:PORT/_PING",
    "file:///etc/passwd",
)

# What a name leads to, look-up by look-up.
NAMES: Final[dict[str, Sequence[Sequence[str]]]] = {
    "localhost": [["127.0.0.1", "::1"]],
    "inside.example.org": [["127.0.0.1"]],
    "inside-six.example.org": [["::1"]],
    "both.example.org": [[OUTSIDE, "127.0.0.1"]],
    "turns.example.org": [[OUTSIDE], ["127.0.0.1"]],
    "turns-six.example.org": [[OUTSIDE], ["::1"]],
    "turns-mapped.example.org": [[OUTSIDE], ["::ffff:127.0.0.1"]],
    "turns-both.example.org": [[OUTSIDE], [OUTSIDE, "127.0.0.1"]],
    "metadata.example.org": [["169.254.169.254"]],
    "zero.example.org": [["0.0.0.0"]],
}
TIMES: Final = 3


@dataclass
class Found:
    """What came of all calls: `wrong` are those that were not refused as they must be."""

    urls: int = 0
    names: int = 0
    redirects: int = 0
    reached: int = 0
    wrong: list[str] = field(default_factory=list)


async def look() -> Found:
    """Call every URL, every name some times, and a server that redirects to each of them."""
    found = Found()
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(serving(_counting(found)))
        await stack.enter_async_context(serving(_counting(found), host="::1", port=port))
        outside = serving(_redirecting(port), host=OUTSIDE, port=port)
        await stack.enter_async_context(outside)
        lookup = await stack.enter_async_context(name_server(NAMES))
        await _urls(found, port, lookup)
        await _names(found, port, lookup)
        await _redirects(found, port)
    return found


def _counting(found: Found) -> Script:
    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.reached += 1

    return script


def _redirecting(port: int) -> Script:
    """A bot outside, which sends each caller to the URL of the number in its path."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, _, _ = await read_request(reader)
        number = line.split("/")[1].split(" ")[0]
        if number:
            to = _at(URLS[int(number)], port).encode("ascii", "ignore").split(b"\r")[0].decode()
            moved = f"Location: {to}"
            writer.write(answer(b"", "307 Temporary Redirect", moved, "Connection: close"))
        else:
            writer.write(answer(b"{}", "200 OK", "Connection: close"))

    return script


async def _urls(found: Found, port: int, lookup: Lookup) -> None:
    for allowed in ([], [f"{OUTSIDE}/32"]):
        egress = Egress(allowance(allowed), lookup=lookup)
        for url in URLS:
            found.urls += 1
            result = await egress.call(_at(url, port), CALL, QUICK)
            if not _refused(result):
                found.wrong.append(url)
        await egress.close()


async def _names(found: Found, port: int, lookup: Lookup) -> None:
    egress = Egress(allowance([f"{OUTSIDE}/32"]), lookup=lookup)
    for name, answers in NAMES.items():
        for number in range(TIMES):
            found.names += 1
            result = await egress.call(f"http://{name}:{port}/", CALL, QUICK)
            good = answers[min(number, len(answers) - 1)] == [OUTSIDE]
            if not (isinstance(result, Call) if good else _refused(result)):
                found.wrong.append(f"{name} {number}")
    await egress.close()


async def _redirects(found: Found, port: int) -> None:
    egress = Egress(allowance([f"{OUTSIDE}/32"]))
    for number in range(len(URLS)):
        found.redirects += 1
        result = await egress.call(f"http://{OUTSIDE}:{port}/{number}", CALL, QUICK)
        if not (isinstance(result, Call) and result.status == 307):
            found.wrong.append(f"redirect to {URLS[number]}")
    await egress.close()


def _at(url: str, port: int) -> str:
    return url.replace("PORT", str(port))


def _refused(result: Call | EgressFault) -> bool:
    """Whether no socket was made for it."""
    refused = isinstance(result, EgressFault) and result.kind is FaultKind.REFUSED
    return refused and result.timings.connect_ms is None
