"""The words of a league's letters, and sending them by Django's mail backend. Never raises.

Each has the headers of one-click unsubscription (RFC 8058); the address in them is signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.utils import translation
from django.utils.translation import gettext as _

from league import polite
from league.models import Letter
from league.services import letters
from league.services.letters import Claimed

log = structlog.get_logger(__name__)
SALT: Final = "league.letters"


class Words(NamedTuple):
    """A letter's subject, its text, and what it tells in one word."""

    subject: str
    text: str


def send(claimed: Sequence[Claimed]) -> int:
    """Send them one by one; how many the mail server took."""
    refused = [one.letter for one in claimed if not _send(one)]
    letters.refused(refused)
    return len(claimed) - len(refused)


def unsubscribe_address(player_id: int, event: str) -> str:
    """Where this kind of letter is declined with one click, without logging in."""
    token = signing.dumps([player_id, event], salt=SALT)
    return f"{settings.PUBLIC_URL}/mail/{token}/"


def meant(token: str) -> tuple[int, str] | None:
    """Whom and which kind an address means; None for one that we have not made."""
    try:
        player_id, event = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return int(player_id), str(event)


def _send(claimed: Claimed) -> bool:
    letter = claimed.letter
    address = unsubscribe_address(letter.player_id, letter.event)
    with translation.override(claimed.language or settings.LANGUAGE_CODE):
        words = _words(claimed)
        text = _("{text}\n\n{link}\n\nNo more letters of this kind: {address}").format(
            text=words.text,
            link=f"{settings.PUBLIC_URL}/l/{claimed.slug}/",
            address=address,
        )
    say = polite.text if claimed.polite else str
    headers = {
        "List-Unsubscribe": f"<{address}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Message-ID": f"<letter-{letter.pk}@{settings.PUBLIC_URL.split('//')[-1] or 'localhost'}>",
    }
    subject = " ".join(say(words.subject).split())
    try:
        EmailMessage(subject, say(text), None, [claimed.address], headers=headers).send()
    except Exception:
        log.warning("letter_not_sent", letter=letter.pk, exc_info=True)
        return False
    return True


def _words(claimed: Claimed) -> Words:
    about = claimed.letter.about
    told = {
        "league": claimed.league,
        "club": claimed.club,
        "round": about.get("round"),
        "table": about.get("table"),
        "deal": about.get("deal"),
        "others": ", ".join(claimed.with_),
    }
    subject, text = _SAID[Letter.Event(claimed.letter.event)]
    return Words(_(subject).format(**told), _(text).format(**told))


_SAID: Final = {
    Letter.Event.SEATED: (
        "{league}: you sit at table {table}",
        "Round {round} of {league} ({club}) is seated. You sit at table {table} with {others}.",
    ),
    Letter.Event.CONFIRM: (
        "{league}: a result needs to be confirmed",
        "At table {table} of round {round}, deal {deal}, a result was reported. If you sat there "
        "and it is right, confirm it; if it is not, object.",
    ),
    Letter.Event.DISPUTED: (
        "{league}: a result is disputed",
        "Two of table {table}, round {round}, say different things of deal {deal}. It counts "
        "nowhere until an organiser has decided.",
    ),
    Letter.Event.CORRECTED: (
        "{league}: a result was corrected",
        "The result of deal {deal} at table {table} of round {round} was changed by an organiser.",
    ),
    Letter.Event.FINISHED: (
        "{league} is over",
        "The season of {league} ({club}) is over. These are the standings:",
    ),
}
