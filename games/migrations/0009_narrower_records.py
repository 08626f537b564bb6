"""A record takes less room: four bytes a player, and nothing for being public.

One rewrite of the table for both.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

NARROW = """
    ALTER TABLE games_gamerecord
        ALTER COLUMN players TYPE integer[] USING players::integer[],
        ALTER COLUMN visibility DROP DEFAULT,
        ALTER COLUMN visibility DROP NOT NULL,
        ALTER COLUMN visibility TYPE varchar(7) USING nullif(visibility, 'public');
"""
WIDE = """
    ALTER TABLE games_gamerecord
        ALTER COLUMN players TYPE bigint[] USING players::bigint[],
        ALTER COLUMN visibility TYPE varchar(7) USING coalesce(visibility, 'public'),
        ALTER COLUMN visibility SET DEFAULT 'public',
        ALTER COLUMN visibility SET NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0008_resigning_quick_games_and_correspondence")]

    operations = [
        migrations.RunSQL(
            NARROW,
            WIDE,
            state_operations=[
                migrations.AlterField(
                    "gamerecord", "players", ArrayField(models.IntegerField(), size=None)
                ),
                migrations.AlterField(
                    "gamerecord",
                    "visibility",
                    models.CharField(
                        choices=[("private", "Private"), ("link", "Link"), ("public", "Public")],
                        max_length=7,
                        null=True,
                    ),
                ),
            ],
        ),
    ]
