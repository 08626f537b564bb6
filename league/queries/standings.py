"""Standings of a competition from its tallies."""

from dataclasses import dataclass
from functools import cache

from games.models import Player
from league.formats import ranking
from league.formats.folding import Fold
from league.formats.standings import Ranked
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
    """All entries that were not withdrawn, best first. Two queries, or three where the ledger is
    asked and not `fold`ed yet: somebody is level until a step that looks at meetings, or must have
    played enough."""
    tallies = PenaltyTally.objects.filter(competition=competition).select_related("entry__player")
    known = {
        tally.entry.number: tally for tally in tallies if tally.entry.state != Entry.State.WITHDRAWN
    }
    nicknames.give(competition.club_id, [tally.entry.player for tally in known.values()])
    found = ranking.ranked(
        {number: sums_of(tally) for number, tally in known.items()},
        {number: tally.entry.place or 0 for number, tally in known.items()},
        competition.format,
        competition.chosen,
        cache(lambda: fold or folded(competition)),
    )
    return [Standing(row, known[row.line.number].entry, known[row.line.number]) for row in found]


def steps_of(competition: Competition) -> tuple[str, ...]:
    """The ordered steps of the competition's standings, as they are now."""
    tallies = PenaltyTally.objects.filter(competition=competition)
    rows = tallies.exclude(entry__state=Entry.State.WITHDRAWN)
    sums = [sums_of(tally) for tally in rows]
    return ranking.steps_in(sums, competition.format, competition.chosen)


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
