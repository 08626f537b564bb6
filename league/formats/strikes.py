"""`strikes`: last at a table takes a strike, out at so many; who is left is seated anew each round.

Strikes are chips, so vectors of chips by place hold here too. Source: competitions.md, "Formats".
"""

from league.formats import rounds
from league.formats.field import Draw, Field, Outcome
from league.formats.settings import Settings


def draw(field: Field, settings: Settings, seed: bytes) -> Draw:
    """Seat who is left as a league night would."""
    return rounds.draw(field, settings, seed)


def close(field: Field, settings: Settings) -> Outcome:
    """Who has so many strikes leaves, sharing a place with who leaves in the same round."""
    return rounds.close(field, settings)


def planned(entries: int, settings: Settings) -> list[tuple[int, ...]]:
    """The least there can be: each round every table puts one strike on somebody.

    >>> planned(4, Settings(limit=2))
    [(4,), (4,), (3,), (3,), (2,), (2,)]
    """
    found = []
    left, strikes = entries, 0
    while left > max(1, settings.left):
        sizes = rounds.sizes(left, settings)
        found.append(sizes)
        strikes += len(sizes)
        leave, strikes = divmod(strikes, settings.limit)
        left -= leave
    return found
