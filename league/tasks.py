"""The tasks of the league: play a slice of house tables, hear of games that are over, sweep.

A task is an entry point like a view: it calls services and says what to wake.
"""

from uuid import UUID

from celery import shared_task

from config.kit.leases import new_owner
from config.kit.wake import wake, woken
from games.tasks import DRIVE
from games.tasks import follow_up as follow_up_games
from league import deliveries
from league import letters as written
from league.services import (
    competitions,
    confirming,
    evented,
    house,
    letters,
    results,
    rounds,
    schedules,
    webhooks,
)
from league.services.due import Due

PLAY_TABLES = "league.play_tables"
CALL_WEBHOOKS = "league.call_webhooks"
SEND_LETTERS = "league.send_letters"


def follow_up(due: Due) -> None:
    """Wake those whom a commit concerns; called at the edge, after it."""
    if due.house:
        wake(PLAY_TABLES)
    if due.driven:
        wake(DRIVE)


@shared_task(name=PLAY_TABLES)
def play_tables() -> None:
    """Play house tables for a slice; another worker is woken at once, in case there is one."""
    woken(PLAY_TABLES)
    follow_up(Due(house=house.waiting()))
    follow_up(house.play_slice(new_owner()))


@shared_task(name=CALL_WEBHOOKS)
def call_webhooks() -> None:
    """Tell the webhooks that are due what they have not heard; another worker if more wait."""
    woken(CALL_WEBHOOKS)
    claimed = webhooks.claim()
    deliveries.deliver(claimed)
    if claimed and webhooks.due():
        wake(CALL_WEBHOOKS)


@shared_task(name=SEND_LETTERS)
def send_letters() -> None:
    """Write the letters that ledgers ask for, and send what is due."""
    woken(SEND_LETTERS)
    letters.write_due()
    while claimed := letters.claim():
        written.send(claimed)


def game_over(game_id: UUID) -> None:
    """Go on after a game of one of our tables (`settings.GAME_LISTENERS`); safe to repeat."""
    follow_up(results.settle_deal(game_id))


def sweep() -> int:
    """Open what is scheduled, start what is due, close what was left, wake for what waits."""
    opened = schedules.run_due()
    due = competitions.start_overdue() + confirming.confirm_overdue() + rounds.close_overdue()
    due += Due(house=house.waiting())
    follow_up(due)
    dealt = evented.deal_overdue()
    follow_up_games(dealt)
    webhooks.forget_old()
    calls = webhooks.due()
    if calls:
        wake(CALL_WEBHOOKS)
    if letters.due():
        wake(SEND_LETTERS)
    return calls + opened + due.house + due.driven + len(dealt.turns)
