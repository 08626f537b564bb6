"""What came of an outgoing call: values only, so that a hostile server can't raise through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class FaultKind(StrEnum):
    """How far a call got before it failed."""

    REFUSED = "refused"  # the URL or an address it resolved to is out of bounds
    CONNECT = "connect"  # no name, no connection, or it was lost before the answer's end
    TLS = "tls"
    TIMEOUT = "timeout"  # the request was written, the answer not there in time
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"  # what came is not HTTP


@dataclass
class Timings:
    """Where the time of one call went, in ms; None for a step it did not come to.

    `first_byte_ms` and `last_byte_ms` count from the moment the request was written. `connect_ms`
    is without name look-up and TLS.
    """

    queue_ms: float = 0.0
    dns_ms: float | None = None
    connect_ms: float | None = None
    tls_ms: float | None = None
    first_byte_ms: float | None = None
    last_byte_ms: float | None = None
    total_ms: float = 0.0
    reused: bool = False
    # The monotonic clock when the request had been written.
    written_at: float | None = None

    def wire(self) -> dict[str, float | bool | None]:
        """The same as JSON for evidence, rounded to 0.1 ms."""
        names = ("queue", "dns", "connect", "tls", "first_byte", "last_byte", "total")
        shown: dict[str, float | bool | None] = {"reused": self.reused}
        for name in names:
            value = getattr(self, f"{name}_ms")
            shown[f"{name}_ms"] = None if value is None else round(value, 1)
        return shown


@dataclass(frozen=True)
class Call:
    """An answer, whatever its status. Header names are lower case, the first of each wins."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    timings: Timings


@dataclass(frozen=True)
class EgressFault:
    """A call without a whole answer; `status` and `body` hold what had come until then."""

    kind: FaultKind
    detail: str
    timings: Timings
    # True when the time ran out, whichever step it ran out in.
    late: bool = False
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
