"""What things cost: each module here has `measure() -> list[Figure]` for `manage.py bench NAME`."""

from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number beside its goal."""

    name: str
    value: float
    unit: str
    goal: str
    holds: bool | None
    """None where nothing to compare with is at hand."""
    floor: float | None = None
    """Calls of an empty method a second, measured in between."""
