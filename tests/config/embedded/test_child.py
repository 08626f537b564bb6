"""Children end with us, and when asked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from config.embedded.child import Command, Stage, spawn, stop

# Says its own id and that of a child of its own, then waits for ever.
FAMILY = (
    "import os, subprocess, sys, time\n"
    "child = subprocess.Popen(['sleep', '600'])\n"
    "print(os.getpid(), child.pid, flush=True)\n"
    "time.sleep(600)\n"
)
STUBBORN = (
    "import signal, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('deaf', flush=True)\n"
    "time.sleep(600)\n"
)


def python(code: str) -> Command:
    return Command("test", [sys.executable, "-c", code], dict(os.environ), Path.cwd())


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def soon(holds: Callable[[], bool], patience_s: float = 10.0) -> bool:
    give_up = time.monotonic() + patience_s
    while time.monotonic() < give_up:
        if holds():
            return True
        time.sleep(0.01)
    return False


def test_a_child_ends_when_its_parent_is_killed() -> None:
    parent_code = (
        "import subprocess, sys, time\n"
        "from tests.config.embedded.test_child import FAMILY, python\n"
        "from config.embedded.child import spawn\n"
        "spawn(python(FAMILY), None)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", parent_code], stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout
        child, grandchild = map(int, parent.stdout.readline().split())
        parent.kill()
        assert soon(lambda: gone(child))
    os.kill(grandchild, signal.SIGKILL)


def test_stopping_takes_what_the_child_started_along() -> None:
    process = spawn(python(FAMILY), subprocess.PIPE)
    with process:
        assert process.stdout
        child, grandchild = map(int, process.stdout.readline().split())
        stop(process, (Stage(signal.SIGTERM, 5),))
        assert soon(lambda: gone(child) and gone(grandchild))


def test_a_child_that_does_not_listen_is_killed_after_its_patience() -> None:
    process = spawn(python(STUBBORN), subprocess.PIPE)
    with process:
        assert process.stdout
        process.stdout.readline()
        stop(process, (Stage(signal.SIGTERM, 0.1),))
    assert process.returncode == -signal.SIGKILL


def test_a_ctrl_c_at_the_terminal_does_not_reach_the_child() -> None:
    process = spawn(python("import os; print(os.getpid() == os.getsid(0))"), subprocess.PIPE)
    with process:
        assert process.communicate()[0] == b"True\n"
