"""Plays a contest, on one process or several, and hands the games over in their order."""

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from contextlib import closing

from games.arena.match import Bots, Played, play
from games.arena.seating import Contest, seatings


def games(contest: Contest, jobs: int = 1) -> Iterator[Played]:
    """All games of a contest, in the same order for any number of processes."""
    if jobs <= 1:
        yield from _alone(contest)
        return
    context = multiprocessing.get_context(_method())
    with context.Pool(jobs, _begin, (contest,)) as pool:
        for block in pool.imap(_block, range(contest.blocks)):
            yield from block
        pool.close()
        pool.join()


def _method() -> str | None:
    """Forked workers need no second look at the archive that the arena may run from."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() else None


def _alone(contest: Contest) -> Iterator[Played]:
    with closing(Bots(contest)) as bots:
        for block in range(contest.blocks):
            for seating in seatings(contest, block):
                yield play(contest, seating, bots)


_contest: Contest
"""What a worker process plays; set once when it begins."""


def _begin(contest: Contest) -> None:
    global _contest  # noqa: PLW0603 - a pool's worker has no other place for what it works on
    _contest = contest
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena itself ends its workers
    signal.signal(signal.SIGTERM, _end)


def _end(number: int, frame: object) -> None:
    """Leave as usual, so that the programs are ended too."""
    sys.exit()


def _block(block: int) -> list[Played]:
    """One block in a worker, its programs ended with it."""
    with closing(Bots(_contest)) as bots:
        return [play(_contest, seating, bots) for seating in seatings(_contest, block)]
