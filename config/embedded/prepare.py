"""Bring the database up to date and load the demo, in one process that imports Django once."""

import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, get_commands
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def main() -> None:
    """Apply what migrations are missing (none: no work), then run `demo` if there is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        call_command("migrate", interactive=False, verbosity=0)
        sys.stdout.write(f"{len(missing)} migrations applied\n")
    # The static files' middleware warns at every start of a folder that isn't there.
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    if "demo" in get_commands():
        call_command("demo")
    call_command("first_account")


if __name__ == "__main__":
    main()
