import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0013_entries_are_substituted"),
    ]

    operations = [
        migrations.AddField(
            model_name="dealresult",
            name="contested_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="dealresult",
            name="forfeits",
            field=models.JSONField(db_default=[], default=list),
        ),
    ]
