"""A name server of our own over UDP, and a resolver that asks it: names change under the caller.

Knows A and AAAA questions and nothing else of DNS (RFC 1035).
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import itertools
import struct
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from config.kit.egress.guard import Lookup

TYPES: Final = {4: 1, 6: 28}
_HEADER: Final = struct.Struct("!6H")
_ids = itertools.count(1)


class NameServer(asyncio.DatagramProtocol):
    """Answers with `names[name][n]` to the n-th look-up of a name, then with the last for ever."""

    def __init__(self, names: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.names = names
        self.asked: dict[tuple[str, int], int] = {}
        self._transport: asyncio.DatagramTransport

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        name, kind, question = _question(data)
        times = self.asked[name, kind] = self.asked.get((name, kind), 0) + 1
        answers = self.names.get(name, [[]])
        found = [ipaddress.ip_address(text) for text in answers[min(times, len(answers)) - 1]]
        packed = [one.packed for one in found if TYPES[one.version] == kind]
        records = b"".join(
            # A pointer to the name in the question, no time to live, the address.
            struct.pack("!3HIH", 0xC00C, kind, 1, 0, len(one)) + one
            for one in packed
        )
        (number,) = struct.unpack("!H", data[:2])
        header = _HEADER.pack(number, 0x8180, 1, len(packed), 0, 0)
        self._transport.sendto(header + question + records, addr)


@contextlib.asynccontextmanager
async def name_server(names: Mapping[str, Sequence[Sequence[str]]]) -> AsyncIterator[Lookup]:
    """Run it on 127.0.0.1; gives the look-up of a client that asks it for every connection."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: NameServer(names), local_addr=("127.0.0.1", 0)
    )
    port: int = transport.get_extra_info("sockname")[1]

    async def lookup(host: str) -> Sequence[str]:
        found = await asyncio.gather(*(_ask(port, host, kind) for kind in TYPES.values()))
        addresses = [address for part in found for address in part]
        if not addresses:
            raise OSError(f"no such name: {host}")
        return addresses

    try:
        yield lookup
    finally:
        transport.close()


class _Answer(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.data: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if not self.data.done():
            self.data.set_result(data)


async def _ask(port: int, host: str, kind: int) -> list[str]:
    loop = asyncio.get_running_loop()
    transport, answer = await loop.create_datagram_endpoint(
        _Answer, remote_addr=("127.0.0.1", port)
    )
    labels = b"".join(bytes([len(part)]) + part.encode() for part in host.split("."))
    query = _HEADER.pack(next(_ids) % 65536, 0x0100, 1, 0, 0, 0) + labels + b"\0"
    transport.sendto(query + struct.pack("!2H", kind, 1))
    try:
        return _addresses(await asyncio.wait_for(answer.data, 5))
    finally:
        transport.close()


def _addresses(data: bytes) -> list[str]:
    count = _HEADER.unpack(data[:12])[3]
    _, _, question = _question(data)
    at, found = 12 + len(question), []
    for _ in range(count):
        (length,) = struct.unpack("!H", data[at + 10 : at + 12])
        found.append(str(ipaddress.ip_address(data[at + 12 : at + 12 + length])))
        at += 12 + length
    return found


def _question(data: bytes) -> tuple[str, int, bytes]:
    """Name, type and bytes of the one question."""
    labels, at = [], 12
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    (kind,) = struct.unpack("!H", data[at + 1 : at + 3])
    return ".".join(labels), kind, data[12 : at + 5]
