"""Letters to people: their words, and sending them by Django's mail backend. Never raises."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.services.letters import Letter

log = structlog.get_logger(__name__)


def send(letters: Sequence[Letter]) -> int:
    """Send them one by one; returns how many the mail server took."""
    return sum(_send(letter) for letter in letters)


def _send(letter: Letter) -> bool:
    with translation.override(letter.language or settings.LANGUAGE_CODE):
        subject = _("It is your turn, {name}").format(name=letter.name)
        text = _(
            "In your game with {others} it is your turn until {deadline} (UTC).\n\n{address}\n\n"
            "You get one such letter a decision. Your settings stop them; holidays stop the clock."
        ).format(
            others=", ".join(letter.others),
            deadline=date_format(letter.deadline, "DATETIME_FORMAT"),
            address=f"{settings.PUBLIC_URL}/g/{letter.game_id}/",
        )
    try:
        send_mail(subject, text, None, [letter.address])
    except Exception:
        # It was noted as sent: none comes twice, whatever happens at the mail server.
        log.warning("letter_not_sent", game=str(letter.game_id), exc_info=True)
        return False
    return True
