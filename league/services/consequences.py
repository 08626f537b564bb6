"""What follows from a changed result of a closed round: who left it and where, who comes back.

Later rounds are kept as played; the next one is drawn anew where that is asked for and nothing of
it has begun. Works under the competition's lock.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Q, QuerySet

from games.models import Game, GameRecord
from league.errors import RoundBegunError
from league.formats.field import Entrant, Field, Outcome
from league.formats.folding import Fold
from league.formats.playoff import decided, together
from league.formats.registry import FORMATS
from league.formats.tallying import Sums
from league.models import Competition, DealResult, Entry, LedgerRow, Round, Table
from league.queries.fields import rounds_of, table_done
from league.services import ledger, rounds, tallies
from league.services.due import Due


def reconsider(competition: Competition, changed: Round, *, redraw: bool) -> Due:
    """Put right what follows from a changed result of a closed round: who left it and where.

    Who has played on since stays in. With `redraw` the next round, if nothing of it has begun, is
    drawn anew from the new result. The caller holds the competition's lock.
    """
    if changed.state != Round.State.CLOSED:
        return Due()
    outcome = _outcome(competition, changed)
    following = Round.objects.filter(competition=competition, number__gt=changed.number)
    following = following.exclude(state=Round.State.VOID).exclude(draw__has_key="tied")
    if competition.state == Competition.State.FINISHED and not redraw:
        return _finished_anew(competition, changed, list(following.order_by("number")))
    if redraw:
        take_back(competition, list(following))
        return _leave_anew(competition, changed, outcome, set()) + rounds.open_inside(competition)
    played_on = set(following.values_list("tables__seats__entry__number", flat=True))
    return _leave_anew(competition, changed, outcome, played_on)


def _finished_anew(competition: Competition, changed: Round, later: Sequence[Round]) -> Due:
    """Places after a correction of what is over: nobody comes back in, and nobody has none."""
    last = later[-1] if later else changed
    final = _outcome(competition, last)
    places = {**final.places, **rounds.final_places(competition, final)}
    final = replace(final, places=_played_off(competition, places))
    due = Due()
    if later:
        seats = Entry.objects.filter(seats__round__in=later)
        played_on = set(seats.values_list("number", flat=True))
        outcome = _outcome(competition, changed)
        # Who should have gone on, but has not, stands right behind who has.
        back = set(outcome.still_in) - played_on
        places = {**outcome.places, **dict.fromkeys(back, len(outcome.still_in) + 1)}
        stay = tuple(n for n in outcome.still_in if n not in back)
        due = _leave_anew(
            competition, changed, replace(outcome, places=places, still_in=stay), played_on
        )
    return due + _leave_anew(competition, last, final, set())


def _played_off(competition: Competition, places: dict[int, int]) -> dict[int, int]:
    """The same places, where those who shared the win have played for it."""
    tied = sorted(number for number, place in places.items() if place == 1)
    rounds = Round.objects.filter(competition=competition, draw__has_key="tied")
    so_far = [
        decided(row.draw["tied"], [table_done(table) for table in row.tables.order_by("number")])
        for row in rounds.exclude(state=Round.State.VOID).order_by("number")
    ]
    if not so_far or sorted(so_far[0]) != tied:
        return places
    return {**places, **together(tied, so_far)}


def _outcome(competition: Competition, closed: Round) -> Outcome:
    """What the round comes to with the results as they stand now."""
    settings = competition.chosen
    stage = closed.stage
    earlier = Round.objects.filter(stage=stage, number__lte=closed.number)
    played = rounds_of(stage)[: earlier.exclude(state=Round.State.VOID).count()]
    seated = _in_it(competition, closed).exclude(state=Entry.State.DROPPED)
    sums = _sums_after(competition, closed.number)
    entrants = tuple(
        Entrant(
            entry.number,
            entry.seed or entry.number,
            chips=sums.get(entry.number, Sums()).chips,
            last_loss=sums.get(entry.number, Sums()).last_loss,
        )
        for entry in seated.order_by("number")
    )
    return FORMATS[stage.format].close(Field(entrants, played), settings)


def _in_it(competition: Competition, closed: Round) -> QuerySet[Entry]:
    """Who was in it: who was seated; of a night's round also who was away that night."""
    entries = Entry.objects.filter(competition=competition)
    if "night" not in closed.draw:
        return entries.filter(seats__round=closed)
    later = Q(seats__round__number__gte=closed.number)
    away = Q(state=Entry.State.ENTERED, since__lte=closed.closed_at)
    return entries.filter(later | away).distinct()


def _sums_after(competition: Competition, round_number: int) -> dict[int, Sums]:
    fold = Fold(competition.chosen)
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    for seq, kind, body in rows.values_list("seq", "kind", "body").iterator():
        if body.get("round", 0) <= round_number:
            fold.add(seq, kind, body)
    return fold.sums()


def _leave_anew(
    competition: Competition, closed: Round, outcome: Outcome, played_on: set[int]
) -> Due:
    """Set who has left in the round, and with which place, but for those who have played on.

    Who has dropped keeps the place that dropping gave: no result brings him back.
    """
    here = set(closed.tables.values_list("seats__entry__number", flat=True)) - played_on
    changed, entered, revoked = [], [], []
    seated = Entry.objects.filter(competition=competition, number__in=here)
    for entry in seated.exclude(state=Entry.State.DROPPED):
        leaves = entry.number not in outcome.still_in
        place = outcome.places.get(entry.number)
        state = Entry.State.OUT if leaves else Entry.State.ENTERED
        if (entry.place, entry.state) == (place, state):
            continue
        if leaves and place is not None:
            entered.append([entry.number, place])
        elif entry.state == Entry.State.OUT:
            revoked.append(entry.number)
        entry.place, entry.state = place, state
        changed.append(entry)
    if not changed:
        return Due()
    Entry.objects.bulk_update(changed, ["place", "state"])
    body = {"round": closed.number, "entries": sorted(entered), "revoked": sorted(revoked)}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ELIMINATION, body)])
    tallies.recompute_inside(competition, write=True)
    return Due()


def take_back(competition: Competition, following: Sequence[Round]) -> None:
    """Void the one round that follows. Raises `RoundBegunError` if anything of it has begun."""
    if len(following) != 1 or competition.state != Competition.State.RUNNING:
        raise RoundBegunError("Only the next round can be drawn anew, while it runs.")
    (drawn,) = following
    tables = Table.objects.filter(round=drawn)
    begun = tables.filter(deals_planned__gt=0).exclude(deals_done=0, lease_owner="")
    if drawn.state != Round.State.PLAYING or begun.exists() or _has_play(drawn):
        raise RoundBegunError("The next round has begun: keep it as it is.", round=drawn.number)
    tables.update(state=Table.State.VOID, due_at=None)
    drawn.state = Round.State.VOID
    drawn.save(update_fields=["state"])
    body = {"round": drawn.number}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ROUND_REDRAWN, body)])


def _has_play(drawn: Round) -> bool:
    """Whether anything was played or typed at a table of the round."""
    tables = Table.objects.filter(round=drawn).values("pk")
    played = GameRecord.objects.filter(table_ref__in=tables).exists()
    begun = Game.objects.filter(table_ref__in=tables, ply__gt=0).exists()
    return played or begun or DealResult.objects.filter(table__in=tables).exists()
