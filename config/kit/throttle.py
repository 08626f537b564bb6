"""How many tries somebody has: counted in the database, all keys by one statement.

A cache that is read and then written lets parallel tries pass; one upsert that returns the count
does not. Keys are kept as hashes: what was typed as a name may be a password.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection, transaction

from config.kit.errors import ServiceError
from config.kit.models import Tries


class TooManyTriesError(ServiceError):
    """So many tries in so short a time; `retry_after_s` says when the next one is taken."""

    code = "too_many_tries"

    def __init__(self, wait_s: float) -> None:
        self.wait = wait_s
        super().__init__("Too many tries.", retry_after_s=math.ceil(wait_s))


class Limit(NamedTuple):
    """At most `most` tries of this kind and key within `seconds` from the first one."""

    kind: str
    key: str
    most: int
    seconds: int


# In the order of the keys, so that two who count the same ones wait for each other in line.
_COUNT = """
    INSERT INTO kit_tries AS t (digest, count, ends_at)
    SELECT digest, 1, clock_timestamp() + make_interval(secs => seconds)
    FROM unnest(%s::bytea[], %s::integer[]) AS given (digest, seconds) ORDER BY digest
    ON CONFLICT (digest) DO UPDATE SET
        count = CASE WHEN t.ends_at < clock_timestamp() THEN 1 ELSE t.count + 1 END,
        ends_at = CASE WHEN t.ends_at < clock_timestamp() THEN excluded.ends_at ELSE t.ends_at END
    RETURNING digest, count, extract(epoch FROM ends_at - clock_timestamp())
"""


def count(limits: Iterable[Limit]) -> None:
    """Count one try by all of these. Raises `TooManyTriesError` if it is one too many by any."""
    by_digest = {_digest(limit): limit for limit in limits}
    keys = sorted(by_digest)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_COUNT, [keys, [by_digest[key].seconds for key in keys]])
        found = {bytes(digest): (tries, left) for digest, tries, left in cursor.fetchall()}
    over = [float(found[key][1]) for key in keys if found[key][0] > by_digest[key].most]
    if over:
        raise TooManyTriesError(max(over))


def forgive(limit: Limit) -> None:
    """Forget the tries of one key: the last one was right."""
    Tries.objects.filter(digest=_digest(limit)).delete()


def _digest(limit: Limit) -> bytes:
    return hashlib.sha256(f"{limit.kind}\0{limit.key}".encode(errors="replace")).digest()
