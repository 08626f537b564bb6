"""Who sits where in the newest round, and who leads: as the wall, a sheet of paper and a frame show
it. Knows no request."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Competition, Round, Table
from league.pages.shown import pips
from league.queries import documents, stints
from league.queries.standings import standings
from league.queries.wires import StandingWire


@dataclass(frozen=True)
class Seated:
    """A table with its people in the order of their seats."""

    number: int
    names: tuple[str, ...]
    deals_done: int
    deals_planned: int
    done: bool


@dataclass(frozen=True)
class Ranked:
    """A row of the standings; `letters` of the word, and whether each is taken."""

    wire: StandingWire
    letters: tuple[tuple[str, bool], ...]
    pips: str


def newest_round(league: Competition) -> Round | None:
    """The round that is played, or the last one that was."""
    drawn = Round.objects.filter(competition=league).exclude(state=Round.State.VOID)
    return drawn.order_by("-number").first()


def tables_of(drawn: Round | None) -> list[Seated]:
    """The tables of a round with who plays there, byes left out."""
    if drawn is None:
        return []
    rows = Table.objects.filter(round=drawn).exclude(state=Table.State.VOID).order_by("number")
    tables = list(rows.prefetch_related("seats__entry__player", "seats__entry__substitute"))
    entries = [seat.entry for table in tables for seat in table.seats.all()]
    playing = stints.played_by(entries, drawn.number)
    return [
        Seated(
            table.number,
            tuple(
                playing[seat.entry_id].name
                for seat in sorted(table.seats.all(), key=lambda seat: seat.index)
            ),
            table.deals_done,
            table.deals_planned,
            table.state == Table.State.DONE,
        )
        for table in tables
        if table.deals_planned
    ]


def ranked(league: Competition) -> list[Ranked]:
    """The standings with chips as letters or dots."""
    word = league.chosen.word
    return [
        Ranked(
            wire,
            tuple((letter, at < wire["chips"]) for at, letter in enumerate(word)),
            pips(wire["chips"]),
        )
        for wire in documents.standings(standings(league))
    ]
