"""What a bot's owner is told: rows for page and API, and a mail where he has an address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from bots_api.models import Bot, Notice

# How long one try may take; and when it is given up.
AGAIN: Final = timedelta(minutes=10)
GIVEN_UP: Final = timedelta(days=1)
AT_ONCE: Final = 20
NO_MAIL: Final = "django.core.mail.backends.dummy.EmailBackend"

TEXTS: Final[Mapping[str, str]] = {
    "suspended": "Your bot {name} is suspended: {why}. It keeps its entries; its tables are played "
    "by the house bot lowest until it is back.",
    "restored": "Your bot {name} is back and plays again.",
    "version_frozen": "Entries of competition {competition} have closed with version {frozen} of "
    "your bot {name}, the newest that passed the check; now it answers as {now}. Each turn that "
    "{now} is asked is a fault: run {frozen} until the end.",
}
WHY: Final[Mapping[str, str]] = {
    "silence": "it did not answer three calls in a row",
    "stand_ins": "three games in a row had to be ended by the stand-in",
}


class Mail(NamedTuple):
    """A notice to be mailed."""

    notice_id: int
    address: str
    subject: str
    text: str


def tell(bot: Bot, kind: Notice.Kind, data: Mapping[str, Any]) -> None:
    """Write a notice in the caller's transaction; the sweep mails it."""
    mail_at = Now() if _address(bot) and settings.EMAIL_BACKEND != NO_MAIL else None
    Notice.objects.create(bot=bot, kind=kind, data=dict(data), mail_at=mail_at)


def text(notice: Notice) -> str:
    """What happened, as a sentence or two; `bot.player` should be selected along."""
    data = {**notice.data, "why": WHY.get(notice.data.get("reason", ""), "")}
    return TEXTS[notice.kind].format(name=notice.bot.player.name, **data)


def wire(notice: Notice) -> dict[str, Any]:
    """A notice as its owner sees it."""
    return {
        "id": notice.pk,
        "kind": notice.kind,
        "text": text(notice),
        "facts": notice.data,
        "created_at": notice.created_at,
        "mailed_at": notice.mailed_at,
    }


def due() -> bool:
    """Whether something is to be mailed."""
    return Notice.objects.filter(mail_at__lte=Now()).exists()


def claim() -> list[Mail]:
    """Notices to mail now; who claims them has ten minutes, then they are due again."""
    with transaction.atomic(durable=True):
        Notice.objects.filter(created_at__lt=Now() - GIVEN_UP).filter(~Q(mail_at=None)).update(
            mail_at=None
        )
        due = Notice.objects.filter(mail_at__lte=Now()).select_for_update(
            skip_locked=True, of=["self"]
        )
        rows = list(due.select_related("bot__player__owner__user").order_by("pk")[:AT_ONCE])
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(mail_at=Now() + AGAIN)
    return [
        Mail(row.pk, _address(row.bot), f"Your bot {row.bot.player.name}", text(row))
        for row in rows
    ]


def mailed(notice_id: int) -> None:
    """Note that it was sent."""
    with transaction.atomic(durable=True):
        Notice.objects.filter(pk=notice_id).update(mail_at=None, mailed_at=Now())


def _address(bot: Bot) -> str:
    owner = bot.player.owner
    user = owner.user if owner is not None else None
    return user.email if user is not None else ""
