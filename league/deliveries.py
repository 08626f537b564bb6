"""Calls of webhooks: signed, through the one outgoing client, each receiver on its own way."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from config.kit.egress.client import Budget, Egress, Outgoing, configured
from config.kit.egress.results import Call
from config.kit.signing import SecretLostError, signed
from config.kit.threads import Readers
from config.kit.wire import dumps
from league.models import Delivery, LedgerRow, Webhook
from league.queries import documents
from league.services import webhooks
from league.services.webhooks import Claimed, Went

BUDGET: Final = Budget(total_s=5.0, answer_s=5.0)
# How long one claim may call; what is left is due again at once.
LONGEST_S: Final = 20.0


def deliver(claimed: list[Claimed]) -> None:
    """Call all of them side by side: who does not answer holds up nobody but himself."""
    asyncio.run(_deliver(claimed))


async def _deliver(claimed: list[Claimed]) -> None:
    client, readers = configured(), Readers(4)
    try:
        await asyncio.gather(*(_one(one, client, readers) for one in claimed))
    finally:
        await client.close()
        await readers.close()


async def _one(claimed: Claimed, client: Egress, readers: Readers) -> None:
    until = time.monotonic() + LONGEST_S
    for queued in claimed.queued:
        row = await readers.run(webhooks.row_of, queued)
        went = await _call(claimed.webhook, row, queued, client)
        await readers.run(webhooks.note, claimed.webhook, queued.seq, went, queued)
    for row in claimed.rows:
        if time.monotonic() > until:
            return
        went = await _call(claimed.webhook, row, None, client)
        if not await readers.run(webhooks.note, claimed.webhook, row.seq, went):
            return
    await readers.run(webhooks.release, claimed)


async def _call(
    hook: Webhook, row: LedgerRow | None, queued: Delivery | None, client: Egress
) -> Went:
    began = time.monotonic()
    seq = None if row is None else row.seq
    told = {"type": "test", "timestamp": None, "data": {"competition": hook.competition_id}}
    if row is not None:
        told = webhooks.wire(dict(documents.ledger_row(row)))
    body = dumps(told)
    try:
        headers = signed([webhooks.secret(hook)], webhooks.message_id(hook, seq, queued), body)
    except SecretLostError:
        return Went(None, "secret_lost", 0)
    headers["content-type"] = "application/json"
    answer = await client.call(hook.url, Outgoing("POST", headers, body), BUDGET)
    took_ms = int(1000 * (time.monotonic() - began))
    if isinstance(answer, Call):
        return Went(answer.status, "", took_ms)
    return Went(None, answer.kind.value, took_ms)
