"""What goes in and out of the API of the league. Shape only: the services decide what can be."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from config.kit.paging import MOST, USUAL
from config.kit.params import StrictSerializer
from games.api.shapes import PlayerShape, RulesShape
from league.formats.saying import Step
from league.models import (
    Competition,
    DealResult,
    Entry,
    Format,
    LedgerRow,
    Round,
    Schedule,
    Table,
)

BIGGEST_ID = 2**63 - 1
SLUG = r"^[a-z0-9][a-z0-9-]*$"

Shape = s.Serializer[Any]


class PageQuery(StrictSerializer):
    """Where to read on."""

    cursor = s.IntegerField(min_value=0, max_value=BIGGEST_ID, required=False)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class CompetitionsQuery(PageQuery):
    """Which competitions."""

    club = s.CharField(max_length=60, required=False)
    state = s.ChoiceField(Competition.State.choices, required=False)


class LedgerQuery(StrictSerializer):
    """Rows with a number above `after`."""

    after = s.IntegerField(min_value=0, max_value=BIGGEST_ID, default=0)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class NewClubRequest(StrictSerializer):
    """A club."""

    slug = s.RegexField(SLUG, max_length=60)
    name = s.CharField(max_length=200)
    private = s.BooleanField(default=False)


class NewCompetitionRequest(StrictSerializer):
    """A competition; what is not given has its default."""

    club = s.CharField(max_length=60)
    name = s.CharField(max_length=120)
    kind = s.ChoiceField(Competition.Kind.choices, default=Competition.Kind.TOURNAMENT)
    format = s.ChoiceField(Format.choices, default=Format.KNOCKOUT)
    preset = s.CharField(max_length=40, default="table")
    options = s.DictField(default=dict)
    settings = s.DictField(default=dict)
    move_ms = s.IntegerField(min_value=50, max_value=600_000, default=1000)
    bank_ms = s.IntegerField(min_value=0, max_value=3_600_000, default=30_000)
    starts_at = s.DateTimeField(required=False, allow_null=True, default=None)
    starts_in_s = s.IntegerField(min_value=0, max_value=7 * 86400, required=False, allow_null=True)
    secret = s.RegexField(
        r"^([0-9a-f]{2}){16,32}$",
        required=False,
        allow_null=True,
        help_text="Chosen only for an unrated event that is to be run again; else left out.",
    )


class NewEntryRequest(StrictSerializer):
    """Who enters: a player's id, or the next free player of a house bot as `house:lowest`."""

    player = s.JSONField(help_text="An id, or `house:NAME`.")

    def validate_player(self, value: object) -> int | str:
        """An id or a house bot."""
        if type(value) is int and 0 < value <= BIGGEST_ID:
            return value
        if isinstance(value, str) and value.startswith("house:") and len(value) <= 60:
            return value
        raise s.ValidationError("A player's id or house:NAME.")


class NothingRequest(StrictSerializer):
    """Nothing is asked."""


class NewScheduleRequest(StrictSerializer):
    """A schedule. `template` takes what a competition takes, and `players` to enter."""

    club = s.CharField(max_length=60)
    name = s.CharField(max_length=120)
    cron = s.CharField(max_length=100, help_text="Five fields, or six with seconds first.")
    zone = s.CharField(max_length=60)
    missing = s.ChoiceField(Schedule.Missing.choices, default=Schedule.Missing.AFTER)
    doubled = s.ChoiceField(Schedule.Doubled.choices, default=Schedule.Doubled.FIRST)
    missed = s.ChoiceField(Schedule.Missed.choices, default=Schedule.Missed.RUN_ONCE)
    template = s.DictField()


class ClubShape(Shape):
    """A club."""

    slug = s.CharField()
    name = s.CharField()
    private = s.BooleanField()
    zone = s.CharField()
    created_at = s.DateTimeField()


class CompetitionShape(Shape):
    """A competition. `secret` is shown when it is over; its SHA-256 is `commitment`."""

    id = s.IntegerField()
    slug = s.CharField()
    name = s.CharField()
    club = s.CharField()
    kind = s.ChoiceField(Competition.Kind.choices)
    format = s.ChoiceField(Format.choices)
    state = s.ChoiceField(Competition.State.choices)
    rules = RulesShape()
    settings = s.DictField()
    move_ms = s.IntegerField()
    bank_ms = s.IntegerField()
    reproducible = s.BooleanField()
    commitment = s.CharField()
    secret = s.CharField(allow_null=True)
    starts_at = s.DateTimeField(allow_null=True)
    started_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)
    ledger_seq = s.IntegerField()


class EntryShape(Shape):
    """An entry; `number` is its entrant id in the proofs."""

    number = s.IntegerField()
    player = PlayerShape()
    state = s.ChoiceField(Entry.State.choices)
    seed = s.IntegerField(allow_null=True)
    place = s.IntegerField(allow_null=True)
    version = s.CharField(
        allow_null=True, help_text="Of a bot: the one that must play, fixed when entries close."
    )


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
    the result.
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


class ScheduleShape(Shape):
    """A schedule and its next slot."""

    id = s.IntegerField()
    club = s.CharField()
    name = s.CharField()
    enabled = s.BooleanField()
    cron = s.CharField()
    zone = s.CharField()
    missing = s.ChoiceField(Schedule.Missing.choices)
    doubled = s.ChoiceField(Schedule.Doubled.choices)
    missed = s.ChoiceField(Schedule.Missed.choices)
    template = s.DictField()
    next_at = s.DateTimeField(allow_null=True)


