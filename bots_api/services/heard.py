"""What the service has heard of bots: versions, answers, faults, our own stalls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now

from bots_api import queries
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
    """Store a fault in the caller's transaction; a second one of the same turn is not.

    Locks nothing of the bot: that transaction may hold games of many bots.
    """
    bot = Bot.objects.filter(pk=bot_id).annotate(away=queries.away()).get()
    row = Fault(
        bot_id=bot_id,
        version_id=bot.version_id,
        kind=kind,
        evidence=storable(evidence),
        outage=bot.recoveries,
        away=bot.away,
        **turn._asdict(),
    )
    Fault.objects.bulk_create([row], ignore_conflicts=True)


def answered(bot_id: int, counts: Sequence[int], since_s: float) -> None:
    """Add sound answers to the figures of the version that speaks now; the last one came
    `since_s` seconds ago, and ends an outage that began before."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_PACE, [list(counts), bot_id])
        cursor.execute(_RECOVERED, [bot_id, since_s])


_PACE = """
    INSERT INTO bots_api_pace AS kept (version_id, counts)
    SELECT version_id, %s::bigint[] FROM bots_api_bot WHERE id = %s AND version_id IS NOT NULL
    ON CONFLICT (version_id) DO UPDATE SET counts = ARRAY(
        SELECT old + new FROM unnest(kept.counts, excluded.counts)
        WITH ORDINALITY AS both_ (old, new, place) ORDER BY place
    )
"""
_RECOVERED = """
    UPDATE bots_api_bot AS bot SET recoveries = recoveries + 1
    WHERE bot.id = %s AND EXISTS (
        SELECT 1 FROM bots_api_fault AS fault
        WHERE fault.bot_id = bot.id AND fault.outage = bot.recoveries
            AND fault.at < clock_timestamp() - make_interval(secs => %s)
    )
"""


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
