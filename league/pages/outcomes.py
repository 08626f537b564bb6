"""How a deal went, in words with the names of its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

Names = Mapping[int, str]


def outcome(
    places: Sequence[Sequence[int]], names: Names, forfeits: Sequence[int] = ()
) -> SafeString:
    """Who was last; the whole order where more of it is known."""
    if not places:
        return SafeString("abandoned")
    if len(places) == 1:
        return SafeString("nobody lost it")
    if forfeits:
        return format_html("{} gave up", people(forfeits, names))
    if len(places) == 2:
        return format_html(
            "{} was last" if len(places[1]) == 1 else "{} were last", _last(places, names)
        )
    return format_html_join(
        ", ",
        "{}. {}",
        ((place, people(group, names)) for place, group in _placed(places)),
    )


def people(numbers: Sequence[int], names: Names) -> SafeString:
    """Some of them: "Aino, Bertil and Cecilia"."""
    known = [format_html("<bdi>{}</bdi>", names.get(n, f"no. {n}")) for n in numbers]
    if len(known) < 2:
        return known[0] if known else SafeString("nobody")
    return format_html(
        "{} and {}", format_html_join(", ", "{}", ((n,) for n in known[:-1])), known[-1]
    )


def _last(places: Sequence[Sequence[int]], names: Names) -> SafeString:
    return people(places[-1], names)


def _placed(places: Sequence[Sequence[int]]) -> list[tuple[int, Sequence[int]]]:
    """Groups with their place: who shares the second of four is followed by the fourth."""
    found, at = [], 1
    for group in places:
        found.append((at, group))
        at += len(group)
    return found
