"""A pytest plugin: a throw-away PostgreSQL and broker for the whole run, before settings load.

The process that the person started runs them; xdist's workers find them in the environment.
"""

import contextlib
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from config.embedded.services import services

RUNNING = "HOUSULIIGA_TEST_SERVICES"
GIVEN = ("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "STATE_DIR")
_running = contextlib.ExitStack()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Start the services: as a wrapper, so before pytest-django imports the settings."""
    if RUNNING not in os.environ:
        _start()
    yield


def pytest_unconfigure() -> None:
    """Stop what this process started and remove its data."""
    _running.close()


def _start() -> None:
    folder = _running.enter_context(tempfile.TemporaryDirectory(prefix="housuliiga-test-"))
    given = _running.enter_context(services(Path(folder)))
    os.environ.update({name: given[name] for name in GIVEN})
    os.environ[RUNNING] = str(os.getpid())
    _running.callback(os.environ.pop, RUNNING)