class ProgressShape(Shape):
    """How far a competition is."""

    rounds = s.IntegerField()
    rounds_planned = s.IntegerField()
    games_done = s.IntegerField()
    games_planned = s.IntegerField()
    still_in = s.IntegerField()
    entries = s.IntegerField()


class FaultsShape(Shape):
    """Faults of a player's bot."""

    player = PlayerShape()
    faults = s.IntegerField()
    stand_ins = s.IntegerField()


class DashboardShape(Shape):
    """All of a competition in one document."""

    competition = CompetitionShape()
    progress = ProgressShape()
    rounds = RoundShape(many=True)
    standings = StandingShape(many=True)
    tallies = TallyShape(many=True)
    live = TableShape(many=True)
    faults = FaultsShape(many=True)
    next_slot = ScheduleShape(allow_null=True)
    winner = PlayerShape(allow_null=True)
    ledger_seq = s.IntegerField()


class ClubsShape(Shape):
    """A page of clubs."""

    results = ClubShape(many=True)
    next = s.CharField(allow_null=True)


class CompetitionsShape(Shape):
    """A page of competitions."""

    results = CompetitionShape(many=True)
    next = s.CharField(allow_null=True)


class EntriesShape(Shape):
    """A page of entries."""

    results = EntryShape(many=True)
    next = s.CharField(allow_null=True)


class SchedulesShape(Shape):
    """A page of schedules."""

    results = ScheduleShape(many=True)
    next = s.CharField(allow_null=True)


class RoundsShape(Shape):
    """The bracket so far."""

    results = RoundShape(many=True)
    ledger_seq = s.IntegerField()


class StandingsShape(Shape):
    """Standings by the steps named, in their order."""

    steps = s.ListField(child=s.CharField())
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


class ActShape(Shape):
    """A line of the act log."""

    id = s.IntegerField()
    at = s.DateTimeField()
    actor = s.CharField()
    verb = s.CharField()
    target = s.CharField()
    about = s.DictField()


class ActsShape(Shape):
    """Lines of the act log, the newest first."""

    results = ActShape(many=True)
    next = s.CharField(allow_null=True)


def _places() -> s.ListField:
    """Groups of entry numbers from first to last; who shares a place stands in one group."""
    number = s.IntegerField(min_value=1, max_value=100_000)
    return s.ListField(child=s.ListField(child=number, max_length=10), max_length=10)


class DealResultRequest(StrictSerializer):
    """How a deal went."""

    places = _places()
    seen = s.IntegerField(
        min_value=1,
        max_value=10_000,
        required=False,
        allow_null=True,
        default=None,
        help_text="The version of the result that you have seen, to say something else.",
    )


class DealResultShape(Shape):
    """How a deal stands. `contested` is what another seat says; `step` what your entry did."""

    round = s.IntegerField()
    table = s.IntegerField()
    deal = s.IntegerField()
    version = s.IntegerField()
    state = s.ChoiceField(DealResult.State.choices)
    places = s.ListField(child=s.ListField(child=s.IntegerField()))
    contested = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)
    confirms_at = s.DateTimeField(allow_null=True)
    step = s.ChoiceField([step.value for step in Step])


class CorrectionRequest(StrictSerializer):
    """All deals of a table as they should have been, why, and the version you have seen."""

    deals = s.ListField(child=_places(), min_length=1, max_length=60)
    reason = s.ChoiceField(["typo", "swapped", "wrong_deal", "ruling", "other"])
    seen = s.IntegerField(min_value=1, max_value=10_000)
    redraw = s.BooleanField(default=False)


class UndoRequest(StrictSerializer):
    """The version you have seen."""

    seen = s.IntegerField(min_value=1, max_value=10_000)


class CorrectedShape(Shape):
    """The new version."""

    version = s.IntegerField()


class ChangeShape(Shape):
    """An entry before and after."""

    entry = s.IntegerField()
    before = s.DictField()
    after = s.DictField()


class ChangesShape(Shape):
    """What would change."""

    results = ChangeShape(many=True)


class SettingsCheckRequest(StrictSerializer):
    """Settings to try, and for how many; `away` is how likely somebody misses a round."""

    format = s.ChoiceField(Format.choices, default=Format.KNOCKOUT)
    settings = s.DictField(default=dict)
    entries = s.IntegerField(min_value=2, max_value=200)
    away = s.FloatField(min_value=0, max_value=0.9, default=0)


class SentenceShape(Shape):
    """A setting and what it means."""

    setting = s.CharField()
    text = s.CharField()


class LeagueRulesShape(Shape):
    """What a competition is played by, each setting in a sentence."""

    format = s.ChoiceField(Format.choices)
    settings = s.DictField()
    sentences = SentenceShape(many=True)


class ForecastShape(Shape):
    """Rounds until the end and until the first is out: 10 %, half and 90 % of the tries."""

    rounds = s.ListField(child=s.IntegerField())
    first_out = s.ListField(child=s.IntegerField(), allow_null=True)
    tables = s.IntegerField()
    ends = s.BooleanField()
    warning = s.CharField(allow_null=True)


class SettingsCheckShape(LeagueRulesShape):
    """Complete settings, in sentences, and how long it would take."""

    forecast = ForecastShape()
