"""How far a call has come, and what that says when it fails.

Owns the reading of an HTTP client's errors; sends nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import aiohttp
from aiohttp.http_exceptions import LineTooLong

from config.kit.egress.guard import AddressError
from config.kit.egress.marks import Marks
from config.kit.egress.results import EgressFault, FaultKind, Timings


class TooLargeError(Exception):
    """Headers or body went over their cap."""


@dataclass
class Progress:
    """What has come of a call so far, kept outside it so that a fault can show it."""

    marks: Marks
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)


def fault_of(error: Exception, late: bool, progress: Progress) -> EgressFault:
    """The value for a call that ended with `error`; `late` if its time had run out."""
    return EgressFault(
        _late_kind(progress.marks) if late else _kind(error, progress.marks),
        "not done in time" if late else _detail(error),
        timings_of(progress.marks),
        late,
        progress.status,
        progress.headers,
        bytes(progress.body),
    )


def _late_kind(noted: Mapping[str, float]) -> FaultKind:
    if "written" in noted:
        return FaultKind.TIMEOUT
    return FaultKind.TLS if "tls" in noted and "connected" not in noted else FaultKind.CONNECT


def _kind(error: BaseException, noted: Mapping[str, float]) -> FaultKind:
    causes = list(_causes(error))
    if any(isinstance(cause, AddressError) for cause in causes):
        return FaultKind.REFUSED
    if any(_too_large(cause) for cause in causes):
        return FaultKind.TOO_LARGE
    if isinstance(error, aiohttp.ClientSSLError | aiohttp.ClientConnectorCertificateError):
        return FaultKind.TLS
    if "tls" in noted and "connected" not in noted and "reused" not in noted:
        return FaultKind.TLS
    if isinstance(error, aiohttp.ClientConnectionError | aiohttp.ClientPayloadError):
        return FaultKind.CONNECT
    return FaultKind.MALFORMED


def _too_large(error: BaseException) -> bool:
    # aiohttp has a class for a long line but only this text for too many of them.
    return isinstance(error, TooLargeError | LineTooLong) or "Too many" in str(error)


def _causes(error: BaseException | None) -> list[BaseException]:
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes


def _detail(error: Exception) -> str:
    """At most 200 characters for the owner's eyes."""
    said = getattr(error, "message", None) or error
    return f"{type(error).__name__}: {said}"[:200]


def timings_of(noted: Mapping[str, float]) -> Timings:
    """The lengths of the steps that were noted, "start" and "end" among them."""
    start, end = noted["start"], noted["end"]
    timings = Timings(queue_ms=_ms(noted["queued"], start), total_ms=_ms(start, end))
    timings.reused = "reused" in noted
    timings.written_at = noted.get("written")
    if "dns" in noted:
        timings.dns_ms = _ms(noted["dns"], noted.get("dns_end", end))
    if "connect" in noted:
        until = noted.get("tls", noted.get("connected", end))
        timings.connect_ms = _ms(noted["connect"], until)
    if "tls" in noted:
        timings.tls_ms = _ms(noted["tls"], noted.get("connected", end))
    if "written" in noted and "first_byte" in noted:
        timings.first_byte_ms = _ms(noted["written"], noted["first_byte"])
        timings.last_byte_ms = _ms(noted["written"], end)
    return timings


def _ms(since: float, until: float) -> float:
    return (until - since) * 1000
