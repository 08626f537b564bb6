"""The field of a draw, read from the rows: who is in, what was played, who may not meet."""

from collections.abc import Iterable, Sequence

from games.engine import competition_seed
from league.formats.field import Entrant, Field, Pair, TableDone
from league.formats.settings import Seating, Settings
from league.models import Competition, Entry, PenaltyTally, Round, Stage, Table
from league.queries.standings import standings


def field_of(
    competition: Competition, stage: Stage, settings: Settings, entries: Sequence[Entry]
) -> Field:
    """Who is still in, as `still_in` has read them, with all rounds of the stage that were
    played."""
    tallies = PenaltyTally.objects.filter(competition=competition)
    chips = dict(tallies.values_list("entry__number", "chips"))
    ranks = _ranks(competition) if settings.seating == Seating.STANDINGS else {}
    return Field(
        entrants=tuple(
            Entrant(
                number=entry.number,
                rank=entry.seed or entry.number,
                owner=entry.plays.owner_id,
                chips=chips.get(entry.number, 0),
                standing=ranks.get(entry.number, 0),
            )
            for entry in entries
        ),
        rounds=rounds_of(stage),
        forbidden=_forbidden(settings, entries),
    )


def draw_seed(competition: Competition, number: int) -> bytes:
    """The seed of a round's draw."""
    return competition_seed(bytes(competition.secret), f"draw/{number}")


def still_in(competition: Competition) -> list[Entry]:
    """The entries that go on, by number."""
    entered = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
    return list(entered.select_related("player", "substitute").order_by("number"))


def rounds_of(stage: Stage) -> tuple[tuple[TableDone, ...], ...]:
    """The tables that are done of each round of a stage, void rounds left out."""
    rounds = Round.objects.filter(stage=stage).exclude(state=Round.State.VOID).order_by("number")
    tables = Table.objects.filter(round__in=rounds, state=Table.State.DONE).order_by("number")
    done: dict[int, list[TableDone]] = {pk: [] for pk in rounds.values_list("pk", flat=True)}
    for table in tables:
        done[table.round_id].append(_done(table))
    return tuple(tuple(tables) for tables in done.values())


def _done(table: Table) -> TableDone:
    places = tuple(tuple(group) for group in table.places or ())
    return TableDone(places, table.advance, deals=table.deals_done)


def _ranks(competition: Competition) -> dict[int, int]:
    ranked = standings(competition)
    return {row.entry.number: at for at, row in enumerate(ranked, start=1)}


def _forbidden(settings: Settings, entries: Sequence[Entry]) -> frozenset[Pair]:
    number = {entry.plays.pk: entry.number for entry in entries}
    return frozenset(_pairs(settings.forbidden_pairs, number))


def _pairs(pairs: Iterable[tuple[int, int]], number: dict[int, int]) -> Iterable[Pair]:
    for one, other in pairs:
        if one in number and other in number and one != other:
            yield frozenset((number[one], number[other]))
