"""The services of a test run are real, empty and ours alone."""

import pytest
from django.db import connection


@pytest.mark.django_db
def test_the_test_database_is_a_throw_away_postgresql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync'), current_setting('listen_addresses')")
        assert cursor.fetchone() == ("off", "")
