"""How live games leave: called off before their end, or settled after it.

Works inside the caller's transaction. An end by play is written by `plies`.
"""

from uuid import UUID

from django.db.models.functions import Now

from games.models import Game
from games.services import decks

LIVE = (Game.State.FORMING, Game.State.READY, Game.State.PLAYING)


def void_game(game_id: UUID, reason: str) -> bool:
    """Call a game off, with the reason kept on the row; its deck has one game less to come.

    False if it had ended already. The caller holds the locks of the layer above.
    """
    voided = Game.objects.filter(pk=game_id, state__in=LIVE).update(
        state=Game.State.VOID,
        quarantine_reason=reason[:200],
        due_at=None,
        deadline_at=None,
        ended_at=Now(),
    )
    if voided:
        decks.call_off(game_id)
    return bool(voided)


def mark_settled(game_id: UUID) -> bool:
    """Note that every listener has heard of the end; False if that was noted before."""
    unsettled = Game.objects.filter(pk=game_id, state=Game.State.OVER, settled_at=None)
    return bool(unsettled.update(settled_at=Now()))
