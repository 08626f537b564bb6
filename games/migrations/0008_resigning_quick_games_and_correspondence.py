"""A person's whole game: resigning, rematch, invitations, quick games, correspondence, phrases."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_players_choose_a_language'),
    ]

    operations = [
        migrations.CreateModel(
            name='Holiday',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
            ],
        ),
        migrations.CreateModel(
            name='Phrase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.SmallIntegerField()),
                ('code', models.CharField(max_length=20)),
                ('said_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddField(
            model_name='game',
            name='fill_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='join_code',
            field=models.CharField(db_default='', default='', max_length=16),
        ),
        migrations.AddField(
            model_name='game',
            name='mailed_ply',
            field=models.IntegerField(db_default=-1, default=-1),
        ),
        migrations.AddField(
            model_name='game',
            name='move_days',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='rematch_of',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rematch', to='games.game'),
        ),
        migrations.AddField(
            model_name='game',
            name='resigned',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='gamerecord',
            name='resigned',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='mails_turns',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='player',
            name='mutes_phrases',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='invited',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitations', to='games.player'),
        ),
        migrations.AddField(
            model_name='seat',
            name='mailed_number',
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='seat',
            name='said_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('fill_at__isnull', False), ('state', 'forming')), fields=['fill_at'], name='game_to_fill'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('mailed_ply__lt', models.F('ply')), ('move_days__isnull', False), ('state', 'playing')), fields=['id'], name='game_to_mail'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(condition=models.Q(('join_code', ''), _negated=True), fields=('join_code',), name='game_join_code_once'),
        ),
        migrations.AddField(
            model_name='holiday',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='holidays', to='games.player'),
        ),
        migrations.AddField(
            model_name='phrase',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phrases', to='games.game'),
        ),
        migrations.AddConstraint(
            model_name='holiday',
            constraint=models.CheckConstraint(condition=models.Q(('last__gte', models.F('first'))), name='holiday_has_days'),
        ),
    ]
