"""Cursor pages over a unique key: each row exactly once, however many are inserted meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Model, QuerySet

MOST = 100
USUAL = 50


class Page(NamedTuple):
    """Some rows, and the address of those that follow."""

    rows: list[Any]
    next: str | None


def page(
    rows: QuerySet[Any], key: str, after: Any, limit: int, address: Callable[[str], str]
) -> Page:
    """The first `limit` rows after the key `after`; `key` "-id" reads from the newest."""
    name = key.removeprefix("-")
    if after is not None:
        rows = rows.filter(**{f"{name}__{'lt' if key.startswith('-') else 'gt'}": after})
    found = list(rows.order_by(key)[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    return Page(found, address(_text(found[-1], name)) if more else None)


def addresses(path: str, query: dict[str, Any]) -> Callable[[str], str]:
    """How to write the address of the next page: the same query with another cursor."""
    return lambda cursor: f"{path}?{urlencode({**query, 'cursor': cursor})}"


def _text(row: Model, name: str) -> str:
    return str(getattr(row, name))
