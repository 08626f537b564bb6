"""A record says all that is told of a finished game, so that its live row can go.

Actions are deflated, which nearly halves a record; visibility and start come along; a competition's
records are found in order, those of a rules card by a small index. On the way back the actions are
written out again.
"""

import zlib

from django.db import migrations, models
from django.db.models import Q

AT_ONCE = 1000
COPY = """
    UPDATE games_gamerecord r SET visibility = g.visibility, started_at = g.started_at
    FROM games_game g WHERE g.id = r.id
"""


def copy_from_live_rows(apps, schema_editor):
    _changing(schema_editor, lambda: schema_editor.execute(COPY))


def write_out(apps, schema_editor):
    records = apps.get_model("games", "GameRecord").objects.filter(packed__isnull=False)

    def change():
        rows = []
        for row in records.only("id", "packed").iterator(AT_ONCE):
            row.actions = zlib.decompress(row.packed, -15)
            rows.append(row)
            if len(rows) == AT_ONCE:
                records.bulk_update(rows, ["actions"])
                rows = []
        records.bulk_update(rows, ["actions"])

    _changing(schema_editor, change)


def _changing(schema_editor, change):
    """Records are never changed but by a migration."""
    schema_editor.execute("ALTER TABLE games_gamerecord DISABLE TRIGGER record_is_final")
    change()
    schema_editor.execute("ALTER TABLE games_gamerecord ENABLE TRIGGER record_is_final")


class Migration(migrations.Migration):
    dependencies = [("games", "0003_tickets_for_streams")]

    operations = [
        migrations.AddField("gamerecord", "packed", models.BinaryField(null=True)),
        migrations.AddField("gamerecord", "started_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "gamerecord",
            "visibility",
            models.CharField(
                choices=[("private", "Private"), ("link", "Link"), ("public", "Public")],
                db_default="public",
                default="public",
                max_length=7,
            ),
        ),
        migrations.AlterField(
            "gamerecord", "actions", models.BinaryField(db_default=b"", default=b"")
        ),
        migrations.RunPython(copy_from_live_rows, write_out),
        migrations.AddIndex(
            "game",
            models.Index(
                condition=Q(competition_ref=None, settled_at__isnull=False, state="over"),
                fields=["settled_at"],
                name="game_to_retire",
            ),
        ),
        migrations.AddIndex(
            "gamerecord",
            models.Index(
                condition=Q(competition_ref__isnull=False),
                fields=["competition_ref", "id"],
                name="record_by_competition",
            ),
        ),
        migrations.AddIndex(
            "gamerecord", models.Index(fields=["rules"], name="record_by_rules")
        ),
    ]
