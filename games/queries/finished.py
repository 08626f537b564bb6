"""Games of which only the record is left, or was ever there: read as if they had a row."""

from __future__ import annotations

from uuid import UUID

from config.kit import quick
from config.kit.columns import Columns
from games.engine import count_actions
from games.models import By, Deck, Game, GameRecord, Player, Seat
from games.queries.house import house_deck
from games.queries.rules_cards import card_by_id

_RECORD, _DECK = Columns(GameRecord, "t"), Columns(Deck, "d")
_READ = f"""
    SELECT {_RECORD.sql}, {_DECK.sql}
    FROM games_gamerecord t
    LEFT JOIN games_deck d ON d.id = t.deck_id
    WHERE t.id = %s
"""  # noqa: S608 - names of columns


def finished_game(game_id: UUID, viewer_id: int | None) -> tuple[Game, list[Seat]] | None:
    """Row and seats of a recorded game, unsaved; None if there is none that this viewer may see.

    Who may see a private game is for the caller to say.
    """
    record = recorded(game_id)
    if record is None:
        return None
    deck = record.deck or house_deck(record, viewer_id)
    return None if deck is None else (row_of(record, deck), _seats(record))


def recorded(game_id: UUID) -> GameRecord | None:
    """A record with its rules and its deck, None for that of a house game; one statement
    once the process knows the card."""
    found = quick.rows(_READ, [game_id])
    if not found:
        return None
    values = iter(found[0])
    record = _RECORD.read(values)
    record.rules = card_by_id(record.rules_id)
    record.deck = _DECK.read(values) if record.deck_id is not None else None
    return record


def row_of(record: GameRecord, deck: Deck) -> Game:
    """The row as it stood at the end, without what only a running game needs."""
    of_people = record.deck_id is not None and record.competition_ref is None
    row = Game(
        id=record.id,
        kind=Game.Kind.EVENTED if of_people else Game.Kind.DRIVEN,
        state=Game.State.OVER,
        visibility=record.visibility or Game.Visibility.PUBLIC,
        rated=record.rated,
        rules=record.rules,
        deck=deck,
        players=len(record.players),
        dealer=record.dealer,
        competition_ref=record.competition_ref,
        table_ref=record.table_ref,
        actions=record.log,
        at_ms=bytes(record.at_ms or b""),
        head=record.head,
        ending=record.ending,
        resigned=record.resigned,
        move_ms=0,
        bank_ms=0,
        created_at=record.made_at,
        started_at=record.started_at or record.ended_at,
        ended_at=record.ended_at,
    )
    row.ply, row.places = count_actions(bytes(row.actions)), groups(bytes(record.places))
    row.by = bytes(record.by or bytes((By.SEAT,)) * row.ply)
    return row


def groups(places: bytes) -> list[list[int]]:
    """The finishing order that the places of the seats tell.

    >>> groups(bytes((2, 2, 1)))
    [[2], [0, 1]]
    """
    return [[s for s, at in enumerate(places) if at == place] for place in sorted(set(places))]


def _seats(record: GameRecord) -> list[Seat]:
    known = Player.objects.in_bulk(set(record.players))
    gone = {seat for seat, _ in record.resigned or []}
    return [
        Seat(
            index=index,
            player=known[pk],
            agent_ref=known[pk].agent_ref,
            ready_at=record.ended_at,
            stand_in_at=record.ended_at if index in gone else None,
            resigned_at=record.ended_at if index in gone else None,
        )
        for index, pk in enumerate(record.players)
    ]
