"""What else `make up` runs beside the services: a list the wiring fills, read after the demo data.

Knows only names, arguments and environments.
"""

from typing import NamedTuple


class Extra(NamedTuple):
    """One more process: its short name in the log, its arguments, its own environment."""

    name: str
    argv: list[str]
    env: dict[str, str]


def processes() -> list[Extra]:
    """Return the processes to run; each is started again when it ends."""
    return []
