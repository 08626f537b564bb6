"""From a round on somebody else plays an entry."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_smaller_indexes_of_records'),
        ('league', '0012_rehearsals_can_be_wiped'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='substitute',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player'),
        ),
        migrations.AddField(
            model_name='entry',
            name='substituted',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name='Stint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.SmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stints', to='league.entry')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('entry', 'round'), name='stint_once_per_round')],
            },
        ),
    ]
