"""Bots and faults as JSON: what everybody may know, and what the owner alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from bots_api.models import Bot, CheckReport, Fault
from bots_api.queries import PRESENT
from games.queries.objects import player_wire


def bot(row: Bot, viewer_id: int | None) -> dict[str, Any]:
    """A bot; where it lives is its owner's to know."""
    owner = row.player.owner
    assert owner is not None
    mine = viewer_id in (owner.pk, row.player_id)
    return {
        "id": row.pk,
        "player": player_wire(row.player),
        "owner": player_wire(owner),
        "state": row.state,
        "transport": row.transport,
        "url": row.url if mine else None,
        "description": row.description,
        "presets": row.presets,
        "concurrency": row.concurrency,
        "accepts": row.accepts["kind"],
        "version": row.version.version if row.version else None,
        "presence": presence(row),
        "answered_at": row.answered_at,
        "created_at": row.created_at,
    }


def presence(row: Bot) -> str | None:
    """`here` or `away` for a bot that connects out; None for one that is called."""
    if row.transport != Bot.Transport.PULL:
        return None
    # By this process's clock: a second more or less changes nothing here.
    recent = row.seen_at is not None and datetime.now(UTC) - row.seen_at < PRESENT
    return "here" if recent else "away"


def check(row: CheckReport, mine: bool) -> dict[str, Any]:
    """A check's report; what was sent where is its owner's to know."""
    steps = row.steps if mine else [{**step, "asked": ""} for step in row.steps]
    return {
        "id": row.pk,
        "state": row.state,
        "version": row.version.version if row.version else None,
        "steps": steps,
        "p50_ms": row.p50_ms,
        "p95_ms": row.p95_ms,
        "created_at": row.created_at,
        "finished_at": row.finished_at,
    }


def fault(row: Fault) -> dict[str, Any]:
    """A fault with its evidence."""
    return {
        "id": row.pk,
        "version": row.version.version if row.version else None,
        "game": str(row.game_ref),
        "seat": row.seat,
        "move_number": row.move_number,
        "kind": row.kind,
        "at": row.at,
        "evidence": row.evidence,
    }
