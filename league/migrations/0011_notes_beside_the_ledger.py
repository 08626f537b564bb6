"""Prose of organisers stands beside the ledger, so that it can be erased."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_smaller_indexes_of_records'),
        ('league', '0010_guests_are_claimed_and_merged'),
    ]

    operations = [
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hash', models.BinaryField(max_length=32)),
                ('salt', models.BinaryField(max_length=16)),
                ('text', models.CharField(max_length=1000)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('erased_at', models.DateTimeField(null=True)),
                ('about', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='notes_about', to='games.player')),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.player')),
                ('competition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='league.competition')),
            ],
        ),
    ]
