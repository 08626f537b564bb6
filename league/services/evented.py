"""Tables at which people sit: a deal that somebody does not come to is dealt without him."""

import structlog
from django.db import transaction
from django.db.models.functions import Now

from games.services.progress import Progress
from games.services.table_games import deal_without
from league.models import Competition, Table
from league.queries.locks import lock_competition
from league.queries.tables import unfinished

log = structlog.get_logger(__name__)

SWEPT_AT_ONCE = 200


def deal_overdue() -> Progress:
    """Deal what has waited for its people long enough, each table by itself."""
    overdue = unfinished().filter(kind=Table.Kind.EVENTED, due_at__lte=Now())
    found = overdue.order_by("due_at").values_list("pk", "round__competition")[:SWEPT_AT_ONCE]
    progress = Progress()
    for table_id, competition_id in found:
        try:
            progress += deal_overdue_at(table_id, competition_id)
        except Exception:
            log.exception("overdue_failed", act="deal_overdue", key=table_id)
    return progress


def deal_overdue_at(table_id: int, competition_id: int) -> Progress:
    """`deal_overdue` at one table; again, or while the competition is paused, it does nothing."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        table = unfinished().filter(pk=table_id, due_at__lte=Now())
        if competition.state != Competition.State.RUNNING or not table.update(due_at=None):
            return Progress()
        return deal_without(table_id)
