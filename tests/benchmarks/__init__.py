"""What things cost: each module here has `measure() -> list[Figure]` for `manage.py bench NAME`."""

from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number beside its goal."""

    name: str
    value: float | None
    """None where it could not be measured; `reason` says why."""
    unit: str
    goal: str
    holds: bool | None
    """None where there is no goal, or nothing was measured."""
    floor: float | None = None
    """Calls of an empty method a second, measured in between."""
    reason: str = ""
