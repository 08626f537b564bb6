"""More characters pass for others: the keys of the bots' names are made anew.

A bot whose new key another one has keeps its old one: nobody loses a name.
"""

from django.db import IntegrityError, migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from config.kit import names


def forward(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    Player = apps.get_model("games", "Player")
    for player in Player.objects.filter(kind="bot").order_by("pk"):
        player.name_key = names.folded(player.name)
        try:
            with transaction.atomic():
                player.save(update_fields=["name_key"])
        except IntegrityError:
            continue


class Migration(migrations.Migration):
    dependencies = [
        ("bots_api", "0003_accepts_in_full"),
        ("games", "0002_live_and_finished_rows"),
    ]
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
