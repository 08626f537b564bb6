"""The ledger is append-only: the database itself refuses UPDATE and DELETE."""

from django.db import migrations

REFUSE = """
    CREATE FUNCTION league_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER ledger_refuses_changes BEFORE UPDATE OR DELETE ON league_ledgerrow
    FOR EACH ROW EXECUTE FUNCTION league_ledger_refuse();
"""
ALLOW = """
    DROP TRIGGER ledger_refuses_changes ON league_ledgerrow;
    DROP FUNCTION league_ledger_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
