"""The connector of outgoing calls: looks a name up, judges every address, connects to that one.

The judgement stands where the socket is made, so a name that answers otherwise the second time
gains nothing. Owns the life of connections too; knows nothing of requests.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import weakref
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from time import monotonic
from typing import Any

from aiohttp import AddrInfoType, ClientRequest, ClientTimeout, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from config.kit.egress.addresses import Address, Allowance, refusal
from config.kit.egress.marks import mark

# Idle and in use together a connection lives 5 minutes at most: 200 s, one call, 40 s of rest.
MAX_AGE_S = 200.0
KEEP_ALIVE_S = 40.0

Lookup = Callable[[str], Awaitable[Sequence[str]]]


class AddressError(OSError):
    """A name led to an address out of bounds."""


class Guard:
    """Says whether a connection may go to an address; `plain` is for http without TLS."""

    def __init__(self, allowed: Allowance, *, plain: bool) -> None:
        self._allowed = allowed
        self._plain = plain

    def check(self, text: str) -> None:
        """Raise `AddressError` unless `text` is an address to go to."""
        address: Address = ipaddress.ip_address(text)
        reason = refusal(address, self._allowed)
        if reason is None and self._plain and address not in self._allowed:
            raise AddressError(f"{text} is not called without TLS")
        if reason is not None:
            raise AddressError(f"{text} is {reason.value}")

    def open_socket(self, info: AddrInfoType) -> socket.socket:
        """Make the socket for an address that passes: nothing connects without coming here."""
        family, kind, protocol, _, address = info
        self.check(str(address[0]))
        mark("connect")
        return socket.socket(family, kind, protocol)


class Resolver(AbstractResolver):
    """Looks names up; one bad address among the answers condemns the name."""

    def __init__(self, guard: Guard, lookup: Lookup) -> None:
        self._guard = guard
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Addresses of `host` to connect to; raises OSError, `AddressError` included."""
        mark("dns")
        addresses = await self._lookup(host)
        mark("dns_end")
        for address in addresses:
            self._guard.check(address)
        return [_result(host, address, port) for address in addresses]

    async def close(self) -> None:
        """Nothing to close: the threads belong to whoever gave the lookup."""


class Connector(TCPConnector):
    """Connections to judged addresses that are given up at a certain age."""

    def __init__(self, guard: Guard, lookup: Lookup, trust: ssl.SSLContext) -> None:
        super().__init__(
            resolver=Resolver(guard, lookup),
            socket_factory=guard.open_socket,
            use_dns_cache=False,
            ssl=trust,
            limit=0,
            keepalive_timeout=KEEP_ALIVE_S,
        )
        self.max_age_s = MAX_AGE_S
        self._born: weakref.WeakKeyDictionary[ResponseHandler, float] = weakref.WeakKeyDictionary()

    async def connect(
        self, req: ClientRequest, traces: list[Trace], timeout: ClientTimeout
    ) -> Connection:
        """A connection for `req`, never an old one."""
        while True:
            connection = await super().connect(req, traces, timeout)
            assert connection.protocol is not None
            born = self._born.get(connection.protocol)
            if born is None:
                mark("connected")
                self._born[connection.protocol] = monotonic()
                return connection
            if monotonic() - born < self.max_age_s:
                mark("reused")
                return connection
            connection.close()


class Trust(ssl.SSLContext):
    """The system's certificate authorities; notes when a handshake begins."""

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """Begin TLS (called by asyncio in the context of the call)."""
        mark("tls")
        return super().wrap_bio(*args, **kwargs)


def system_trust() -> Trust:
    """A context that checks names and certificates against the system's authorities."""
    trust = Trust(ssl.PROTOCOL_TLS_CLIENT)
    trust.load_default_certs(ssl.Purpose.SERVER_AUTH)
    return trust


def system_lookup(threads: Executor) -> Lookup:
    """The system's resolver in `threads`, so that a slow name server holds up few."""

    async def lookup(host: str) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, _addresses, host)

    return lookup


def _addresses(host: str) -> list[str]:
    found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(
        hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST
    )
