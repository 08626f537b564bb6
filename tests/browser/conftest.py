"""A real Chromium for tests of pages, and the service on a real socket beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from django.db import connections
from playwright.sync_api import Browser, sync_playwright

from tests.not_run import not_run
from tests.web_server import serving

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str:
    """The browser's program."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        not_run("browser", "needs Chromium (Debian: apt install chromium), or CHROMIUM=/path")
    return found


@pytest.fixture
def web(transactional_db: None) -> Iterator[str]:
    """The service's address."""
    with serving() as address:
        yield address


@pytest.fixture
def browser(web: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A browser of this test alone; it is gone before the database is emptied."""
    found = chromium()
    # The browser's loop runs in this thread, in which the tests use the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield opened
        opened.close()
        # In here the database's connection is another one than outside.
        connections.close_all()
