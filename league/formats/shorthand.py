"""What who keeps scores types of a deal: seats by number or by the beginning of a name.

| typed | meaning |
|---|---|
| `3`, `ce` | seat 3, or who is called Ce..., was last |
| `2 1 3 4` | the whole order, from first to last |
| `2 1=3 4` | 1 and 3 share a place; `3=4`: both were last |
| `3!` | 3 gave up and is last |
| `-` | abandoned |

Pure: seats are entry numbers with the names of who sits there, in the order of the seats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.formats.saying import SayingError, only_last

ABANDONED = "-"
GAVE_UP = "!"
_SPACES = str.maketrans(dict.fromkeys(",;/>", " "))


@dataclass(frozen=True)
class Typed:
    """Places from first to last, and who of the last gave up."""

    places: tuple[tuple[int, ...], ...]
    forfeits: tuple[int, ...] = ()


def read(text: str, seats: Mapping[int, str]) -> Typed:
    """What was typed. Raises `SayingError`.

    >>> names = {7: "Aino", 3: "Bertil", 5: "Cecilia"}
    >>> read("be", names).places, read("3 1=2", names).places, read("1!", names)
    (((5, 7), (3,)), ((5,), (3, 7)), Typed(places=((3, 5), (7,)), forfeits=(7,)))
    """
    said = text.strip()
    if said in (ABANDONED, "–", "—"):
        return Typed(())
    gave_up = tuple(
        sorted(_seat(word[:-1], seats) for word in _words(said) if word.endswith(GAVE_UP))
    )
    if gave_up:
        if len(gave_up) != len(_words(said)):
            raise SayingError("Say only who gave up.")
        return Typed(only_last(gave_up, list(seats)), gave_up)
    groups = [[_seat(one, seats) for one in word.split("=")] for word in _words(said)]
    if not groups:
        raise SayingError("Nothing is said.")
    if len(groups) == 1 and set(groups[0]) != set(seats):
        return Typed(only_last(groups[0], list(seats)))
    named = [number for group in groups for number in group]
    if len(named) != len(set(named)):
        raise SayingError("Somebody stands there twice.")
    return Typed(tuple(tuple(sorted(group)) for group in groups))


def written(
    places: Sequence[Sequence[int]], seats: Sequence[int], forfeits: Sequence[int] = ()
) -> str:
    """The opposite of `read`, by numbers of seats, where everybody told sits there.

    >>> written([[5], [3, 7]], [7, 3, 5]), written([[3, 5], [7]], [7, 3, 5])
    ('3 1=2', '1')
    """
    at = {number: str(index) for index, number in enumerate(seats, start=1)}
    if not places:
        return ABANDONED
    if forfeits:
        return " ".join(at.get(number, f"no.{number}") + GAVE_UP for number in forfeits)
    told = list(places)
    everybody = {number for group in told for number in group} == set(seats)
    if everybody and len(told) == 2 and len(told[0]) > 1:
        told = told[1:]
    return " ".join("=".join(sorted(at.get(n, f"no.{n}") for n in group)) for group in told)


def _words(said: str) -> list[str]:
    return said.translate(_SPACES).replace(" =", "=").replace("= ", "=").split()


def _seat(word: str, seats: Mapping[int, str]) -> int:
    numbers = list(seats)
    if word.isascii() and word.isdecimal():
        index = int(word[:4])
        if not 1 <= index <= len(numbers):
            raise SayingError(f"There is no seat {word}.")
        return numbers[index - 1]
    begins = word.casefold()
    found = [number for number, name in seats.items() if _called(name, begins)]
    exact = [number for number in found if seats[number].casefold() == begins]
    if len(exact) == 1 or len(found) == 1:
        return (exact or found)[0]
    if not found:
        raise SayingError(f"Nobody here is called {word}.")
    raise SayingError(f"{word} could be {' or '.join(seats[number] for number in found)}.")


def _called(name: str, begins: str) -> bool:
    """By the beginning of the name, or by the initials of its words."""
    folded = name.casefold()
    initials = "".join(part[0] for part in folded.split())
    return bool(begins) and (folded.startswith(begins) or initials == begins)
