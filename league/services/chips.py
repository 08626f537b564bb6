"""Chips by hand: given or taken by an organiser with a reason, and revoked.

A row each, so what was stays readable: given is `chip`, taken or revoked is `adjustment`. They
count before the deals of the round that is open, or is opened next.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction

from config.kit import acts, receipts
from league.errors import (
    BadChipsError,
    ChipsNotFoundError,
    NotEnteredError,
    NotRunningError,
    RevokedError,
)
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round
from league.queries.locks import lock_competition
from league.services import ledger, notes, tallies
from league.services.notes import NOTHING, Prose

Kind = LedgerRow.Kind
MOST = 20
BY_HAND = (Kind.CHIP, Kind.ADJUSTMENT)
_TAKES = (Competition.State.RUNNING, Competition.State.PAUSED)


class ByHand(NamedTuple):
    """How many chips (below 0: taken) for which entry's player, and why: a code and prose."""

    player_id: int
    chips: int
    reason: str
    prose: Prose = NOTHING


def give(
    competition_id: int, given: ByHand, actor: str, receipt: receipts.Draft | None = None
) -> LedgerRow:
    """Give or take chips. Raises `NotRunningError`, `NotEnteredError`, `BadChipsError`,
    `BadNoteError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return LedgerRow.objects.get(competition=competition, seq=outcome["seq"])
        _require(competition)
        entry = Entry.objects.filter(competition=competition, player=given.player_id).first()
        if entry is None or not PenaltyTally.objects.filter(entry=entry).exists():
            raise NotEnteredError("The player has no entry.")
        if not given.chips or abs(given.chips) > MOST:
            raise BadChipsError(f"From 1 to {MOST}, or taken.", field="chips")
        prose = replace(given.prose, about=entry.player_id)
        body = {"reason": given.reason, **notes.hashed(competition, prose)}
        kind = Kind.CHIP if given.chips > 0 else Kind.ADJUSTMENT
        row = _write(competition, kind, entry.number, given.chips, body)
        target = f"competition:{competition.pk}"
        acts.log(actor, f"{kind}.given", target, entry=entry.number, chips=given.chips)
        receipts.keep(receipt, {"seq": row.seq})
        return row


def revoke(
    competition_id: int, seq: int, actor: str, receipt: receipts.Draft | None = None
) -> LedgerRow:
    """Take back what a row gave or took; what revoked can be revoked too. Raises
    `NotRunningError`, `ChipsNotFoundError`, `RevokedError`, `BadChipsError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return LedgerRow.objects.get(competition=competition, seq=outcome["seq"])
        _require(competition)
        rows = LedgerRow.objects.filter(competition=competition, kind__in=BY_HAND)
        found = rows.filter(seq=seq).first()
        if found is None:
            raise ChipsNotFoundError("No chips by hand have that number.", seq=seq)
        before = rows.filter(seq__gt=seq, body__revokes=seq).first()
        if before is not None:
            raise RevokedError("They were revoked.", by=before.seq)
        body = {"reason": "revoked", "revokes": seq}
        row = _write(competition, Kind.ADJUSTMENT, found.body["entry"], -found.body["chips"], body)
        acts.log(actor, "adjustment.revoked", f"competition:{competition.pk}", seq=seq)
        receipts.keep(receipt, {"seq": row.seq})
        return row


def _write(
    competition: Competition, kind: LedgerRow.Kind, number: int, chips: int, body: dict[str, Any]
) -> LedgerRow:
    facts = {"entry": number, "chips": chips, "round": round_of(competition), **body}
    (row,) = ledger.append(competition, [ledger.Fact(kind, facts)])
    tallies.recompute_inside(competition, write=True)
    if PenaltyTally.objects.get(competition=competition, entry__number=number).chips < 0:
        raise BadChipsError("The entry has not so many.", field="chips")
    return row


def round_of(competition: Competition) -> int:
    """The round before whose deals chips count that are given now."""
    rounds = Round.objects.filter(competition=competition)
    playing = rounds.filter(state=Round.State.PLAYING).values_list("number", flat=True).first()
    return playing if playing is not None else rounds.count() + 1


def _require(competition: Competition) -> None:
    if competition.state not in _TAKES:
        raise NotRunningError(f"It is {competition.state}.", state=competition.state)
