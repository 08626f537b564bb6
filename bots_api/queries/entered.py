"""What bots are entered in, as far as it says how soon they are needed."""

from __future__ import annotations

from datetime import timedelta

from config.kit import clock
from league.models import Competition, Entry

NOW = timedelta(0)
_STANDING = (Entry.State.ENTERED, Entry.State.WAITING)
_LIVE = (Competition.State.OPEN, Competition.State.RUNNING, Competition.State.PAUSED)


def needed_in(player_id: int) -> timedelta | None:
    """In what time this player plays next; None if it is entered in nothing.

    What has no start yet may start any time.
    """
    entries = Entry.objects.filter(
        player=player_id, state__in=_STANDING, competition__state__in=_LIVE
    )
    rows = list(entries.values_list("competition__state", "competition__starts_at"))
    if not rows:
        return None
    now = clock.now()
    return min(
        max(NOW, at - now) if state == Competition.State.OPEN and at is not None else NOW
        for state, at in rows
    )
