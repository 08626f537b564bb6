"""What goes in and out of the API of bots beside the bot itself."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from bots_api.api.shapes import PageQuery
from bots_api.models import Fault, Notice
from bots_api.services.sparring import MOST_GAMES
from config.kit.params import StrictSerializer
from games.models import Game

Shape = s.Serializer[Any]


class SecretShape(Shape):
    """A new signing secret."""

    signing_secret = s.CharField(allow_null=True, help_text="Shown once; null when repeated.")


class LiveSecretShape(Shape):
    """A signing secret that calls are signed with; its text is shown once only."""

    id = s.IntegerField()
    created_at = s.DateTimeField()


class SecretsShape(Shape):
    """One secret, or two while rotating, the newest first."""

    results = LiveSecretShape(many=True)


class NewTokenShape(Shape):
    """A new API token of the bot."""

    token = s.CharField(allow_null=True, help_text="Shown once; null when repeated.")


class LiveTokenShape(Shape):
    """A token that speaks for the bot."""

    id = s.IntegerField()
    hint = s.CharField(help_text="Its first characters.")
    created_at = s.DateTimeField()
    last_used_at = s.DateTimeField(allow_null=True)


class TokensShape(Shape):
    """The bot's live tokens, the newest first."""

    results = LiveTokenShape(many=True)


class FaultsQuery(PageQuery):
    """Which faults."""

    version = s.CharField(max_length=60, required=False)
    kind = s.ChoiceField(Fault.Kind.choices, required=False)


class FaultShape(Shape):
    """A turn that was not answered as it must be."""

    id = s.IntegerField()
    version = s.CharField(allow_null=True)
    game = s.UUIDField()
    seat = s.IntegerField()
    move_number = s.IntegerField()
    kind = s.ChoiceField(Fault.Kind.choices)
    outage = s.IntegerField(help_text="Faults with no sound answer between them share one.")
    away = s.BooleanField(help_text="It connects out, and was not connected.")
    at = s.DateTimeField()
    test = s.CharField(help_text="Where this fault is to be had as a failing test.")
    evidence = s.DictField(
        help_text="What was asked and what came: timings in ms, status, first 500 bytes, SHA-256."
    )


class BotFaultsShape(Shape):
    """A page of faults, the newest first."""

    results = FaultShape(many=True)
    next = s.CharField(allow_null=True)


class BucketShape(Shape):
    """Answers that took less than `below_ms` and not less than the bucket before; null: longer."""

    below_ms = s.IntegerField(allow_null=True)
    answers = s.IntegerField()


class FiguresShape(Shape):
    """How a bot or a version has done."""

    games = s.IntegerField()
    stand_ins = s.IntegerField(help_text="Games that the stand-in had to end.")
    faults = s.IntegerField()
    answers = s.IntegerField(help_text="From which the times are; those of a killed worker lack.")
    p50_ms = s.FloatField(allow_null=True)
    p95_ms = s.FloatField(allow_null=True)
    latency = BucketShape(many=True)


class VersionShape(Shape):
    """A version that the bot has announced; never changed."""

    version = s.CharField()
    author = s.CharField()
    presets = s.ListField(child=s.CharField())
    passed_check = s.BooleanField()
    created_at = s.DateTimeField()
    figures = FiguresShape()


class VersionsShape(Shape):
    """A page of versions, the newest first."""

    results = VersionShape(many=True)
    next = s.CharField(allow_null=True)


class BotFiguresShape(Shape):
    """All versions together, with faults by kind."""

    figures = FiguresShape()
    faults_by_kind = s.DictField(child=s.IntegerField())


class NoticeShape(Shape):
    """Something that the bot's owner is told."""

    id = s.IntegerField()
    kind = s.ChoiceField(Notice.Kind.choices)
    text = s.CharField()
    facts = s.DictField()
    created_at = s.DateTimeField()
    mailed_at = s.DateTimeField(allow_null=True)


class NoticesShape(Shape):
    """A page of notices, the newest first."""

    results = NoticeShape(many=True)
    next = s.CharField(allow_null=True)


class SparringRequest(StrictSerializer):
    """Games against house bots."""

    house = s.ListField(
        child=s.CharField(max_length=20),
        default=lambda: ["lowest"],
        max_length=5,
        help_text="The other seats, 1 to 5 of them: `lowest`, `random`, `cautious`, ...",
    )
    preset = s.CharField(max_length=20, default="table")
    options = s.DictField(default=dict)
    games = s.IntegerField(min_value=1, max_value=MOST_GAMES, default=1)


class SparringShape(Shape):
    """A sparring game."""

    id = s.IntegerField()
    game = s.UUIDField()
    seat = s.IntegerField(help_text="The bot's.")
    preset = s.CharField()
    state = s.ChoiceField(Game.State.choices)
    place = s.IntegerField(allow_null=True)
    ending = s.CharField(allow_null=True)
    faults = s.IntegerField()
    stand_in = s.BooleanField()
    created_at = s.DateTimeField()


class SparringsShape(Shape):
    """A page of sparring games, the newest first."""

    results = SparringShape(many=True)
    next = s.CharField(allow_null=True)


class BeganShape(Shape):
    """The games that were made."""

    results = SparringShape(many=True)
