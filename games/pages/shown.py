"""What the pages of games show, made from the wire objects. Knows no request."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from games.models import Game, Player
from games.pages.choices import Choice, choices
from games.pages.words import PHRASES, event_text, for_script
from games.queries.phrases import phrases
from games.queries.played import DECIDED, Played
from games.queries.views import numbered


def rules(tables: dict[str, Any]) -> dict[str, Any]:
    """The presets as columns of one table, the house rules as a list."""
    presets = tables["presets"]
    names = sorted(presets[0]["options"])
    rows = [(name, [_value(preset["options"][name]) for preset in presets]) for name in names]
    house = [
        (rule["name"], ", ".join(f"{k}: {_value(v)}" for k, v in rule["options"].items()))
        for rule in tables["house_rules"]
    ]
    return {"presets": [preset["name"] for preset in presets], "rows": rows, "house": house}


def table(
    played: Played, wire: dict[str, Any], seat: int | None, player: Player | None, ply: int | None
) -> dict[str, Any]:
    """Everything the page of a table shows."""
    names = _names(wire)
    shown = wire["view"]
    return {
        "game": wire,
        "player": player,
        "own": seat,
        "ready": seat is not None and wire["seats"][seat]["ready"],
        "free": any(one["player"] is None for one in wire["seats"]),
        "seats": _seats(wire, names) if shown else [],
        "choices": choices(wire["legal"], shown) if shown and wire["legal"] else None,
        "events": _events(played, seat, names, ply),
        "loser": _loser(played.row, names),
        "ply": ply,
        "live": played.row.state not in DECIDED,
        "last": _last(played, seat),
        "words": for_script(),
        **_around(played, wire, seat, player),
    }


def _around(
    played: Played, wire: dict[str, Any], seat: int | None, player: Player | None
) -> dict[str, Any]:
    """What may be done beside playing."""
    row, own = played.row, None if seat is None else wire["seats"][seat]
    of_people = row.kind == Game.Kind.EVENTED and row.competition_ref is None and own is not None
    still_in = own is not None and not own["resigned"] and seat not in played.out
    last_seen = row.state == Game.State.OVER
    address = f"{settings.PUBLIC_URL}/j/{wire['join_code']}/"
    return {
        **_phrases(played, wire, player),
        "may_verify": row.deck.gate_open and row.deck.deal_seed is not None and last_seen,
        "invited": player is not None and player.pk in {s.invited_id for s in played.seats},
        "join_address": address,
        "may_resign": of_people and still_in and row.state == Game.State.PLAYING,
        "may_rematch": of_people and row.state == Game.State.OVER,
    }


def _phrases(played: Played, wire: dict[str, Any], player: Player | None) -> dict[str, Any]:
    """What was said, and what can be; nothing for who wants to hear none."""
    muted = player is not None and player.mutes_phrases
    names = _names(wire)
    said = [] if muted else phrases(played.row.pk)
    return {
        "muted": muted,
        "said": [f"{names[one['seat']]}: {PHRASES[one['phrase']]}" for one in said],
        "phrases": [Choice(code, text) for code, text in PHRASES.items()],
    }


def _seats(wire: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    shown = wire["view"]
    return [
        {
            **seat,
            "name": names[index],
            "to_act": index in shown["to_act"],
            "dealer": index == shown["dealer"],
            "hand": shown["hands"][index],
            "up": shown["up"][index],
            "down": shown["down"][index],
            "own": index == shown["seat"],
        }
        for index, seat in enumerate(wire["seats"])
    ]


def _events(
    played: Played, seat: int | None, names: list[str], ply: int | None
) -> list[dict[str, Any]]:
    game = played.shown(seat)
    if game is None:
        return []
    events = numbered(game, seat, story=played.story)
    told = [e for e in events if ply is None or e["ply"] <= ply]
    return [{"ply": e["ply"], "text": event_text(e, names)} for e in reversed(told)]


def _last(played: Played, seat: int | None) -> int | None:
    """The last ply to look back from, None while the game goes on."""
    game = played.shown(seat)
    return game.ply if game is not None and played.row.state in DECIDED else None


def _loser(row: Game, names: list[str]) -> str:
    return ", ".join(names[seat] for seat in row.places[-1]) if row.places else ""


def _names(wire: dict[str, Any]) -> list[str]:
    return [
        seat["player"]["name"] if seat["player"] else f"seat {seat['seat'] + 1}"
        for seat in wire["seats"]
    ]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
