"""How often somebody may ask: token buckets in this process's memory (decision 052).

Each web process counts for itself, so no request waits for a broker or writes a row to be counted,
and nothing refuses because a cache is down. Who is counted, and by which policy, is said by
`settings.RATE_KEYS`; knows no noun of the product.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from config.kit.errors import ServiceError

MOST_KEPT: Final = 50_000
_META: Final = "rate"


class Policy(NamedTuple):
    """At most `quota` at once, refilled evenly over `window_s` seconds."""

    name: str
    quota: int
    window_s: int


class RateLimitError(ServiceError):
    """So many requests in so short a time; `limit` names the policy, `retry_after_s` the wait."""

    code = "rate_limited"

    def __init__(self, taken: Taken) -> None:
        policy = taken.policy
        self.wait = taken.wait_s
        super().__init__(
            "Too many requests in a short time.",
            limit=policy.name,
            quota=policy.quota,
            window_s=policy.window_s,
            retry_after_s=math.ceil(taken.wait_s),
        )


class Taken(NamedTuple):
    """What one request found: how many may follow, when all may again, how long to wait."""

    policy: Policy
    left: int
    full_in_s: float
    wait_s: float

    def headers(self) -> dict[str, str]:
        """As in draft-ietf-httpapi-ratelimit-headers."""
        name, quota, window = self.policy
        return {
            "RateLimit-Policy": f'"{name}";q={quota};w={window}',
            "RateLimit": f'"{name}";r={self.left};t={math.ceil(self.full_in_s)}',
        }


class Buckets:
    """One number for each that asks: when its bucket will be full again."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._full_at: dict[tuple[str, str], float] = {}
        self._lock, self._most = threading.Lock(), most

    def take(self, policy: Policy, key: str, now: float | None = None) -> Taken:
        """Count one request; `wait_s` above 0: it is one too many, and was not counted."""
        moment = time.monotonic() if now is None else now
        each = policy.window_s / policy.quota
        with self._lock:
            full_at = max(self._full_at.get((policy.name, key), moment), moment) + each
            over = full_at - moment - policy.window_s
            if over > each * 1e-6:
                return Taken(policy, 0, full_at - each - moment, over)
            if len(self._full_at) >= self._most:
                self._forget(moment)
            self._full_at[policy.name, key] = full_at
        left = math.floor((moment + policy.window_s - full_at) / each + 1e-6)
        return Taken(policy, left, full_at - moment, 0.0)

    def clear(self) -> None:
        """Everybody begins anew."""
        self._full_at.clear()

    def _forget(self, now: float) -> None:
        """Full buckets are as good as none; if all are in use, everybody begins anew."""
        kept = {key: at for key, at in self._full_at.items() if at > now}
        self._full_at = kept if len(kept) < self._most else {}


buckets: Final = Buckets()


def count(request: HttpRequest, who: object) -> None:
    """Count this request for `who` asks, None for the address. Raises `RateLimitError`."""
    if not settings.RATE_LIMITS:
        return
    name, key = import_string(settings.RATE_KEYS)(request, who)
    taken = buckets.take(policies()[name], key)
    request.META[_META] = taken
    if taken.wait_s:
        raise RateLimitError(taken)


def policies() -> Mapping[str, Policy]:
    """The policies by name, as the settings give them: quota and seconds."""
    return {name: Policy(name, *given) for name, given in settings.RATE_LIMITS.items()}


def headers_of(request: HttpRequest) -> dict[str, str]:
    """What the answer to a request says about its limit; nothing if it was not counted."""
    taken: Taken | None = request.META.get(_META)
    return {} if taken is None else taken.headers()
