"""What the processes that ask bots have under way; worth nothing a few seconds later."""

from typing import ClassVar

from django.db import models


class Traffic(models.Model):
    """One process's turns: out at bots, and waiting for a bot to have room for one more.

    Written each second while there is something; a row that is old is of a process that is gone.
    """

    process = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()
    # {"17": [out, waiting], ...} by bot; those of bots that connect out are rows of their own.
    turns = models.JSONField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["at"], name="traffic_by_time")]

    def __str__(self) -> str:
        return self.process
