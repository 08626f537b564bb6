"""`accepts` says who, how many games and when; bots that are called get their first call."""

from django.db import migrations
from django.db.migrations.state import StateApps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now


def forward(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    Bot = apps.get_model("bots_api", "Bot")
    for bot in Bot.objects.all():
        bot.accepts = {"who": bot.accepts.get("kind", "both"), "casual": 4, "hours": None}
        bot.save(update_fields=["accepts"])
    Bot.objects.filter(transport="webhook").exclude(state="retired").update(call_at=Now())


def back(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    Bot = apps.get_model("bots_api", "Bot")
    for bot in Bot.objects.all():
        bot.accepts = {"kind": bot.accepts.get("who", "both")}
        bot.save(update_fields=["accepts"])


class Migration(migrations.Migration):
    dependencies = [("bots_api", "0002_life_of_bots")]
    operations = [migrations.RunPython(forward, back)]
