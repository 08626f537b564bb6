"""Ends our children when we are gone, where the kernel doesn't do it (not Linux).

A process of its own: it is told the children's ids through a pipe, and the pipe ends with us.
"""

import contextlib
import os
import signal
import subprocess
import sys


class Watchdog:
    """Our end of the pipe."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, start_new_session=True
        )

    def watch(self, pid: int, death_signal: signal.Signals) -> None:
        """Have the process's group signalled when we end."""
        self._tell(f"{pid} {int(death_signal)}")

    def forget(self, pid: int) -> None:
        """Have nothing sent to an ended process, whose id may come back."""
        self._tell(f"{pid} 0")

    def close(self) -> None:
        """End as if we were gone: what is still watched is signalled."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def _tell(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()


def main() -> None:
    """Read until the pipe ends, then signal every process that is still watched."""
    watched: dict[int, int] = {}
    for line in sys.stdin:
        pid, number = map(int, line.split())
        watched[pid] = number
    for pid, number in watched.items():
        if number:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, number)


if __name__ == "__main__":
    main()
