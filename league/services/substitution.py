"""Substitution: from the next round on somebody else plays for an entry.

Whose the chips are is chosen: the leaver's, who stays in the standings and may come back, or the
substitute's, who takes the entry over with all it has. Works under the competition's lock.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction

from config.kit import acts, receipts
from games.models import Player
from league.errors import (
    BadSubstituteError,
    NotEnteredError,
    NotRunningError,
    PlayerNotFoundError,
)
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round, Stint
from league.queries import stints
from league.queries.locks import lock_competition
from league.services import entrants, ledger, notes
from league.services.notes import NOTHING, Prose

_TAKES = (Competition.State.RUNNING, Competition.State.PAUSED)


class ChipsGo(StrEnum):
    """Whose the chips of the entry are, past and to come."""

    LEAVER = "leaver"
    SUBSTITUTE = "substitute"


@dataclass(frozen=True)
class Swap:
    """Who leaves, by player, who plays instead, and whose the chips are."""

    leaver: int
    substitute: int
    chips: ChipsGo = ChipsGo.LEAVER
    prose: Prose = NOTHING


def substitute(
    competition_id: int, swap: Swap, actor: str, receipt: receipts.Draft | None = None
) -> Entry:
    """Let somebody else play from the next round on. Raises `NotRunningError`, `NotEnteredError`,
    `PlayerNotFoundError`, `BadSubstituteError`, and what refuses a machine that may not enter."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        entry = _entry(competition, swap.leaver)
        if receipts.repeated(receipt) is not None:
            return entry
        if competition.state not in _TAKES:
            raise NotRunningError(f"It is {competition.state}.", state=competition.state)
        if entry.state != Entry.State.ENTERED:
            raise NotEnteredError("The player is not in it any more.")
        coming = _player(competition, entry, swap.substitute)
        _swap(competition, entry, coming, swap)
        target = f"competition:{competition.pk}"
        acts.log(actor, "entry.substituted", target, entry=entry.number, player=coming.pk)
        receipts.keep(receipt, {})
        return entry


def _entry(competition: Competition, player_id: int) -> Entry:
    entries = Entry.objects.filter(stints.of(player_id), competition=competition)
    entry = entries.select_related("player", "substitute").first()
    if entry is None:
        raise NotEnteredError("The player has no entry.")
    return entry


def _player(competition: Competition, entry: Entry, player_id: int) -> Player:
    """Who is to come in, if he may."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise PlayerNotFoundError("There is no such player.", player=player_id)
    leaver = entry.plays
    if player == leaver:
        raise BadSubstituteError("He plays already.", why="plays_already")
    # Draws depend on whose bots these are, and tables on whether people sit there.
    alike = bool(player.agent_ref) == bool(leaver.agent_ref)
    if not alike or player.owner_id != leaver.owner_id:
        raise BadSubstituteError(
            "A person stands in for a person, a bot for a bot of its owner.", why="not_alike"
        )
    if stints.numbers(competition).get(player.pk, entry.number) != entry.number:
        raise BadSubstituteError("The player has an entry of his own.", why="entered")
    entrants.admit(competition, player)
    return player


def _swap(competition: Competition, entry: Entry, coming: Player, swap: Swap) -> None:
    leaver, number = entry.plays, Round.objects.filter(competition=competition).count() + 1
    if not entry.substituted:
        Stint.objects.create(entry=entry, round=1, player=leaver)
    Stint.objects.update_or_create(entry=entry, round=number, defaults={"player": coming})
    entry.substituted = True
    if swap.chips == ChipsGo.SUBSTITUTE:
        entry.player, entry.substitute = coming, None
        PenaltyTally.objects.filter(entry=entry).update(player=coming)
    else:
        entry.substitute = None if coming == entry.player else coming
    entrants.freeze(competition, [entry])
    entry.save()
    fact = {
        "entry": entry.number,
        "round": number,
        "leaver": leaver.pk,
        "player": coming.pk,
        "chips": swap.chips.value,
        **notes.hashed(competition, swap.prose),
    }
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ENTRY_SUBSTITUTED, fact)])
