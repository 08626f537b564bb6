"""Children under one eye: started again, given up, stopped in order."""

import io
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from config.embedded.child import Command, Stage
from config.embedded.console import Console
from config.embedded.errors import EmbeddedError
from config.embedded.fleet import Fleet, StopAsked
from config.embedded.kept import CrashLoopError

WAIT = "import time; print('here', flush=True); time.sleep(600)"
TELL_END = (
    "import signal, sys, time\n"
    "signal.signal(signal.SIGTERM, lambda *_: sys.exit('ending'))\n"
    "print('here', flush=True); time.sleep(600)\n"
)
DEAF = (
    "import signal, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('here', flush=True); time.sleep(600)\n"
)


def python(name: str, code: str) -> Command:
    stages = (Stage(signal.SIGTERM, 60.0),)
    argv = [sys.executable, "-c", code]
    return Command(name, argv, dict(os.environ), Path.cwd(), stages=stages)


class Log:
    """A console in memory."""

    def __init__(self) -> None:
        self.out = io.StringIO()
        self.console = Console(self.out)

    def said(self, name: str) -> list[str]:
        lines = [line.split(maxsplit=2)[1:] for line in self.out.getvalue().splitlines()]
        return [line[1] for line in lines if line[0] == name]


@pytest.fixture
def log() -> Log:
    return Log()


def test_a_child_that_is_killed_is_started_again(log: Log) -> None:
    with Fleet(log.console) as fleet:
        (kept,) = fleet.start([python("web", WAIT)])
        assert fleet.tend(lambda: log.said("web") == ["here"], 30)
        first = kept.process.pid
        os.kill(first, signal.SIGKILL)
        assert fleet.tend(lambda: log.said("web").count("here") == 2, 30)
        assert kept.process.pid != first
    assert log.said("web")[1] == "was killed by signal 9; starting again in 0.25 s"
    assert not kept.alive


def test_a_crash_loop_ends_all_and_tells_the_last_lines(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.embedded.kept.FIRST_PAUSE_S", 0.001)
    with pytest.raises(CrashLoopError, match=r"(?s)bot ended 6 times.*no such deck"):  # noqa: SIM117
        with Fleet(log.console) as fleet:
            (other,) = fleet.start([python("web", WAIT)])
            fleet.start([python("bot", "import sys; sys.exit('no such deck')")])
            fleet.tend(lambda: False, 60)
    assert not other.alive


def test_groups_are_stopped_the_last_started_first(log: Log) -> None:
    with Fleet(log.console) as fleet:
        fleet.start([python("postgres", TELL_END)])
        fleet.start([python("web", TELL_END)])
        assert fleet.tend(lambda: "here" in log.said("postgres") and "here" in log.said("web"), 30)
    ends = [line.split()[1] for line in log.out.getvalue().splitlines() if "ending" in line]
    assert ends == ["web", "postgres"]


def test_a_stop_signal_is_an_orderly_end(log: Log) -> None:
    with pytest.raises(StopAsked), Fleet(log.console) as fleet:
        (kept,) = fleet.start([python("web", TELL_END)])
        assert fleet.tend(lambda: log.said("web") == ["here"], 30)
        signal.raise_signal(signal.SIGINT)
        fleet.tend(lambda: False, 60)
    assert log.said("web") == ["here", "ending"]
    assert kept.process.returncode == 1


def test_a_second_stop_signal_kills(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.embedded.fleet.SAME_REQUEST_S", 0.0)
    with pytest.raises(StopAsked), Fleet(log.console) as fleet:
        (kept,) = fleet.start([python("web", DEAF)])
        assert fleet.tend(lambda: log.said("web") == ["here"], 30)
        signal.raise_signal(signal.SIGINT)
        second = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        second.start()
        fleet.tend(lambda: False, 60)
    second.join()
    assert kept.process.returncode == -signal.SIGKILL


def test_a_one_off_that_fails_is_told_after_its_lines(log: Log) -> None:
    with Fleet(log.console) as fleet:
        fleet.run(python("setup", "print('15 migrations applied')"))
        with pytest.raises(EmbeddedError, match=r"step 'setup' failed \(exit code 1\)"):
            fleet.run(python("setup", "import sys; sys.exit('no table')"))
    assert log.said("setup") == ["15 migrations applied", "no table"]


def test_the_last_piece_of_a_line_is_heard(log: Log) -> None:
    with Fleet(log.console) as fleet:
        fleet.run(python("setup", "import sys; sys.stdout.write('no newline')"))
    assert log.said("setup") == ["no newline"]
