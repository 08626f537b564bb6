"""What may be asked of the league: queries and bodies. Shape only: what can be, services decide."""

from __future__ import annotations

from rest_framework import serializers as s

from config.kit.paging import MOST, USUAL
from config.kit.params import StrictSerializer
from league.formats.reasons import CHANGES, CHIP_REASONS, RESULT_REASONS
from league.models import Competition, Format, Schedule

BIGGEST_ID = 2**63 - 1
SLUG = r"^[a-z0-9][a-z0-9-]*$"


OPEN_FOR_ENTRIES = "open_for_entries"


class PageQuery(StrictSerializer):
    """Where to read on."""

    cursor = s.IntegerField(min_value=0, max_value=BIGGEST_ID, required=False)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class CompetitionsQuery(PageQuery):
    """Which competitions."""

    club = s.CharField(max_length=60, required=False)
    state = s.ChoiceField(
        [*Competition.State.values, OPEN_FOR_ENTRIES],
        required=False,
        help_text=f"`{OPEN_FOR_ENTRIES}`: open, or running with late entries.",
    )


class LedgerQuery(StrictSerializer):
    """Rows with a number above `after`."""

    after = s.IntegerField(min_value=0, max_value=BIGGEST_ID, default=0)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class NewClubRequest(StrictSerializer):
    """A club."""

    slug = s.RegexField(SLUG, max_length=60)
    name = s.CharField(max_length=200)
    private = s.BooleanField(default=False)


class ChangeClubRequest(StrictSerializer):
    """What of a club is to be otherwise."""

    private = s.BooleanField(required=False)
    polite = s.BooleanField(required=False)


class NextSeasonRequest(StrictSerializer):
    """The next season's name, and its first night if that is known."""

    name = s.CharField(max_length=120)
    starts_at = s.DateTimeField(required=False, allow_null=True, default=None)


class NewCompetitionRequest(StrictSerializer):
    """A competition; what is not given has its default."""

    club = s.CharField(max_length=60)
    name = s.CharField(max_length=120)
    kind = s.ChoiceField(Competition.Kind.choices, default=Competition.Kind.TOURNAMENT)
    format = s.ChoiceField(Format.choices, default=Format.KNOCKOUT)
    preset = s.CharField(max_length=40, default="table")
    options = s.DictField(default=dict)
    settings = s.DictField(default=dict)
    move_ms = s.IntegerField(
        min_value=50,
        max_value=600_000,
        allow_null=True,
        default=None,
        help_text="1000 if none is given and only bots may enter, else 60000.",
    )
    bank_ms = s.IntegerField(
        min_value=0,
        max_value=3_600_000,
        allow_null=True,
        default=None,
        help_text="30000 if none is given and only bots may enter, else 300000.",
    )
    starts_at = s.DateTimeField(required=False, allow_null=True, default=None)
    starts_in_s = s.IntegerField(min_value=0, max_value=7 * 86400, required=False, allow_null=True)
    secret = s.RegexField(
        r"^([0-9a-f]{2}){16,32}$",
        required=False,
        allow_null=True,
        help_text="Chosen only for an unrated event that is to be run again; else left out.",
    )
    rehearsal = s.BooleanField(
        default=False, help_text="To try things out: only the club sees it; it can be wiped whole."
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


def _places() -> s.ListField:
    """Groups of entry numbers from first to last; who shares a place stands in one group."""
    number = s.IntegerField(min_value=1, max_value=100_000)
    return s.ListField(child=s.ListField(child=number, max_length=10), max_length=10)


def _note() -> s.CharField:
    return s.CharField(
        max_length=500,
        default="",
        allow_blank=True,
        help_text="Prose of an organiser; the ledger holds its salted hash. It can be erased.",
    )


def _reason() -> s.ChoiceField:
    return s.ChoiceField(RESULT_REASONS)


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
    forfeits = s.ListField(
        child=s.IntegerField(min_value=1, max_value=100_000),
        max_length=10,
        default=list,
        help_text="Who of the last gave up.",
    )
    note = _note()


class CorrectionRequest(StrictSerializer):
    """All deals of a table as they should have been, why, and the version you have seen."""

    deals = s.ListField(child=_places(), min_length=1, max_length=60)
    reason = _reason()
    seen = s.IntegerField(min_value=1, max_value=10_000)
    redraw = s.BooleanField(default=False)
    note = _note()


class DealChangeRequest(StrictSerializer):
    """What a deal should have been, why, and the version you have seen."""

    change = s.ChoiceField(
        CHANGES,
        default="correct",
        help_text="`correct` by `places`; `void`: it counts nowhere; `undo`: what stood before.",
    )
    places = s.ListField(
        child=s.ListField(child=s.IntegerField(min_value=1, max_value=100_000), max_length=10),
        max_length=10,
        default=list,
        help_text="Groups from first to last; none: it was abandoned.",
    )
    reason = s.ChoiceField(RESULT_REASONS, default="other")
    seen = s.IntegerField(min_value=1, max_value=10_000)
    redraw = s.BooleanField(default=False)
    note = _note()


class VoidRequest(StrictSerializer):
    """Why a result is to count nowhere, and the version you have seen."""

    reason = _reason()
    seen = s.IntegerField(min_value=1, max_value=10_000)
    note = _note()


class ChipsRequest(StrictSerializer):
    """Chips by hand: below 0 they are taken."""

    chips = s.IntegerField(min_value=-20, max_value=20)
    reason = s.ChoiceField(CHIP_REASONS)
    note = _note()


class SubstitutionRequest(StrictSerializer):
    """Who plays from the next round on, and whose the chips are."""

    player = s.IntegerField(min_value=1, max_value=BIGGEST_ID, help_text="The substitute.")
    chips = s.ChoiceField(["leaver", "substitute"], default="leaver")
    note = _note()


class UndoRequest(StrictSerializer):
    """The version you have seen."""

    seen = s.IntegerField(min_value=1, max_value=10_000)


class SettingsCheckRequest(StrictSerializer):
    """Settings to try, and for how many; `away` is how likely somebody misses a round."""

    format = s.ChoiceField(Format.choices, default=Format.KNOCKOUT)
    settings = s.DictField(default=dict)
    entries = s.IntegerField(min_value=2, max_value=200)
    away = s.FloatField(min_value=0, max_value=0.9, default=0)
