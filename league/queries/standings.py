"""Standings of a competition from its tallies."""

from dataclasses import dataclass

from games.models import Player
from league.formats import registry
from league.formats.folding import Fold
from league.formats.meetings import Meetings
from league.formats.standings import Ranked, rank
from league.formats.steps import Line
from league.formats.tallying import Sums
from league.models import Competition, Entry, LedgerRow, PenaltyTally
from league.queries import nicknames


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


def standings(competition: Competition, fold: Fold | None = None) -> list[Standing]:
    """All entries that were not withdrawn, best first. Two queries, or three where somebody is
    level until a step that looks at meetings, and the ledger is not `fold`ed yet."""
    tallies = PenaltyTally.objects.filter(competition=competition).select_related("entry__player")
    known = {
        tally.entry.number: tally for tally in tallies if tally.entry.state != Entry.State.WITHDRAWN
    }
    nicknames.give(competition.club_id, [tally.entry.player for tally in known.values()])
    lines = [
        Line(number, sums_of(tally), tally.entry.place or 0) for number, tally in known.items()
    ]

    def met() -> Meetings:
        return (fold or folded(competition)).meetings()

    return [
        Standing(row, known[row.line.number].entry, known[row.line.number])
        for row in rank(lines, steps_of(competition), met)
    ]


def steps_of(competition: Competition) -> tuple[str, ...]:
    """The ordered steps of the competition's standings."""
    return registry.steps_of(competition.format, competition.chosen)


def folded(competition: Competition) -> Fold:
    """The ledger so far."""
    fold = Fold(competition.chosen)
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    for seq, kind, body in rows.values_list("seq", "kind", "body").iterator():
        fold.add(seq, kind, body)
    return fold


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
