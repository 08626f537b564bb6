"""What guarantees.md promises, in full: a module `rN` for each row with `prove(port) -> Proof`.

The modules ask a real server by HTTP and look at its rows by the ORM; the quick forms in the tests
call the same functions with smaller numbers.
"""

from typing import NamedTuple

SEED = 1


class Proof(NamedTuple):
    """What a row of guarantees.md came to."""

    figure: str
    goal: str
    holds: bool
