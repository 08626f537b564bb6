"""Standings of a competition from its tallies."""

from dataclasses import dataclass

from games.models import Player
from league.formats.registry import FORMATS
from league.formats.standings import Line, Ranked, rank
from league.formats.tallying import Sums
from league.models import Competition, Entry, PenaltyTally


@dataclass(frozen=True)
class Standing:
    """One row: the ranked line and whom it is about."""

    ranked: Ranked
    entry: Entry
    tally: PenaltyTally

    @property
    def player(self) -> Player:
        """Who entered."""
        return self.entry.player


def standings(competition: Competition) -> list[Standing]:
    """All entries that were not withdrawn, best first. Two queries."""
    tallies = PenaltyTally.objects.filter(competition=competition).select_related("entry__player")
    known = {
        tally.entry.number: tally for tally in tallies if tally.entry.state != Entry.State.WITHDRAWN
    }
    lines = [
        Line(number, sums_of(tally), tally.entry.place or 0) for number, tally in known.items()
    ]
    return [
        Standing(row, known[row.line.number].entry, known[row.line.number])
        for row in rank(lines, steps_of(competition))
    ]


def steps_of(competition: Competition) -> tuple[str, ...]:
    """The ordered steps of the competition's standings."""
    chosen = competition.chosen.steps
    return chosen or FORMATS[competition.format].steps


def sums_of(tally: PenaltyTally) -> Sums:
    """The sums that a tally holds."""
    return Sums(
        tally.chips,
        tally.losses,
        tally.deals,
        tally.first_places,
        tally.fair_losses,
        tally.percentiles,
        tally.last_loss,
    )
