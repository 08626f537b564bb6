"""Notes of organisers: written beside a ledger row, which holds their salted hash, and erased.

What is erased is gone; the row that refers to it stays as it was.
"""

import hashlib
import os
from dataclasses import dataclass

from django.db import transaction

from config.kit import acts, clock, names, receipts
from league.errors import BadNoteError, NoteNotFoundError
from league.models import Competition, Note
from league.queries.locks import lock_competition

LONGEST = 500


@dataclass(frozen=True)
class Prose:
    """What somebody wrote, if anything, and whom it is about."""

    text: str = ""
    author: int | None = None
    about: int | None = None


NOTHING = Prose()


def hashed(competition: Competition, prose: Prose) -> dict[str, str]:
    """Keep the prose; what the ledger row takes in of it: `note`, or nothing. The caller holds the
    lock. Raises `BadNoteError`."""
    if not prose.text:
        return {}
    try:
        text = names.checked(prose.text, LONGEST)
    except names.BadNameError as error:
        raise BadNoteError(f"A note is one line of 2 to {LONGEST} characters.") from error
    salt = os.urandom(16)
    note = Note.objects.create(
        competition=competition,
        hash=hashlib.sha256(salt + text.encode()).digest(),
        salt=salt,
        text=text,
        author_id=prose.author,
        about_id=prose.about,
    )
    return {"note": bytes(note.hash).hex()}


def erase(
    competition_id: int, note_id: int, actor: str, receipt: receipts.Draft | None = None
) -> None:
    """Erase a note; again changes nothing. Raises `NoteNotFoundError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if receipts.repeated(receipt) is not None:
            return
        note = Note.objects.filter(competition=competition, pk=note_id).first()
        if note is None:
            raise NoteNotFoundError("There is no such note.")
        if note.erased_at is None:
            _wipe([note])
            acts.log(actor, "note.erased", f"competition:{competition.pk}", note=note.pk)
        receipts.keep(receipt, {})


def erase_about(player_id: int, actor: str) -> int:
    """Erase what was written about a player, everywhere; says how many notes that were. For a
    service that has a transaction open and takes his name away."""
    rows = Note.objects.filter(about=player_id, erased_at=None).select_for_update()
    found = list(rows.order_by("pk"))
    _wipe(found)
    if found:
        acts.log(actor, "note.erased", f"player:{player_id}", notes=[n.pk for n in found])
    return len(found)


def _wipe(notes: list[Note]) -> None:
    now = clock.now()
    for note in notes:
        note.text, note.salt, note.erased_at = "", b"", now
    Note.objects.bulk_update(notes, ["text", "salt", "erased_at"])
