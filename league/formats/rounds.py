"""`rounds`: everybody plays each round, seated by policy; the league night.

Who reaches a limit of chips is out: leaves, or plays on without chips. Source: competitions.md,
"League rules" and "Formats".
"""

from collections.abc import Iterable, Sequence

from league.formats.field import Draw, Entrant, Field, Outcome
from league.formats.grouping import in_turn
from league.formats.lots import shuffled
from league.formats.seating import fewest_byes_first, seat
from league.formats.settings import AfterOut, OutAt, Seating, Settings
from league.formats.split import split

# Rounds in which nothing happened that leads to the end: so many are borne, never more in all.
IDLE_ROUNDS, MOST_ROUNDS = 10, 1000


def sizes(people: int, settings: Settings) -> tuple[int, ...]:
    """Table sizes for so many, biggest first: of three or more where that can be.

    >>> sizes(7, Settings()), sizes(2, Settings()), sizes(7, Settings(table_size=2))
    ((4, 3), (2,), (3, 2, 2))
    """
    if people <= max(settings.few_left, 0):
        return (people,)
    smallest = 3 if settings.table_size > 2 else 2
    return split(people, settings.table_size, smallest) or split(people, settings.table_size, 2)


def draw(field: Field, settings: Settings, seed: bytes) -> Draw:
    """Seat the next round of a field of two or more."""
    if settings.seating == Seating.FIXED and (fixed := _as_before(field)):
        return seat(field, fixed, seed, repeats=False)
    order, weigh = _order(field, settings, seed)
    wanted = sizes(len(order), settings)
    short = len(order) - sum(wanted)
    byes = fewest_byes_first(field, order)[:short]
    playing = [number for number in order if number not in byes]
    return seat(field, in_turn(playing, wanted), seed, byes=byes, repeats=weigh)


def close(field: Field, settings: Settings) -> Outcome:
    """Who is out by the chips taken so far, and whether it is over."""
    out = out_now(field.entrants, settings)
    leaves = settings.after_out == AfterOut.LEAVES
    going_on = [e.number for e in field.entrants if not (leaves and e.number in out)]
    still_in = tuple(sorted(going_on))
    places = _leaving(field, settings, out, len(still_in)) if leaves else {}
    if leaves and not still_in:
        # All who were left go out together: those of the last deal share the win.
        return Outcome(places, (), over=True)
    over = len(still_in) < 2 or _ended(field, settings, out)
    if leaves and len(still_in) == 1:
        places[still_in[0]] = 1
    return Outcome(places, still_in, over)


def _leaving(field: Field, settings: Settings, out: Sequence[int], ahead: int) -> dict[int, int]:
    """Places of who leaves: shared by all of a round, or by those who were out after deals of one
    number, the later ones ahead."""
    if settings.out_at == OutAt.ROUND:
        return dict.fromkeys(out, ahead + 1)
    when = {number: field.known[number].last_loss for number in out}
    return {n: ahead + 1 + sum(other > when[n] for other in when.values()) for n in out}


def planned(entries: int, settings: Settings) -> list[tuple[int, ...]]:
    """Table sizes of the rounds to come, as far as they are known beforehand."""
    return [sizes(entries, settings)] * settings.rounds if entries > 1 else []


def out_now(entrants: Iterable[Entrant], settings: Settings) -> list[int]:
    """Who has reached the limit, if there is one."""
    return [entrant.number for entrant in entrants if settings.puts_out(entrant.chips)]


def most_rounds(field: Field, settings: Settings) -> int:
    """So many rounds, and it is over whatever has happened: each brings the end nearer by a deal,
    a chip or somebody who leaves, but for a few that nobody could finish."""
    seen = {number for tables in field.rounds for table in tables for number in table.order}
    people = len(seen | set(field.numbers))
    ends = [settings.deals] * (settings.deals > 0) + [people * settings.limit] * (
        settings.limit > 0
    )
    return min(MOST_ROUNDS, min(ends, default=people) + IDLE_ROUNDS)


def _ended(field: Field, settings: Settings, out: Sequence[int]) -> bool:
    played = sum(max((table.deals for table in tables), default=0) for tables in field.rounds)
    left = len(field.entrants) - len(out)
    return (
        (settings.rounds > 0 and len(field.rounds) >= settings.rounds)
        or (
            not settings.rounds | settings.nights
            and len(field.rounds) >= most_rounds(field, settings)
        )
        or (settings.deals > 0 and played >= settings.deals)
        or (settings.first_out and bool(out))
        or (settings.left > 0 and settings.limit > 0 and left <= settings.left)
    )


def _order(field: Field, settings: Settings, seed: bytes) -> tuple[list[int], bool]:
    """Everybody in the order that tables are filled from, and whether repeats count."""
    by_lot = shuffled(seed, "tables", field.numbers)
    if settings.seating == Seating.STANDINGS:
        return sorted(by_lot, key=lambda n: field.known[n].standing), False
    return by_lot, settings.seating != Seating.RANDOM


def _as_before(field: Field) -> list[list[int]]:
    """The tables of the last round, who has left gone and who is new at the smallest; nothing
    where that makes no tables of two to six."""
    before = field.rounds[-1] if field.rounds else ()
    tables: list[list[int]] = []
    seated: set[int] = set()
    for table in before:
        # Who has changed tables in the round has played at both: it stays at the first.
        stay = [n for n in table.order if n in field.known and n not in seated]
        seated.update(stay)
        tables += [stay] if stay else []
    for number in field.numbers:
        if number not in seated and tables:
            min(tables, key=len).append(number)
    return tables if all(2 <= len(table) <= 6 for table in tables) else []
