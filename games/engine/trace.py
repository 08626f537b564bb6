"""Traces: what a record does, line by line (records.md). Text in, JSON objects out; no files."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.engine.cards import CARDS, RANKS, card_text, rank_of, texts
from games.engine.errors import IllegalAction, MalformedRecord
from games.engine.events import Event, trace_text
from games.engine.game import NOBODY, Game
from games.engine.record import Record, parse_record, play_entry, read_json, values
from games.engine.rules import packs_needed


def trace_lines(text: str) -> Iterator[dict[str, Any]]:
    """The trace of one record, or of one a line: a line for the deal, then one for each entry."""
    for value in values(text):
        try:
            record = parse_record(read_json(value))
        except MalformedRecord as error:
            yield {"error": error.code, "detail": error.detail}
        else:
            yield from trace_record(record)


def trace_record(record: Record) -> Iterator[dict[str, Any]]:
    """The trace of a record that could be read."""
    game = record.game()
    story: list[Event] = []
    game.story = story
    notice = packs_needed(game.rules, game.players)[1]
    yield _line(game, None, ["second_deck_needed"] if notice else [])
    for entry in record.actions:
        told = len(story)
        try:
            play_entry(game, entry)
        except IllegalAction as error:
            yield {"ply": game.ply, "action": entry, "error": error.code}
        else:
            yield _line(game, entry, [trace_text(event) for event in story[told:]])


def lists(groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """Groups of seats as JSON."""
    return [list(group) for group in groups]


def _line(game: Game, entry: str | None, events: list[str]) -> dict[str, Any]:
    return {
        "ply": game.ply,
        "action": entry,
        "phase": game.phase.value,
        "to_act": list(game.to_act()),
        "turn": None if game.turn == NOBODY else game.turn,
        "pile": [card for lay in game.pile for card in texts(lay & CARDS)],
        "claims": _claims(game) if game.rules.bluff else None,
        "stock": game.stock,
        "hands": [texts(hand) for hand in game.hands],
        "up": [texts(row) for row in game.ups],
        "down": [_down(game, seat) for seat in range(game.players)],
        "out": lists(game.places),
        "fallen": game.fallen.bit_count(),
        "events": events,
        "legal": {str(seat): game.legal(seat) for seat in game.to_act()},
    }


def _claims(game: Game) -> list[str]:
    """The named rank of each card on the pile; the real one of cards laid openly."""
    named = [(lay & 0xF or rank_of(lay), (lay & CARDS).bit_count()) for lay in game.pile]
    return [RANKS[rank] for rank, count in named for _ in range(count)]


def _down(game: Game, seat: int) -> list[str | None]:
    slots = game.downs[seat].to_bytes(game.rules.face_down, "little")
    return [card_text(card) if card else None for card in slots]
