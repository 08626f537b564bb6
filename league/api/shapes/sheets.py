"""Spreadsheets of results: what comes in, and what they would change."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from rest_framework import serializers as s

from config.kit.params import StrictSerializer
from league.api.shapes.results import ChangeShape
from league.services.sheet_plans import Taken, What
from league.spreadsheets.reading import MOST_BYTES

Shape = s.Serializer[Any]
MOST_TEXT = 4 * (MOST_BYTES // 3 + 1)


class Base64Field(s.CharField):
    """A file as base64 (RFC 4648, section 4)."""

    def to_internal_value(self, data: Any) -> Any:
        """Its bytes."""
        text = super().to_internal_value(data)
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise s.ValidationError("Not base64.", code="invalid") from error


class SheetCheckRequest(StrictSerializer):
    """A CSV or XLSX file. `taken_as`: `results` of tables that are drawn, or `chips` of nights that
    were played elsewhere; `auto` goes by the columns."""

    file = Base64Field(max_length=MOST_TEXT, help_text="The file in base64.")
    taken_as = s.ChoiceField([one.value for one in Taken], default=Taken.AUTO.value)


class SheetRequest(SheetCheckRequest):
    """The same, with the `ledger_seq` that its check was answered with as `seen`."""

    seen = s.IntegerField(min_value=0)


class SheetResultShape(Shape):
    """A deal that the sheet tells, and what stands there (null: nothing)."""

    cell = s.CharField()
    what = s.ChoiceField([one.value for one in What])
    round = s.IntegerField()
    table = s.IntegerField()
    deal = s.IntegerField()
    places = s.ListField(child=s.ListField(child=s.IntegerField()))
    before = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)


class SheetChipsShape(Shape):
    """Chips of an entry that the sheet tells, and how many stand there."""

    cell = s.CharField()
    what = s.ChoiceField([one.value for one in What])
    entry = s.IntegerField()
    chips = s.IntegerField()
    before = s.IntegerField()


class SheetCheckShape(Shape):
    """What would be entered, cell by cell, and what entries would come to."""

    ledger_seq = s.IntegerField()
    results = SheetResultShape(many=True)
    chips = SheetChipsShape(many=True)
    changes = ChangeShape(many=True)


class SheetDoneShape(Shape):
    """How many cells were entered, and how many stood so already."""

    changed = s.IntegerField()
    same = s.IntegerField()


class NamesRequest(StrictSerializer):
    """A CSV or XLSX file with a column of names. `dry_run`: nobody is added."""

    file = Base64Field(max_length=MOST_TEXT, help_text="The file in base64.")
    dry_run = s.BooleanField(default=False)


class NamesShape(Shape):
    """The names that are (or with `dry_run` would be) added, and those that are members already."""

    added = s.ListField(child=s.CharField())
    known = s.ListField(child=s.CharField())
    looks_like = s.DictField(child=s.CharField(), help_text="New names that look like another.")
