"""What there is to see of a competition: rounds, tables, standings, ledger, dashboard."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from games.api.shapes import PlayerShape
from league.api.shapes.competitions import CompetitionShape, ScheduleShape
from league.models import Entry, LedgerRow, Round, Table

Shape = s.Serializer[Any]


class TableSeatShape(Shape):
    """An entry at a table."""

    entry = s.IntegerField()
    player = PlayerShape()
    place = s.IntegerField(allow_null=True)
    through = s.BooleanField(allow_null=True)


class TableShape(Shape):
    """A table of a round; a bye has one seat and no deals."""

    round = s.IntegerField()
    number = s.IntegerField()
    kind = s.ChoiceField(Table.Kind.choices)
    state = s.ChoiceField(Table.State.choices)
    quarantined = s.BooleanField()
    deals_planned = s.IntegerField()
    deals_done = s.IntegerField()
    advance = s.IntegerField()
    seats = TableSeatShape(many=True)
    game = s.UUIDField(allow_null=True)
    ply = s.IntegerField(allow_null=True)


class TableDealShape(Shape):
    """A deal of a table; `seats` and `places` are entry numbers."""

    number = s.IntegerField()
    redeal = s.IntegerField()
    seats = s.ListField(child=s.IntegerField())
    dealer = s.IntegerField()
    state = s.ChoiceField(["ready", "playing", "over"])
    ending = s.CharField(allow_null=True)
    places = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)
    counts = s.BooleanField()
    game = s.UUIDField()
    links = s.DictField(child=s.CharField())


class OneTableShape(TableShape):
    """A table with its deals."""

    deals = TableDealShape(many=True)


class RoundShape(Shape):
    """A round with its tables."""

    number = s.IntegerField()
    state = s.ChoiceField(Round.State.choices)
    draw = s.DictField()
    created_at = s.DateTimeField()
    closed_at = s.DateTimeField(allow_null=True)
    tables = TableShape(many=True)


class ReasonShape(Shape):
    """Why a row is above another one."""

    code = s.CharField()
    above = PlayerShape()
    values = s.ListField(child=s.CharField())
    text = s.CharField()


class StandingShape(Shape):
    """A row of the standings."""

    rank = s.IntegerField()
    entry = s.IntegerField()
    player = PlayerShape()
    state = s.ChoiceField(Entry.State.choices)
    place = s.IntegerField(allow_null=True)
    chips = s.IntegerField()
    losses = s.IntegerField()
    deals = s.IntegerField()
    loss_ratio = s.CharField(allow_null=True)
    explanation = ReasonShape(many=True)


class TallyShape(Shape):
    """What the ledger says of a player; sums of fractions in units of 1/2520."""

    entry = s.IntegerField()
    player = PlayerShape()
    chips = s.IntegerField()
    losses = s.IntegerField()
    deals = s.IntegerField()
    first_places = s.IntegerField()
    fair_losses = s.IntegerField()
    percentiles = s.IntegerField()
    eliminated_at = s.DateTimeField(allow_null=True)
    eliminated_seq = s.IntegerField(allow_null=True)


class LedgerRowShape(Shape):
    """A row of the ledger; `id` counts from 1 without gaps, `ledger_seq` is the same number.

    `round`, `table`, `deal` and `entry` are numbers within the competition; `version` is that of
    the result. `entry.substituted` has `entry`, `leaver` and `player`, with a `round` from which on
    somebody plays, or with a `reason` where an entry was found to be another player's (older rows:
    `was` for `leaver`).
    """

    id = s.IntegerField()
    ledger_seq = s.IntegerField()
    event = s.ChoiceField(LedgerRow.Kind.choices)
    version = s.IntegerField()
    competition = s.IntegerField()
    round = s.IntegerField(allow_null=True)
    table = s.IntegerField(allow_null=True)
    deal = s.IntegerField(allow_null=True)
    entry = s.IntegerField(allow_null=True)
    at = s.DateTimeField()
    body = s.DictField()
    hash = s.CharField()


class ProgressShape(Shape):
    """How far a competition is."""

    rounds = s.IntegerField()
    rounds_planned = s.IntegerField()
    games_done = s.IntegerField()
    games_planned = s.IntegerField()
    games_a_minute = s.FloatField(
        allow_null=True, help_text="Over ten minutes up to the newest result."
    )
    ends_at = s.DateTimeField(allow_null=True, help_text="When it should be over at that pace.")
    still_in = s.IntegerField()
    entries = s.IntegerField()


class FaultsShape(Shape):
    """Faults of a player's bot."""

    player = PlayerShape()
    faults = s.IntegerField()
    stand_ins = s.IntegerField()


class DisputedShape(Shape):
    """One of two versions of a deal: its places, and what it would cost whom."""

    places = s.ListField(child=s.ListField(child=s.IntegerField()))
    chips = s.DictField(child=s.IntegerField(), help_text="By entry: chips it had then.")


class DisputeShape(Shape):
    """A deal of which two seats say different things: it counts nowhere until it is ruled."""

    round = s.IntegerField()
    table = s.IntegerField()
    deal = s.IntegerField()
    version = s.IntegerField()
    versions = DisputedShape(many=True)
    text = s.CharField()


class DashboardShape(Shape):
    """All of a competition in one document."""

    competition = CompetitionShape()
    progress = ProgressShape()
    rounds = RoundShape(many=True, help_text="The newest four; `/rounds` has all of them.")
    standings = StandingShape(many=True)
    tallies = TallyShape(many=True)
    live = TableShape(many=True)
    faults = FaultsShape(many=True)
    disputes = DisputeShape(many=True)
    next_slot = ScheduleShape(allow_null=True)
    winner = PlayerShape(allow_null=True)
    ledger_seq = s.IntegerField()


class RoundsShape(Shape):
    """The bracket so far."""

    results = RoundShape(many=True)
    ledger_seq = s.IntegerField()


class StandingsShape(Shape):
    """Standings by the steps named, in their order; what is in dispute is not in them."""

    steps = s.ListField(child=s.CharField())
    disputes = DisputeShape(many=True)
    results = StandingShape(many=True)
    ledger_seq = s.IntegerField()


class TalliesShape(Shape):
    """All tallies."""

    results = TallyShape(many=True)
    ledger_seq = s.IntegerField()


class LedgerShape(Shape):
    """A page of the ledger."""

    results = LedgerRowShape(many=True)
    next = s.CharField(allow_null=True)
    ledger_seq = s.IntegerField()
