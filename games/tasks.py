"""The tasks of games: drive what is due, move evented games on, sweep; and `follow_up`.

A task is an entry point like a view: it calls services and says what to wake. No facts travel
through the broker but the id of an evented game, and that one is found by the sweep as well.
"""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.utils.module_loading import import_string

from config.kit import receipts
from config.kit.wake import send, wake, woken
from games import letters, queries
from games.driver import resident
from games.services import moves, quick
from games.services.endings import give_up, let_lapse, mark_settled, retire
from games.services.letters import due as due_letters
from games.services.progress import Progress

log = structlog.get_logger(__name__)

DRIVE = "games.drive"
PLAY_EVENTED = "games.play_evented"
WRITE_LETTERS = "games.write_letters"


def follow_up(progress: Progress) -> None:
    """Wake whom a commit concerns, and settle games that are over.

    Called at the edge after the commit. Failures are logged and left to the sweep: nobody's
    request fails because of what comes after it.
    """
    if progress.driven:
        wake(DRIVE)
    for game_id in progress.turns:
        send(PLAY_EVENTED, str(game_id))
    for game_id in progress.letters:
        send(WRITE_LETTERS, str(game_id))
    for game_id in progress.over:
        try:
            settle(game_id)
        except Exception:
            log.exception("settling_failed", game=str(game_id))


def settle(game_id: UUID) -> None:
    """Tell every listener that the game has ended, then note that all have heard it.

    Listeners are called again after a crash in the middle: they are safe to repeat.
    """
    for path in settings.GAME_LISTENERS:
        import_string(path)(game_id)
    mark_settled(game_id)


@shared_task(name=DRIVE)
def drive() -> None:
    """Play driven games for a slice; another worker is woken at once, in case there is one, and
    the next slice if some are left."""
    woken(DRIVE)
    if queries.driven_due():
        wake(DRIVE)
    if resident().run_slice(_ended):
        wake(DRIVE)


def _ended(game_id: UUID) -> None:
    follow_up(Progress(over=(game_id,)))


@shared_task(name=PLAY_EVENTED)
def play_evented(game_id: str) -> None:
    """Do what a machine must do at a table of people: expire a clock, ask an agent."""
    game = UUID(game_id)
    follow_up(moves.expire(game))
    follow_up(resident().answer_evented(game))


@shared_task(name=WRITE_LETTERS)
def write_letters(game_id: str) -> None:
    """Tell people by mail that it is their turn."""
    letters.send(due_letters(UUID(game_id)))


def sweep() -> int:
    """Find overdue games: call off what can't go on, settle what has ended, wake what is due, let
    go of what ended long ago."""
    for game_id in queries.given_up():
        if give_up(game_id):
            log.error("game_abandoned", game=str(game_id))
    for game_id in queries.forgotten():
        let_lapse(game_id)
    for game_id in queries.to_fill():
        follow_up(quick.fill(game_id))
    unsettled = queries.unsettled()
    for game_id in unsettled:
        follow_up(Progress(over=(game_id,)))
    if queries.driven_due():
        wake(DRIVE)
    due = queries.evented_due()
    follow_up(Progress(turns=tuple(due), letters=tuple(queries.to_mail())))
    receipts.forget_old()
    return len(unsettled) + len(due) + retire()
