"""Records of finished games: one compact row each, inserted once.

Owns what is copied from where; a record is never changed. Works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from config.kit.ids import uuid7
from games import engine
from games.models import Game, GameRecord
from games.models.records import pack


class HouseGame(NamedTuple):
    """A game that was played in memory, with what its table knows of it."""

    rules_id: int
    rated: bool
    competition_ref: int
    table_ref: int
    round_number: int
    table_number: int
    deal_number: int
    redeal: int
    players: Sequence[int]
    game: engine.Game
    actions: bytes
    head: bytes
    ended_at: datetime


def insert(ended: Iterable[Game]) -> None:
    """Insert the records of games that are over; `seats` should be fetched along."""
    GameRecord.objects.bulk_create([record_of(game) for game in ended])


def record_of(game: Game) -> GameRecord:
    """The record of a live row that is over."""
    assert game.ended_at is not None
    seats = sorted(game.seats.all(), key=lambda seat: seat.index)
    return GameRecord(
        id=game.id,
        rules_id=game.rules_id,
        deck_id=game.deck_id,
        rated=game.rated,
        competition_ref=game.competition_ref,
        table_ref=game.table_ref,
        round_number=game.round_number,
        table_number=game.table_number,
        deal_number=game.deal_number,
        redeal=game.redeal,
        dealer=game.dealer,
        players=[seat.player_id for seat in seats],
        places=place_bytes(game.places, game.players),
        ending=game.ending,
        resigned=game.resigned,
        packed=pack(bytes(game.actions)),
        at_ms=bytes(game.at_ms),
        by=bytes(game.by),
        head=bytes(game.head),
        visibility=None if game.visibility == Game.Visibility.PUBLIC else game.visibility,
        started_at=game.started_at,
        ended_at=game.ended_at,
    )


def house_record(played: HouseGame) -> GameRecord:
    """The record of a game between house bots: no times, and the pack is found by its path."""
    game = played.game
    return GameRecord(
        id=uuid7(),
        rules_id=played.rules_id,
        rated=played.rated,
        competition_ref=played.competition_ref,
        table_ref=played.table_ref,
        round_number=played.round_number,
        table_number=played.table_number,
        deal_number=played.deal_number,
        redeal=played.redeal,
        dealer=game.dealer,
        players=list(played.players),
        places=place_bytes(game.places, game.players),
        ending=str(game.ending),
        packed=pack(played.actions),
        head=played.head,
        ended_at=played.ended_at,
    )


def place_bytes(places: Iterable[Iterable[int]] | None, players: int) -> bytes:
    """The place of each seat from 1, one byte a seat; shared places are equal.

    >>> list(place_bytes([[2], [0, 1]], 3))
    [2, 2, 1]
    """
    found = bytearray(players)
    place = 1
    for group in places or ():
        seats = list(group)
        for seat in seats:
            found[seat] = place
        place += len(seats)
    return bytes(found)
