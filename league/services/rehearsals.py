"""Rehearsals: competitions to try things out, wiped whole by one act. Nothing else can be deleted.

The trigger of the ledger lets rows of rehearsals go, and another keeps a competition from becoming
one.
"""

from django.db import transaction

from config.kit import acts
from games.models import Deck, Game, GameRecord
from league.errors import NotARehearsalError
from league.models import Competition, LedgerRow, PenaltyTally, Round
from league.queries.locks import lock_competition


def wipe(competition_id: int, actor: str) -> None:
    """Delete a rehearsal with all that was played in it, running or over.

    Raises `CompetitionNotFoundError`, `NotARehearsalError`.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if not competition.rehearsal:
            raise NotARehearsalError("It is no rehearsal: what was played stays.")
        acts.log(
            actor, "rehearsal.wiped", f"club:{competition.club_id}", competition=competition.pk
        )
        _delete_games(competition)
        LedgerRow.objects.filter(competition=competition).delete()
        PenaltyTally.objects.filter(competition=competition).delete()
        Round.objects.filter(competition=competition).delete()
        competition.entries.all().delete()
        competition.delete()


def _delete_games(competition: Competition) -> None:
    Game.objects.filter(competition_ref=competition.pk).delete()
    GameRecord.objects.filter(competition_ref=competition.pk).delete()
    Deck.objects.filter(competition_ref=competition.pk).delete()
