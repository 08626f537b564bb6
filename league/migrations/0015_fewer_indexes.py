"""Seats, tables, entries and tallies are found by the indexes of their constraints: five indexes of
foreign keys go, and the one of seats begins with the entry.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0014_results_say_who_contradicts_and_gives_up'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tableseat',
            name='entry_once_per_round',
        ),
        migrations.AlterField(
            model_name='entry',
            name='competition',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='league.competition'),
        ),
        migrations.AlterField(
            model_name='penaltytally',
            name='competition',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='league.competition'),
        ),
        migrations.AlterField(
            model_name='table',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='league.round'),
        ),
        migrations.AlterField(
            model_name='tableseat',
            name='entry',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='league.entry'),
        ),
        migrations.AlterField(
            model_name='tableseat',
            name='table',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.table'),
        ),
        migrations.AddConstraint(
            model_name='tableseat',
            constraint=models.UniqueConstraint(fields=('entry', 'round'), name='entry_once_per_round'),
        ),
    ]
