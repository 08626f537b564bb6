"""What the service has heard of bots: versions, faults, our own stalls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from bots_api.models import Bot, BotVersion, Fault, Stall
from games.agents import Turn


class AskedTurn(NamedTuple):
    """Which decision of which game it was about."""

    game_ref: UUID
    seat: int
    move_number: int

    @classmethod
    def of(cls, turn: Turn) -> Self:
        """The decision of a turn."""
        return cls(turn.game_id, turn.seat, turn.move_number)


def handshake(bot_id: int, said: Mapping[str, Any]) -> None:
    """Note a bot's answer to a handshake; a new version string makes a new version."""
    with transaction.atomic(durable=True):
        note_handshake(bot_id, said)


def note_handshake(bot_id: int, said: Mapping[str, Any]) -> None:
    """`handshake` for a service that has a transaction open."""
    version, _ = BotVersion.objects.get_or_create(
        bot_id=bot_id, version=said["version"], defaults={"handshake": dict(said)}
    )
    changes: dict[str, Any] = {"version": version, "answered_at": Now()}
    if said.get("concurrency"):
        changes["concurrency"] = said["concurrency"]
    Bot.objects.filter(pk=bot_id).update(**changes)


def fault(bot_id: int, turn: AskedTurn, kind: Fault.Kind, evidence: Mapping[str, Any]) -> None:
    """Store a fault in the caller's transaction; a second one of the same turn is not."""
    version = Bot.objects.filter(pk=bot_id).values_list("version_id", flat=True).first()
    row = Fault(
        bot_id=bot_id, version_id=version, kind=kind, evidence=storable(evidence), **turn._asdict()
    )
    Fault.objects.bulk_create([row], ignore_conflicts=True)


def stall(bot_id: int, turn: AskedTurn, evidence: Mapping[str, Any]) -> None:
    """Store that a turn is asked again because the delay was ours."""
    with transaction.atomic(durable=True):
        Stall.objects.create(bot_id=bot_id, evidence=storable(evidence), **turn._asdict())


def storable(value: Any) -> Any:
    """Evidence as PostgreSQL's JSON takes it: NUL and half a surrogate pair in readable form.

    >>> storable({"content_type": "a/\\udcff", "body": ["\\0"]})
    {'content_type': 'a/\\\\udcff', 'body': ['\\\\x00']}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
    if isinstance(value, Mapping):
        return {storable(key): storable(part) for key, part in value.items()}
    return [storable(part) for part in value] if isinstance(value, list | tuple) else value
