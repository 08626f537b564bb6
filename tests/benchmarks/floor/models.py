"""A board that is kept as one JSON document, and a log of its moves."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models


class Board(models.Model):
    """3 kB of state."""

    objects: ClassVar[models.Manager[Board]]
    state: models.JSONField[Any, Any] = models.JSONField()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return str(self.pk)


class Move(models.Model):
    """One row a move."""

    objects: ClassVar[models.Manager[Move]]
    board = models.ForeignKey(Board, models.CASCADE)
    number = models.IntegerField()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return f"{self.board}/{self.number}"
