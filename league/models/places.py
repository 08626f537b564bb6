"""Places of a club that have a code for good, and devices that speak for a seat."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from league.models.clubs import Club
from league.models.competitions import Entry
from league.models.rounds import Table


class Place(models.Model):
    """“Table 2 of the club”: its code is printed once and finds who sits there now."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="places")
    number = models.SmallIntegerField()
    code = models.CharField(max_length=12, unique=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "number"], name="place_once_per_club")
        ]

    def __str__(self) -> str:
        return f"{self.club_id}/{self.number}"


class TableDevice(models.Model):
    """The seat that a device speaks for at a table: one, and for good once it has entered.

    So nobody confirms from one phone what he has reported from it. `device` is a SHA-256.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="devices")
    device = models.BinaryField(max_length=32)
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    has_entered = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "device"], name="device_once_per_table")
        ]
        indexes: ClassVar = [models.Index(fields=["device", "id"], name="device_by_time")]

    def __str__(self) -> str:
        return f"{self.table_id} speaks for {self.entry_id}"
