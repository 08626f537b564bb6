"""Which IP addresses an outgoing call may reach.

Owns the deny rules and what `EGRESS_ALLOW` may name; knows neither names nor sockets. The answer
is no unless every rule says yes, because `ipaddress.is_global` alone lets through multicast,
site-local, tunnelled and cloud metadata addresses, each Python release others.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Refusal(StrEnum):
    """Why an address is out of bounds."""

    METADATA = "a cloud metadata service"
    EMBEDDED = "an IPv4 address wrapped in IPv6"
    MULTICAST = "a multicast address"
    NOT_GLOBAL = "not an address of the public internet"


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


_NAMED: dict[str, tuple[Network, ...]] = {
    "loopback": _networks("127.0.0.0/8", "::1/128"),
    "private": _networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
}

# Never allowed, not even where a named network holds them.
_METADATA = _networks(
    "169.254.169.254/32",
    "169.254.170.2/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
)

# Mapped, compatible, translated (NAT64), 6to4, Teredo: what they lead to is another's choice.
_EMBEDDING = _networks(
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "2002::/16",
    "2001::/32",
)
_COMPATIBLE = ipaddress.ip_network("::/96")
_ISATAP = (bytes.fromhex("00005efe"), bytes.fromhex("02005efe"))

# The IANA special-purpose registries, spelled out so that no release of Python changes them.
_SPECIAL = _networks(
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "2001::/23",
    "2001:db8::/32",
    "2620:4f:8000::/48",
    "3fff::/20",
)
_GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")


@dataclass(frozen=True)
class Allowance:
    """The networks outside the public internet that calls may reach; plain http goes there only."""

    networks: tuple[Network, ...] = ()

    def __contains__(self, address: Address) -> bool:
        return _within(address, self.networks)

    def __bool__(self) -> bool:
        return bool(self.networks)


def allowance(names: Iterable[str]) -> Allowance:
    """Read `EGRESS_ALLOW`: "loopback", "private" or networks; raises ValueError for others."""
    networks: list[Network] = []
    for name in names:
        networks += _NAMED.get(name) or (ipaddress.ip_network(name),)
    return Allowance(tuple(networks))


def refusal(address: Address, allowed: Allowance) -> Refusal | None:
    """Why `address` must not be called, or None if it may be."""
    if _within(address, _METADATA):
        return Refusal.METADATA
    if _embeds(address):
        return Refusal.EMBEDDED
    if address.is_multicast:
        return Refusal.MULTICAST
    if address in allowed:
        return None
    return None if _public(address) else Refusal.NOT_GLOBAL


def _public(address: Address) -> bool:
    if _within(address, _SPECIAL) or address.is_reserved or not address.is_global:
        return False
    return address.version == 4 or address in _GLOBAL_IPV6


def _embeds(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv4Address):
        return False
    if _within(address, _EMBEDDING) or address.packed[8:12] in _ISATAP:
        return True
    return address in _COMPATIBLE and int(address) > 1


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address.version == net.version and address in net for net in networks)
