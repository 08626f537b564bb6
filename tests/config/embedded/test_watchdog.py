"""The watchdog ends what it watches when the pipe ends."""

import signal
import subprocess

from config.embedded.watchdog import Watchdog


def test_what_is_watched_ends_with_us_and_what_is_forgotten_does_not() -> None:
    sleep = ["sleep", "600"]
    with (
        subprocess.Popen(sleep, start_new_session=True) as watched,
        subprocess.Popen(sleep, start_new_session=True) as forgotten,
    ):
        watchdog = Watchdog()
        watchdog.watch(watched.pid, signal.SIGTERM)
        watchdog.watch(forgotten.pid, signal.SIGTERM)
        watchdog.forget(forgotten.pid)
        watchdog.close()
        assert watched.wait(30) == -signal.SIGTERM
        assert forgotten.poll() is None
        forgotten.kill()
