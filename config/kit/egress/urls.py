"""URLs of outgoing calls, read strictly: what is not plainly right is refused, never repaired.

Owns schemes, hosts and ports; asks `addresses` about literal ones. A name is judged again where
it is connected to, whatever it resolved to here.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from config.kit.egress.addresses import Address, Allowance, refusal

MAX_URL = 500
DEFAULT_PORTS = {"https": 443, "http": 80}
# Databases, brokers and the like answer a clever POST: no bot lives there.
WELL_KNOWN_PORTS = frozenset({3306, 5432, 5672, 6379, 9200, 11211, 27017})

_URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    r"(?P<path>(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*)"
    r"(?:\?(?P<query>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*))?",
    re.ASCII,
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
# A last label that a resolver might read as a number: 127.1, 0x7f.0.0.0x1, 2130706433.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)


class UrlError(Exception):
    """A URL that must not be called; `reason` is a sentence for whoever gave it."""

    code = "url_refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Target:
    """A URL that may be called. `path` begins with a slash or is empty and holds the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: calls with the same origin share connections."""
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    def __str__(self) -> str:
        return self.origin + self.path


def parse(url: str, allowed: Allowance) -> Target:
    """Read `url`; raises `UrlError` for anything that is not a plain URL to a fit place."""
    if len(url) > MAX_URL:
        raise UrlError(f"A URL has at most {MAX_URL} characters.")
    match = _URL.fullmatch(url)
    if match is None:
        raise UrlError(_malformed(url))
    scheme, host = match["scheme"], match["host"].lower()
    port = int(match["port"] or DEFAULT_PORTS[scheme])
    if scheme == "http" and not allowed:
        raise UrlError("Only https is called.")
    _check_port(port)
    _check_host(host, scheme, allowed)
    query = "" if match["query"] is None else f"?{match['query']}"
    return Target(scheme, host, port, _plain_path(match["path"]) + query)


def literal(host: str) -> Address | None:
    """The address that `host` spells out in its one canonical form, else None."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _malformed(url: str) -> str:
    if not url.isascii():
        return "A URL is ASCII; write an international name in its xn-- form."
    if "@" in url.partition("://")[2].partition("/")[0]:
        return "A URL with a user name or password is not called."
    if "#" in url:
        return "A URL to call has no fragment."
    return "This is not a plain https URL."


def _check_port(port: int) -> None:
    if port in WELL_KNOWN_PORTS or port > 65535 or not (port == 443 or port >= 1024):
        raise UrlError(f"Port {port} is not called; use 443 or one from 1024.")


def _check_host(host: str, scheme: str, allowed: Allowance) -> None:
    address = literal(host)
    if address is None:
        _check_name(host, allowed)
        return
    if (address.version == 6) != host.startswith("["):
        raise UrlError("An IPv6 address stands in brackets, another host does not.")
    reason = refusal(address, allowed)
    if reason:
        raise UrlError(f"{host} is {reason.value}.")
    if scheme == "http" and address not in allowed:
        raise UrlError("Only https is called.")


def _check_name(host: str, allowed: Allowance) -> None:
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlError("The host is neither a name nor an address in its plain form.")
    if _NUMBER.fullmatch(labels[-1]):
        raise UrlError("A host that ends in a number is an address: write it as 192.0.2.1.")
    if len(labels) == 1 and not allowed:
        raise UrlError("The host must be a full name with its domain.")


def _plain_path(path: str) -> str:
    if any(part in {".", ".."} for part in path.lower().replace("%2e", ".").split("/")):
        raise UrlError("The path of a URL has no dot segments.")
    return path
