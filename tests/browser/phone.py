"""A phone whose browser can be killed and started again with all that it has kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, Playwright

from tests.browser.conftest import ARGUMENTS, chromium

PATIENCE_S = 60.0
_CACHES = ("Cache", "Code Cache", "GPUCache")


class Phone:
    """A browser process of its own with a profile on the disk."""

    def __init__(self, playwright: Playwright, profile: Path) -> None:
        self._playwright, self._profile = playwright, profile
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Page:
        """Start it; a fresh page."""
        said = self._profile / "DevToolsActivePort"
        said.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [
                chromium(),
                *ARGUMENTS,
                "--headless=new",
                f"--user-data-dir={self._profile}",
                "--remote-debugging-port=0",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + PATIENCE_S
        while not (said.exists() and said.read_text().count("\n")):
            assert time.monotonic() < until, "the browser does not start"
            time.sleep(0.05)
        port = said.read_text().splitlines()[0]
        browser = self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = browser.contexts[0].new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        return page

    def kill(self) -> None:
        """The battery is empty."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def forget_pages(self) -> None:
        """Empty the browser's own cache, as a phone does when it needs the room."""
        for name in _CACHES:
            shutil.rmtree(self._profile / "Default" / name, ignore_errors=True)


@contextlib.contextmanager
def phone(playwright: Playwright, profile: Path) -> Iterator[Phone]:
    """A phone that is gone in the end."""
    made = Phone(playwright, profile)
    try:
        yield made
    finally:
        made.kill()
