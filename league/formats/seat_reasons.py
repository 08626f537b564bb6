"""Why a round is seated as it is, in sentences: what could not be avoided, and how sure that is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_SURE: Final = {
    "bound": "It can't be less: with {people} people at {tables} tables somebody always does.",
    "searched": "It can't be less: every seating was looked at.",
    "best_found": "It is the best that was found; a better one may exist.",
}


def reasons(draw: Mapping[str, Any], sizes: Sequence[int]) -> list[str]:
    """Of a stored draw and its table sizes.

    >>> reasons({"repeats": 3, "proof": "searched"}, [4, 3])[0]
    '3 pairs meet again: a round without repeats is impossible.'
    """
    return list(_reasons(draw, sizes))


def _reasons(draw: Mapping[str, Any], sizes: Sequence[int]) -> Iterator[str]:
    proof = str(draw.get("proof", "free"))
    if "tied" in draw:
        yield "A play-off: who shares the win plays for it."
    if draw.get("late"):
        kept = draw["late"] if isinstance(draw["late"], list) else []
        if kept:
            yield f"{_many(len(kept), 'seat')} kept for who comes late, at different tables."
    if not draw.get("repeats") and not draw.get("forbidden"):
        if len(sizes) > 1:
            yield "Nobody meets somebody again sooner than need be."
        return
    if draw.get("forbidden"):
        yield f"{_many(draw['forbidden'], 'pair')} that should not meet sit together."
    if draw.get("repeats"):
        pairs = _many(draw["repeats"], "pair")
        meet = "meets" if draw["repeats"] == 1 else "meet"
        sure = proof in ("bound", "searched")
        more = ": a round without repeats is impossible" if sure else ""
        yield f"{pairs} {meet} again{more}."
    if proof in _SURE:
        yield _SURE[proof].format(people=sum(sizes), tables=len(sizes))


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}s" if number != 1 else f"1 {noun}"
