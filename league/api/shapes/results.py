"""Results, corrections and the act log, as they leave the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from games.api.shapes import PlayerShape
from league.formats.saying import Step
from league.models import DealResult

Shape = s.Serializer[Any]


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


class DealResultShape(Shape):
    """How a deal stands. `contested` is what another seat says, `forfeits` who of the last gave up;
    `step` what your entry did."""

    round = s.IntegerField()
    table = s.IntegerField()
    deal = s.IntegerField()
    version = s.IntegerField()
    state = s.ChoiceField(DealResult.State.choices)
    places = s.ListField(child=s.ListField(child=s.IntegerField()))
    contested = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)
    forfeits = s.ListField(child=s.IntegerField())
    confirms_at = s.DateTimeField(allow_null=True)
    step = s.ChoiceField([step.value for step in Step])


class CorrectedShape(Shape):
    """The new version."""

    version = s.IntegerField()


class SheetShape(Shape):
    """How many deals were confirmed."""

    deals = s.IntegerField()


class NoteShape(Shape):
    """Prose to the row of the ledger whose `note` is `hash`; null once it is erased."""

    id = s.IntegerField()
    hash = s.CharField()
    text = s.CharField(allow_null=True)
    salt = s.CharField(allow_null=True, help_text="`hash` is SHA-256(salt || text).")
    author = PlayerShape(allow_null=True)
    about = PlayerShape(allow_null=True)
    created_at = s.DateTimeField()
    erased_at = s.DateTimeField(allow_null=True)


class NotesShape(Shape):
    """Notes, the newest first."""

    results = NoteShape(many=True)
    next = s.CharField(allow_null=True)


class ChangeShape(Shape):
    """An entry before and after."""

    entry = s.IntegerField()
    before = s.DictField()
    after = s.DictField()


class ChangesShape(Shape):
    """What would change."""

    results = ChangeShape(many=True)


class SeatedShape(Shape):
    """Who sits at a table of a round, by entry number."""

    round = s.IntegerField()
    table = s.IntegerField()
    entries = s.ListField(child=s.IntegerField())


class DealPreviewShape(Shape):
    """What a change of a deal would do to the entries and to later tables."""

    results = ChangeShape(many=True)
    kept = SeatedShape(many=True)
    drawn = SeatedShape(many=True)
