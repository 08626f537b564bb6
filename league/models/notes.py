"""Notes: what organisers wrote, apart from the ledger, so that it can be erased."""

from django.db import models
from django.db.models.functions import Now

from games.models import Player
from league.models.competitions import Competition


class Note(models.Model):
    """Prose to a row of the ledger, which holds `hash` = SHA-256(salt || text) alone.

    Erased, text and salt are gone: the chain holds, and nobody can try out what was written.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="notes")
    hash = models.BinaryField(max_length=32)
    salt = models.BinaryField(max_length=16)
    text = models.CharField(max_length=1000)
    author = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    # Whom it is about: it goes when that player's name goes.
    about = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="notes_about")
    created_at = models.DateTimeField(db_default=Now())
    erased_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.competition_id}/{self.pk}"
