"""The next season of a league: the same people, rules and settings, and an empty ledger.

Roles, links and places belong to the club, so they go on by themselves.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from config.kit import acts, receipts
from games.queries.replays import rules_of_card
from league.models import Competition, Entry
from league.queries.locks import lock_competition
from league.services import competitions, entries
from league.services.competitions import NewCompetition


def follow(
    competition_id: int,
    name: str,
    actor: str,
    starts_at: datetime | None = None,
    receipt: receipts.Draft | None = None,
) -> Competition:
    """Open it. Who has withdrawn or dropped, or has no name any more, is not entered.

    Raises what `competitions.create` does.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Competition.objects.get(pk=outcome["competition"])
        before = lock_competition(competition_id)
        made = competitions.create_inside(before.club_id, _like(before, name, starts_at))
        gone = (Entry.State.WITHDRAWN, Entry.State.DROPPED, Entry.State.WAITING)
        rows = Entry.objects.filter(competition=before, player__anonymised_at=None)
        for entry in rows.exclude(state__in=gone).select_related("player").order_by("number"):
            entries.enter_inside(made, entry.player)
        acts.log(actor, "season.followed", f"competition:{made.pk}", after=before.pk)
        receipts.keep(receipt, {"competition": made.pk})
        return made


def _like(before: Competition, name: str, starts_at: datetime | None) -> NewCompetition:
    return NewCompetition(
        name=name,
        rules=rules_of_card(before.rules.card),
        settings=before.chosen.to_json(),
        kind=Competition.Kind(before.kind),
        format=before.format,  # type: ignore[arg-type]
        move_ms=before.move_ms,
        bank_ms=before.bank_ms,
        starts_at=starts_at,
        rehearsal=before.rehearsal,
    )
