"""A rehearsal is one from the start, and the ledger lets its rows go. Nothing else."""

from django.db import migrations, models

LET_REHEARSALS_GO = """
    CREATE OR REPLACE FUNCTION league_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND EXISTS (
            SELECT 1 FROM league_competition WHERE id = OLD.competition_id AND rehearsal
        ) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE FUNCTION league_rehearsal_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a competition is a rehearsal from the start or never'
            USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER rehearsal_is_final BEFORE UPDATE OF rehearsal ON league_competition
    FOR EACH ROW WHEN (OLD.rehearsal IS DISTINCT FROM NEW.rehearsal)
    EXECUTE FUNCTION league_rehearsal_refuse();
"""
REFUSE_ALL = """
    DROP TRIGGER rehearsal_is_final ON league_competition;
    DROP FUNCTION league_rehearsal_refuse();
    CREATE OR REPLACE FUNCTION league_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
    END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0011_notes_beside_the_ledger'),
    ]

    operations = [
        migrations.AddField(
            model_name='competition',
            name='rehearsal',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(LET_REHEARSALS_GO, REFUSE_ALL),
    ]
