"""Rules in sentences and forecasts, as they leave the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from league.models import Format

Shape = s.Serializer[Any]


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
