"""Bots and faults as JSON: what everybody may know, and what the owner alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bots_api import pace
from bots_api.models import Bot, BotVersion, CheckReport, Fault, Sparring
from bots_api.queries import PRESENT
from bots_api.queries import versions as version_queries
from bots_api.queries.places import place_of
from bots_api.queries.traffic import Queue, queues
from bots_api.queries.versions import Figures
from games.models import Game, Seat
from games.queries.objects import player_wire


def bots(rows: Sequence[Bot], viewer_id: int | None) -> list[dict[str, Any]]:
    """Bots as one who looks may see them: the same number of queries for any number of them."""
    busy = queues([row.pk for row in rows])
    return [_bot(row, viewer_id, busy[row.pk]) for row in rows]


def bot(row: Bot, viewer_id: int | None) -> dict[str, Any]:
    """One of them."""
    return bots([row], viewer_id)[0]


def _bot(row: Bot, viewer_id: int | None, queue: Queue) -> dict[str, Any]:
    """Where it lives is its owner's to know."""
    owner = row.player.owner
    assert owner is not None
    mine = viewer_id in (owner.pk, row.player_id)
    return {
        "id": row.pk,
        "player": player_wire(row.player),
        "owner": player_wire(owner),
        "state": row.state,
        "suspended_for": row.suspended_for or None,
        "transport": row.transport,
        "url": row.url if mine else None,
        "description": row.description,
        "presets": row.presets,
        "concurrency": row.concurrency,
        "queue": queue._asdict(),
        "accepts": _accepts(row.accepts),
        "version": row.version.version if row.version else None,
        "presence": presence(row),
        "answered_at": row.answered_at,
        "created_at": row.created_at,
    }


def _accepts(kept: Mapping[str, Any]) -> dict[str, Any]:
    """In one order, whatever order the database keeps."""
    hours = kept["hours"]
    shown = {name: hours[name] for name in ("from", "to", "zone")} if hours else None
    return {"who": kept["who"], "casual": kept["casual"], "hours": shown}


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
        "outage": row.outage,
        "away": row.away,
        "at": row.at,
        "test": f"/api/v1/bots/{row.bot_id}/faults/{row.pk}/test.py",
        "evidence": row.evidence,
    }


def figures(found: Figures) -> dict[str, Any]:
    """How a version or a bot has done; buckets of the histogram that hold something."""
    edges: list[int | None] = [*pace.EDGES_MS, None]
    return {
        "games": found.games,
        "stand_ins": found.stand_ins,
        "faults": found.faults,
        "answers": found.answers,
        "p50_ms": found.p50_ms,
        "p95_ms": found.p95_ms,
        "latency": [
            {"below_ms": edge, "answers": count}
            for edge, count in zip(edges, found.counts, strict=True)
            if count
        ],
    }


def versions(rows: Sequence[BotVersion]) -> list[dict[str, Any]]:
    """Versions with their figures: the same number of queries for any number of them."""
    pks = [row.pk for row in rows]
    found, sound = version_queries.figures(pks), version_queries.passed(pks)
    return [
        {
            "version": row.version,
            "author": row.handshake.get("author", ""),
            "presets": row.handshake.get("presets", []),
            "passed_check": row.pk in sound,
            "created_at": row.created_at,
            "figures": figures(found[row.pk]),
        }
        for row in rows
    ]


def sparrings(rows: Sequence[Sparring]) -> list[dict[str, Any]]:
    """Sparring games with how they stand."""
    games = Game.objects.in_bulk([row.game_ref for row in rows])
    seats = Seat.objects.filter(game__in=games.values())
    sitting = {(seat.game_id, seat.index): seat for seat in seats}
    return [
        _sparring(row, games[row.game_ref], sitting[row.game_ref, row.seat])
        for row in rows
        if row.game_ref in games
    ]


def _sparring(row: Sparring, game: Game, seat: Seat) -> dict[str, Any]:
    return {
        "id": row.pk,
        "game": str(game.pk),
        "seat": row.seat,
        "preset": row.preset,
        "state": game.state,
        "place": place_of(game.places, row.seat) if game.places else None,
        "ending": game.ending or None,
        "faults": seat.faults,
        "stand_in": seat.stand_in_at is not None,
        "created_at": row.created_at,
    }
