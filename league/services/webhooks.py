"""Webhooks of a competition: made, told of rows in order, replayed, disabled.

A webhook is a place in the ledger. Whoever claims it pushes its due time on, calls outside any
transaction, and notes how it went; a place moves on only when a row was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from config.kit import acts, clock, receipts
from config.kit.egress.addresses import allowance
from config.kit.egress.urls import UrlError, parse
from config.kit.signing import new_seal, secret_of
from league.errors import BadWebhookError, WebhookLimitError, WebhookNotFoundError
from league.models import Delivery, LedgerRow, Webhook
from league.queries.locks import lock_competition

MOST: Final = 10
HOOKS_AT_ONCE: Final = 16
ROWS_AT_ONCE: Final = 50
# Longer than a claimed webhook may take; then somebody else may.
LEASE: Final = timedelta(seconds=60)
PAUSES_S: Final = (5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600)
GIVES_UP_AFTER: Final = timedelta(days=3)
KEPT: Final = timedelta(days=30)
FORGOTTEN_AT_ONCE: Final = 500


class Claimed(NamedTuple):
    """A webhook that is to be called: its rows in order, then what was asked for by hand."""

    webhook: Webhook
    rows: list[LedgerRow]
    queued: list[Delivery]
    until: int


class Went(NamedTuple):
    """How a call went: the status, or a code for why there was none."""

    status: int | None
    fault: str
    took_ms: int

    @property
    def taken(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300


def create(
    competition_id: int,
    url: str,
    events: Sequence[str],
    actor: str,
    receipt: receipts.Draft | None = None,
) -> tuple[Webhook, str | None]:
    """Make a webhook, told from row 1; its secret is told once.

    Raises `BadWebhookError`, `WebhookLimitError`.
    """
    unknown = sorted(set(events) - set(LedgerRow.Kind.values))
    if unknown:
        raise BadWebhookError("There is no such event.", field="events", unknown=unknown)
    try:
        target = str(parse(url, allowance(settings.EGRESS_ALLOW)))
    except UrlError as error:
        raise BadWebhookError(error.reason, field="url") from None
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return get(competition_id, outcome["webhook"]), None
        competition = lock_competition(competition_id)
        if Webhook.objects.filter(competition=competition).count() >= MOST:
            raise WebhookLimitError("The competition has enough webhooks.", limit=MOST)
        made = Webhook.objects.create(
            competition=competition, url=target, events=sorted(set(events)), seal=new_seal()
        )
        acts.log(actor, "webhook.created", f"competition:{competition_id}", webhook=made.pk)
        receipts.keep(receipt, {"webhook": made.pk})
        made.refresh_from_db()
        return made, secret_of(bytes(made.seal))


def get(competition_id: int, webhook_id: int) -> Webhook:
    """One webhook. Raises `WebhookNotFoundError`."""
    found = Webhook.objects.filter(competition=competition_id, pk=webhook_id).first()
    if found is None:
        raise WebhookNotFoundError("There is no such webhook.")
    return found


def remove(competition_id: int, webhook_id: int, actor: str) -> None:
    """Tell it nothing any more; its log goes with it."""
    with transaction.atomic(durable=True):
        get(competition_id, webhook_id).delete()
        acts.log(actor, "webhook.removed", f"competition:{competition_id}", webhook=webhook_id)


def replay(competition_id: int, webhook_id: int, from_seq: int, actor: str) -> Webhook:
    """Tell the rows from that one on again, with the ids they had; enables a disabled one."""
    with transaction.atomic(durable=True):
        hook = get(competition_id, webhook_id)
        Webhook.objects.filter(pk=hook.pk).update(
            next_seq=from_seq, due_at=Now(), failures=0, failing_since=None, disabled_for=""
        )
        acts.log(actor, "webhook.replayed", f"competition:{competition_id}", webhook=webhook_id)
        hook.refresh_from_db()
        return hook


def send_again(competition_id: int, webhook_id: int, delivery_id: int | None) -> Delivery:
    """Queue one delivery again with its id, or a test (None). Raises `WebhookNotFoundError`."""
    with transaction.atomic(durable=True):
        hook = get(competition_id, webhook_id)
        seq = None
        if delivery_id is not None:
            before = hook.deliveries.filter(pk=delivery_id).first()
            if before is None:
                raise WebhookNotFoundError("There is no such delivery.")
            seq = before.seq
        made = Delivery.objects.create(webhook=hook, seq=seq, state=Delivery.State.QUEUED)
        Webhook.objects.filter(pk=hook.pk, failures=0).update(due_at=Now())
        made.refresh_from_db()
        return made


def due() -> bool:
    """Whether any webhook is to be called now."""
    return _due().exists()


def claim() -> list[Claimed]:
    """Webhooks to call now, with what they are to be told; nobody else gets them for a minute."""
    with transaction.atomic(durable=True):
        free = _due().order_by("due_at", "pk").select_for_update(skip_locked=True, of=("self",))
        hooks = list(free[:HOOKS_AT_ONCE])
        Webhook.objects.filter(pk__in=[hook.pk for hook in hooks]).update(due_at=Now() + LEASE)
    return [_claimed(hook) for hook in hooks]


def note(hook: Webhook, seq: int | None, went: Went, queued: Delivery | None = None) -> bool:
    """Write down how one call went; says whether the next row may be told.

    A row that was not taken keeps the webhook where it is, for a pause that grows; after three days
    of nothing else, or at once by 410, it is disabled.
    """
    state = Delivery.State.DELIVERED if went.taken else Delivery.State.FAILED
    told = {"state": state, "status": went.status, "fault": went.fault, "took_ms": went.took_ms}
    with transaction.atomic(durable=True):
        if queued is not None:
            Delivery.objects.filter(pk=queued.pk).update(**told, at=Now())
        else:
            Delivery.objects.create(webhook=hook, seq=seq, **told)
        row = Webhook.objects.select_for_update().get(pk=hook.pk)
        if went.status == 410:
            row.disabled_for = Webhook.Reason.GONE
        elif queued is None and not went.taken:
            _fail(row)
        moved = False
        if queued is None and seq is not None and went.taken:
            # Not if it was sent back to an earlier row meanwhile.
            moved = hook.next_seq <= row.next_seq <= seq
            row.next_seq = seq + 1 if moved else row.next_seq
            row.failures, row.failing_since = 0, None
        row.save()
        return moved


def release(claimed: Claimed) -> None:
    """All was taken: rows that the webhook does not want are passed over, news are due at once."""
    hook = Webhook.objects.filter(pk=claimed.webhook.pk, failures=0)
    passed = hook.filter(next_seq__lte=claimed.until, next_seq__gte=claimed.webhook.next_seq)
    passed.update(next_seq=claimed.until + 1)
    hook.update(due_at=Now())


def forget_old() -> None:
    """Throw away the log of a month ago, some of it at a time: the oldest have the lowest ids."""
    oldest = Delivery.objects.order_by("pk").values("pk")[:FORGOTTEN_AT_ONCE]
    Delivery.objects.filter(pk__in=oldest, at__lt=Now() - KEPT).delete()


def _due() -> QuerySet[Webhook]:
    queued = Delivery.objects.filter(state=Delivery.State.QUEUED).values("webhook")
    news = Q(next_seq__lte=F("competition__ledger_seq")) | Q(pk__in=queued)
    return Webhook.objects.filter(news, disabled_for="", due_at__lte=Now())


def _claimed(hook: Webhook) -> Claimed:
    ahead = LedgerRow.objects.filter(competition=hook.competition_id, seq__gte=hook.next_seq)
    seqs = list(ahead.order_by("seq").values_list("seq", flat=True)[:1000])
    until = seqs[-1] if seqs else hook.next_seq - 1
    wanted = ahead.filter(seq__lte=until)
    if hook.events:
        wanted = wanted.filter(kind__in=hook.events)
    rows = list(wanted.order_by("seq")[:ROWS_AT_ONCE])
    if len(rows) == ROWS_AT_ONCE:
        until = rows[-1].seq
    queued = hook.deliveries.filter(state=Delivery.State.QUEUED).order_by("pk")
    return Claimed(hook, rows, list(queued[:ROWS_AT_ONCE]), until)


def _fail(row: Webhook) -> None:
    now = clock.now()
    row.failing_since = row.failing_since or now
    row.due_at = now + timedelta(seconds=PAUSES_S[min(row.failures, len(PAUSES_S) - 1)])
    row.failures += 1
    if now - row.failing_since >= GIVES_UP_AFTER:
        row.disabled_for = Webhook.Reason.UNREACHABLE


def row_of(delivery: Delivery) -> LedgerRow | None:
    """The row that a delivery told; None for a test."""
    if delivery.seq is None:
        return None
    rows = LedgerRow.objects.filter(competition=delivery.webhook.competition_id)
    return rows.filter(seq=delivery.seq).first()


def secret(hook: Webhook) -> str:
    """What its calls are signed with."""
    return secret_of(bytes(hook.seal))


def message_id(hook: Webhook, seq: int | None, queued: Delivery | None) -> str:
    """The same for a row however often it is sent; a test has one of its own."""
    if seq is None and queued is not None:
        return f"msg_test_{hook.pk}_{queued.pk}"
    return f"msg_{hook.competition_id}_{hook.pk}_{seq}"


def wire(document: dict[str, Any]) -> dict[str, Any]:
    """The body of a call: the row as stream and export have it, with type and time in front."""
    return {"type": document["event"], "timestamp": document["at"], "data": document}
