"""What goes in and out of the API of bots. Shape only: what may be the services decide."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from bots_api.models import Bot, CheckReport
from bots_api.services.accepting import MOST_CASUAL, WHO
from config.kit.paging import MOST, USUAL
from config.kit.params import StrictSerializer
from games.api.shapes import PlayerShape

Shape = s.Serializer[Any]

MOST_ID = 2**63 - 1


class PageQuery(StrictSerializer):
    """Which part of a list."""

    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)
    cursor = s.IntegerField(min_value=0, max_value=MOST_ID, required=False)


HoursRequest = type(
    "HoursRequest",
    (StrictSerializer,),
    {
        "__doc__": "From when to when, each day; over midnight if `to` is earlier.",
        # A class body can't have a field of that name.
        "from": s.CharField(max_length=5, help_text="Such as `08:00`."),
        "to": s.CharField(max_length=5, help_text="Such as `22:00`."),
        "zone": s.CharField(max_length=60, default="UTC"),
    },
)


class AcceptsRequest(StrictSerializer):
    """Who may play casual games with it; competitions are another matter."""

    who = s.ChoiceField(WHO, default="both")
    casual = s.IntegerField(
        min_value=0, max_value=MOST_CASUAL, default=4, help_text="Casual games at once."
    )
    hours = HoursRequest(allow_null=True, default=None, help_text="Null: always.")


class NewBotRequest(StrictSerializer):
    """A bot to register."""

    name = s.CharField(max_length=200)
    transport = s.ChoiceField(
        Bot.Transport.choices,
        default=Bot.Transport.WEBHOOK,
        help_text="`webhook`: it is called at its URL. `pull`: it connects and needs none.",
    )
    url = s.CharField(
        max_length=500,
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text="Where it answers; turns go to URL/move.",
    )
    description = s.CharField(max_length=500, default="", allow_blank=True)
    presets = s.ListField(
        child=s.CharField(max_length=20), max_length=20, default=lambda: ["table"]
    )
    concurrency = s.IntegerField(min_value=1, max_value=64, default=1)
    accepts = AcceptsRequest(default=dict)


class ChangeBotRequest(StrictSerializer):
    """What to change of a bot; what is left out stays."""

    transport = s.ChoiceField(Bot.Transport.choices, required=False)
    url = s.CharField(max_length=500, trim_whitespace=False, required=False, allow_blank=True)
    description = s.CharField(max_length=500, required=False, allow_blank=True)
    presets = s.ListField(child=s.CharField(max_length=20), max_length=20, required=False)
    concurrency = s.IntegerField(min_value=1, max_value=64, required=False)
    accepts = AcceptsRequest(required=False)


class NothingRequest(StrictSerializer):
    """Nothing is asked."""


class AcceptsShape(Shape):
    """Who may play casual games with it."""

    who = s.ChoiceField(WHO)
    casual = s.IntegerField()
    hours = HoursRequest(allow_null=True)


class QueueShape(Shape):
    """Turns at a bot at this moment, over all its games."""

    out = s.IntegerField(help_text="Turns that it is asked now, `concurrency` at the most.")
    waiting = s.IntegerField(help_text="Turns that wait until it has room, on nobody's clock.")


class BotShape(Shape):
    """A bot."""

    id = s.IntegerField()
    player = PlayerShape()
    owner = PlayerShape()
    state = s.ChoiceField(Bot.State.choices)
    suspended_for = s.ChoiceField(
        Bot.Reason.choices,
        allow_null=True,
        help_text="`silence`: three calls unanswered, two answered bring it back. `stand_ins`: "
        "three games in a row ended by the stand-in, a passed check brings it back.",
    )
    transport = s.ChoiceField(Bot.Transport.choices)
    url = s.CharField(allow_null=True, help_text="Null for everybody but its owner.")
    description = s.CharField()
    presets = s.ListField(child=s.CharField())
    concurrency = s.IntegerField()
    queue = QueueShape()
    accepts = AcceptsShape()
    version = s.CharField(allow_null=True, help_text="Of its newest handshake.")
    presence = s.ChoiceField(
        ["here", "away"], allow_null=True, help_text="Of bots that connect out; null for others."
    )
    answered_at = s.DateTimeField(allow_null=True)
    created_at = s.DateTimeField()


class NewBotShape(Shape):
    """A bot just made, with what is shown only now."""

    bot = BotShape()
    token = s.CharField(allow_null=True, help_text="Shown once; null when repeated.")
    signing_secret = s.CharField(allow_null=True, help_text="Shown once; null when repeated.")


class CheckStepShape(Shape):
    """One question of a check."""

    step = s.CharField()
    verdict = s.ChoiceField(["ok", "note", "failed"])
    detail = s.CharField(help_text="What was wrong.")
    ms = s.FloatField()
    status = s.IntegerField(allow_null=True)
    bytes = s.IntegerField(allow_null=True)
    asked = s.CharField(help_text="The request as curl, for the bot's owner alone.")


class CheckShape(Shape):
    """A check of a bot."""

    id = s.IntegerField()
    state = s.ChoiceField(CheckReport.State.choices)
    version = s.CharField(allow_null=True)
    steps = CheckStepShape(many=True)
    p50_ms = s.FloatField(allow_null=True)
    p95_ms = s.FloatField(allow_null=True)
    created_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)


class ChecksShape(Shape):
    """A page of checks, the newest first."""

    results = CheckShape(many=True)
    next = s.CharField(allow_null=True)


class MessagesShape(Shape):
    """Messages to a bot that connects out: those a webhook is sent, with three members more."""

    messages = s.ListField(child=s.DictField())
    cursor = s.IntegerField(help_text="Go on with `after` = this.")


class RepliesRequest(StrictSerializer):
    """A reply to a message."""

    request_id = s.CharField(max_length=40)
    reply = s.DictField(help_text="What a webhook would answer.")


class BotsShape(Shape):
    """A page of bots."""

    results = BotShape(many=True)
    next = s.CharField(allow_null=True)
