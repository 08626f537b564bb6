"""How live games leave: called off before their end, settled after it, retired in the end.

Works inside the caller's transaction. An end by play is written by `plies`.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from config.kit.hub import notify
from games.models import Deck, Game, GameRecord
from games.services import decks
from games.services.plies import CHANNEL

# How long a finished game keeps its row: banks and stand-ins are seen, a rematch finds its seats.
KEPT = timedelta(days=7)
RETIRED_AT_ONCE = 200
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


def call_off_games(competition_ref: int) -> int:
    """Call off what is still played in a competition; returns how many games that were.

    The caller holds the competition's lock.
    """
    live = Game.objects.filter(competition_ref=competition_ref, state__in=LIVE).order_by("pk")
    found = list(live.select_for_update().values_list("pk", flat=True))
    return sum(void_game(game_id, "competition_void") for game_id in found)


def give_up(game_id: UUID) -> bool:
    """Call off a driven game that nobody could go on with; its table plays that deal anew."""
    with transaction.atomic(durable=True):
        return void_game(game_id, "attempts")


def let_lapse(game_id: UUID) -> bool:
    """Call off a game of people that waited in vain; False if its cards were dealt meanwhile."""
    with transaction.atomic(durable=True):
        waits = Game.objects.select_for_update().filter(
            pk=game_id, state__in=(Game.State.FORMING, Game.State.READY), table_ref=None
        )
        lapsed = waits.exists() and void_game(game_id, "nobody_came")
        if lapsed:
            notify(CHANNEL, str(game_id))
        return lapsed


def mark_settled(game_id: UUID) -> bool:
    """Note that every listener has heard of the end; False if that was noted before."""
    ended = (Game.State.OVER, Game.State.VOID)
    unsettled = Game.objects.filter(pk=game_id, state__in=ended, settled_at=None)
    return bool(unsettled.update(settled_at=Now()))


def retire(kept: timedelta = KEPT) -> int:
    """Delete the rows of casual games that ended long ago; their records tell the rest.

    Games of competitions keep theirs: standings and dashboards count the faults of their seats.
    """
    with transaction.atomic(durable=True):
        settled = Game.objects.filter(state=Game.State.OVER, settled_at__lt=Now() - kept)
        casual = settled.filter(competition_ref=None, deck__state=Deck.State.OVER)
        recorded = casual.filter(Exists(GameRecord.objects.filter(pk=OuterRef("pk"))))
        rows = recorded.select_for_update(of=("self",), skip_locked=True).order_by("pk")
        found = list(rows.values_list("pk", flat=True)[:RETIRED_AT_ONCE])
        if found:
            Game.objects.filter(pk__in=found).delete()
    return len(found)
