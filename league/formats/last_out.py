"""`last_out`: whoever comes last at a table leaves, until one table is left; its winner wins.

Source: competitions.md, "Formats".
"""

from league.formats import rounds
from league.formats.field import Draw, Field, Outcome, TableDone
from league.formats.settings import Settings


def draw(field: Field, settings: Settings, seed: bytes) -> Draw:
    """Seat who is left as a league night would."""
    return rounds.draw(field, settings, seed)


def close(field: Field, settings: Settings) -> Outcome:
    """Who leaves shares the place behind all who go on; a round of one table is the final."""
    done = field.rounds[-1]
    if len(done) == 1:
        return _final(done[0], field)
    losers = frozenset[int]().union(*(table.last for table in done))
    seated = [number for table in done for number in table.order]
    still_in = tuple(n for n in field.numbers if n not in losers)
    leaving = [number for number in seated if number not in still_in]
    # Who drops out before he has lost stands before those who have lost in that round.
    dropped = [number for number in leaving if number not in losers]
    places = {n: len(still_in) + 1 + (len(dropped) if n in losers else 0) for n in leaving}
    if len(still_in) == 1:
        places[still_in[0]] = 1
    # Where nobody is ever last nobody leaves: then the standings place who is left.
    endless = len(field.rounds) >= rounds.most_rounds(field, settings)
    return Outcome(places, still_in, over=endless or len(still_in) < 2)


def planned(entries: int, settings: Settings) -> list[tuple[int, ...]]:
    """Table sizes of every round to the final, if nobody shares a last place.

    >>> planned(9, Settings())
    [(5, 4), (4, 3), (5,)]
    """
    found = []
    left = entries
    while left > 1:
        found.append(rounds.sizes(left, settings))
        if len(found[-1]) == 1:
            break
        left -= len(found[-1])
    return found


def _final(table: TableDone, field: Field) -> Outcome:
    places, ahead = {}, 0
    fit = [[n for n in g if n in field.known and n not in table.forfeits] for g in table.places]
    unfit = [n for n in table.order if n not in field.known or n in table.forfeits]
    for group in [*fit, unfit]:
        places.update(dict.fromkeys(group, ahead + 1))
        ahead += len(group)
    first = tuple(number for number, place in places.items() if place == 1)
    return Outcome(places, first, over=True)
