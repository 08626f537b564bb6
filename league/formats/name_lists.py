"""Names pasted one a line: those that can be used, and what is wrong with the others, by line.

Pure: what a name may be is told by `check`, which returns the name as it is kept or raises.
"""

from collections.abc import Callable
from typing import NamedTuple


class Fault(NamedTuple):
    """A line that names nobody, and why."""

    line: int
    text: str
    why: str


class NameList(NamedTuple):
    """The names in their order; faults by line. With faults nothing is to be taken."""

    names: tuple[str, ...]
    faults: tuple[Fault, ...]


def read(text: str, check: Callable[[str], str], refusal: type[Exception]) -> NameList:
    """Read pasted names; empty lines are nothing, the same name twice is a fault.

    >>> read("Aino\\n\\n Bertil \\nAino", str.strip, ValueError).names
    ('Aino', 'Bertil')
    >>> read("Aino\\n\\n Bertil \\nAino", str.strip, ValueError).faults[0].why
    'The same as line 1: add something that tells them apart.'
    """
    found: dict[str, int] = {}
    faults: list[Fault] = []
    for line, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not raw.strip():
            continue
        try:
            name = check(raw)
        except refusal as error:
            faults.append(Fault(line, raw[:40], str(error)))
            continue
        if name in found:
            why = f"The same as line {found[name]}: add something that tells them apart."
            faults.append(Fault(line, name, why))
        else:
            found[name] = line
    return NameList(tuple(found), tuple(faults))
