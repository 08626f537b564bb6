"""Live rows are rewritten with every move: leave them room. Records are never changed."""

from django.db import migrations

ROOM = """
    ALTER TABLE games_game SET (fillfactor = 50);
    ALTER TABLE games_seat SET (fillfactor = 70);
"""
NO_ROOM = """
    ALTER TABLE games_game RESET (fillfactor);
    ALTER TABLE games_seat RESET (fillfactor);
"""
FIXED = """
    CREATE FUNCTION games_record_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a game record is never changed' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER record_is_final BEFORE UPDATE ON games_gamerecord
        FOR EACH ROW EXECUTE FUNCTION games_record_is_final();
"""
NOT_FIXED = """
    DROP TRIGGER record_is_final ON games_gamerecord;
    DROP FUNCTION games_record_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RunSQL(ROOM, NO_ROOM),
        migrations.RunSQL(FIXED, NOT_FIXED),
    ]
