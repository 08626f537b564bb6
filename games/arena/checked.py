"""What a check tells its author, line by line."""

import statistics
from collections.abc import Callable, Iterable
from typing import Final

from games.arena.checkup import Step

_WORDS: Final = {"ok": "ok", "note": "note", "failed": "FAILED"}
_LONGEST: Final = 8 * 1024
"""A question of 64 KiB is not shown again."""


def tell(bot: str, taken: Iterable[Step], write: Callable[[str], object]) -> bool:
    """Write each step as it comes, then the verdict; whether it passed."""
    write(f"check of {bot}\n")
    done = []
    for step in taken:
        write(f"  {_WORDS[step.verdict]:6}  {step.name:30} {step.ms:7.1f} ms  {step.detail}")
        done.append(step)
    failed = [step for step in done if step.verdict == "failed"]
    write("")
    again = next((one.asked for one in failed if 0 < len(one.asked) < _LONGEST), "")
    if again:
        write(f"the first that failed, to try again:\n\n  {again}\n")
    write(_verdict(done, len(failed)))
    return not failed


def _verdict(done: list[Step], failed: int) -> str:
    if failed:
        return f"NOT passed: {failed} of {len(done)} steps failed"
    times = sorted(step.ms for step in done if step.name.startswith("position"))
    half, nearly = statistics.median(times), times[int(len(times) * 0.95)]
    return (
        f"passed, {len(done)} steps: half of the answers within {half:.1f} ms, "
        f"nearly all within {nearly:.1f} ms"
    )
