"""The order of a deal, tapped one after the other: each tap is an address, nothing is kept.

`picked` holds the places so far as forms write them, `next` who comes behind them, `level` who
shares the last of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.safestring import SafeString

from league.pages import tapping
from league.pages.outcomes import people


@dataclass(frozen=True)
class Picking:
    """Where somebody is in telling the order of a deal."""

    deal: int
    seen: int
    picked: str
    groups: list[tuple[int, SafeString]]
    """The places so far, and who has them."""
    left: list[tuple[int, str]]
    """Who is not told yet."""
    place: int
    """The place that is asked for."""
    places: str
    """All of it, if who is left shares the last place; "" while two at least are not told apart."""
    others: SafeString


def picking(deal: int, query: QueryDict, names: Mapping[int, str], seen: int) -> Picking:
    """Read how far it is; what does not belong there is left out."""
    groups = _groups(query, names)
    told = {number for group in groups for number in group}
    left = [number for number in names if number not in told]
    whole = [*groups, left] if left else groups
    return Picking(
        deal,
        seen,
        tapping.written(groups) if groups else "",
        [(_place(groups, at), people(group, names)) for at, group in enumerate(groups)],
        [(number, names[number]) for number in left],
        len(told) + 1,
        tapping.written(whole) if groups and len(whole) > 1 else "",
        people(left, names),
    )


def _groups(query: QueryDict, names: Mapping[int, str]) -> list[list[int]]:
    groups = tapping.read(str(query["picked"])) if query.get("picked") else []
    following, level = (tapping.number(query.get(name, "")) for name in ("next", "level"))
    if following:
        groups.append([following])
    if level and groups:
        groups[-1].append(level)
    named = [number for group in groups for number in group]
    return groups if len(named) == len(set(named)) and set(named) <= set(names) else []


def _place(groups: Sequence[Sequence[int]], at: int) -> int:
    return 1 + sum(len(group) for group in groups[:at])
