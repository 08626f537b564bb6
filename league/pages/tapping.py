"""How the fields of a form that tells a deal are read; the phone's queue writes the same ones.

`key` makes it safe to send again (keys.py). `deal` and `seen`, the version known, say of what it is
told. One of these says how it went:

| field | meaning |
|---|---|
| `last=3` (again for joint ones) | 3 was last; the others share the first place |
| `gave-up=3` (again for several) | 3 gave up and is last |
| `places=1/2,4/3` | groups from first to last; `-`: it was abandoned |
| `place-1=2` for each seat | the place of each; equal ones share it, "" did not play |
| `abandoned` | nobody lost it |

Instead of those `sit=3` says who speaks, `undo=2` takes deal 2 back, `sheet` confirms all that
others have told. Numbers are those of entries. A POST is answered by 302 to the page, or by 409
with the page where something else stands there meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import QueryDict

from league.errors import BadResultError
from league.formats.saying import SayingError, only_last
from league.services.at_table import Told

ABANDONED = "-"


def told(form: QueryDict, seats: Sequence[int]) -> Told:
    """What a form says of a deal. Raises `BadResultError`."""
    seen = number(form.get("seen", "")) or None
    gave_up = tuple(number(one) for one in form.getlist("gave-up"))
    if gave_up:
        return Told(_last(gave_up, seats), seen, gave_up)
    if "last" in form:
        return Told(_last([number(one) for one in form.getlist("last")], seats), seen)
    if "places" in form:
        return Told(read(str(form["places"])), seen)
    if "abandoned" in form:
        return Told([], seen)
    return Told(_chosen(form, seats), seen)


def read(text: str) -> list[list[int]]:
    """Places as forms carry them.

    >>> read("1/2,4/3"), read("-")
    ([[1], [2, 4], [3]], [])
    """
    if text == ABANDONED:
        return []
    return [[number(one) for one in group.split(",")] for group in text.split("/")]


def written(places: Sequence[Sequence[int]]) -> str:
    """The opposite of `read`."""
    return "/".join(",".join(map(str, group)) for group in places) or ABANDONED


def number(text: str) -> int:
    """A number of a form, 0 for what is none."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0


def _last(last: Sequence[int], seats: Sequence[int]) -> list[list[int]]:
    try:
        return [list(group) for group in only_last(last, seats)]
    except SayingError as error:
        raise BadResultError(str(error), field="last") from error


def _chosen(form: QueryDict, seats: Sequence[int]) -> list[list[int]]:
    """Places from fields, one a seat."""
    chosen = {seat: number(form.get(f"place-{seat}", "")) for seat in seats}
    ranks = sorted({rank for rank in chosen.values() if rank})
    if not ranks:
        raise BadResultError("Say who was last.", field="places")
    return [[seat for seat, rank in chosen.items() if rank == one] for one in ranks]
