"""What every test run shares. The database and the broker come from config.embedded."""

from pathlib import Path

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, settings

from config.kit import rates
from tests import emptying
from tests.not_run import pytest_runtest_makereport, pytest_terminal_summary

__all__ = ["pytest_runtest_makereport", "pytest_terminal_summary"]

# No deadline: the machine may be busy. The same examples each time: a failure is a change of ours.
settings.register_profile(
    "housuliiga",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("housuliiga")
emptying.by_deleting()


@pytest.fixture(scope="session", autouse=True)
def static_folder() -> None:
    """WhiteNoise warns of a missing folder, and warnings are errors here."""
    Path(django_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(autouse=True)
def nobody_has_asked() -> None:
    """Tests share an address: one must not use up the next one's rate."""
    rates.buckets.clear()
