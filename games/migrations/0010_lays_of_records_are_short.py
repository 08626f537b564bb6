"""Lays of a record's log are written short from now on; older records are read as they are.

On the way back they are written out again, for code that does not know the short form.
"""

import zlib

from django.db import migrations

from games.engine.brief import lengthened

AT_ONCE = 1000


def write_out(apps, schema_editor):
    records = apps.get_model("games", "GameRecord").objects.filter(packed__isnull=False)
    schema_editor.execute("ALTER TABLE games_gamerecord DISABLE TRIGGER record_is_final")
    changed = []
    for row in records.only("id", "packed").iterator(AT_ONCE):
        log = zlib.decompress(row.packed, -15)
        if (long := lengthened(log)) != log:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
            row.packed = deflate.compress(long) + deflate.flush()
            changed.append(row)
        if len(changed) == AT_ONCE:
            records.bulk_update(changed, ["packed"])
            changed = []
    records.bulk_update(changed, ["packed"])
    schema_editor.execute("ALTER TABLE games_gamerecord ENABLE TRIGGER record_is_final")


class Migration(migrations.Migration):
    dependencies = [("games", "0009_narrower_records")]

    operations = [migrations.RunPython(migrations.RunPython.noop, write_out)]
