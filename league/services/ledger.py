"""Append to a competition's ledger: numbered without gaps, chained, all under its lock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from config.kit.hub import notify
from league.archive.chain import link
from league.models import Competition, LedgerRow

# News of a ledger: the competition's id, told when its rows are committed.
CHANNEL: Final = "competitions"


@dataclass(frozen=True)
class Fact:
    """A row to be. `body` holds ids and codes only, as JSON."""

    kind: LedgerRow.Kind
    body: Mapping[str, Any]
    table_ref: int | None = None


def append(competition: Competition, facts: Sequence[Fact]) -> list[LedgerRow]:
    """Add `facts` in order. The caller holds the competition's lock; inside its transaction."""
    rows = []
    for fact in facts:
        competition.ledger_seq += 1
        competition.ledger_head = link(
            bytes(competition.ledger_head), competition.ledger_seq, fact.kind, fact.body
        )
        rows.append(
            LedgerRow(
                competition=competition,
                seq=competition.ledger_seq,
                kind=fact.kind,
                body=fact.body,
                table_ref=fact.table_ref,
                hash=competition.ledger_head,
            )
        )
    if rows:
        LedgerRow.objects.bulk_create(rows)
        competition.save(update_fields=["ledger_seq", "ledger_head"])
        notify(CHANNEL, str(competition.pk))
    return rows


def first_broken(competition: Competition) -> int | None:
    """Number of the first row that does not fit the chain or the count; None if all do."""
    head, seq = b"", 0
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    for row in rows.iterator():
        seq += 1
        head = link(head, seq, row.kind, row.body)
        if row.seq != seq or bytes(row.hash) != head:
            return seq
    whole = seq == competition.ledger_seq and head == bytes(competition.ledger_head)
    return None if whole else seq + 1
