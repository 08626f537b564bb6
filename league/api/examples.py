"""Examples of the API's description: one small knockout."""

from __future__ import annotations

from typing import Any, Final

Wire = dict[str, Any]

CLUB: Final[Wire] = {
    "slug": "kulma",
    "name": "Kahvila Kulma",
    "private": False,
    "zone": "Europe/Helsinki",
    "polite": False,
    "created_at": "2026-11-29T17:00:00Z",
}
MEMBER: Final[Wire] = {
    "player": {"id": 31, "name": "Aino", "kind": "guest"},
    "role": "member",
    "nickname": "",
    "since": "2026-11-29T17:00:00Z",
    "looks_like": [],
}
MERGE: Final[Wire] = {
    "id": 3,
    "gone": {"id": 31, "name": "Aino", "kind": "guest"},
    "kept": {"id": 12, "name": "Aino Aalto", "kind": "person"},
    "entries": 1,
    "undone_at": None,
}
PLACE: Final[Wire] = {
    "number": 2,
    "code": "K7QF2M9XAB",
    "url": "https://example.org/t/K7QF2M9XAB/",
}
LINK: Final[Wire] = {
    "role": "organiser",
    "created_at": "2026-11-29T17:00:00Z",
    "opened_at": None,
}
NEW_LINK: Final[Wire] = {
    "club": "kulma",
    **LINK,
    "url": "https://example.org/k/…/",
    "recovery_code": "K7QF-2M9X-ABCD-0123",
}
SETTINGS: Final[Wire] = {"table_size": 3, "advance": 1, "deals_per_table": 4}
COMPETITION: Final[Wire] = {
    "id": 7,
    "slug": "kulman-kymppi-1f2e3d4c",
    "name": "Kulman kymppi",
    "club": "kulma",
    "kind": "tournament",
    "format": "knockout",
    "state": "running",
    "rules": {"preset": "table", "options": {}, "hash": "5f7b0d8a2c11"},
    "settings": SETTINGS,
    "move_ms": 1000,
    "bank_ms": 30000,
    "reproducible": False,
    "rehearsal": False,
    "commitment": "9f0c…",
    "secret": None,
    "starts_at": "2026-11-29T17:00:00Z",
    "zone": "Europe/Helsinki",
    "checkin_opens_at": "2026-11-29T16:30:00Z",
    "started_at": "2026-11-29T17:00:01Z",
    "finished_at": None,
    "ledger_seq": 14,
}
KETTU: Final[Wire] = {"id": 12, "name": "Kettu", "kind": "bot"}
LEMPI: Final[Wire] = {"id": 5, "name": "Lempi", "kind": "house"}
ENTRY: Final[Wire] = {
    "number": 1,
    "player": KETTU,
    "state": "entered",
    "seed": 3,
    "place": None,
    "version": "1.4.2",
    "substitute": None,
    "checked_in_at": "2026-11-29T16:41:07Z",
}
TABLE: Final[Wire] = {
    "round": 1,
    "number": 2,
    "kind": "driven",
    "state": "playing",
    "quarantined": False,
    "deals_planned": 4,
    "deals_done": 1,
    "advance": 1,
    "seats": [
        {"entry": 1, "player": KETTU, "place": None, "through": None},
        {"entry": 2, "player": LEMPI, "place": None, "through": None},
    ],
    "game": "01923456-789a-7bcd-8ef0-123456789abc",
    "ply": 31,
}
DEAL: Final[Wire] = {
    "number": 1,
    "redeal": 0,
    "seats": [2, 1],
    "dealer": 1,
    "state": "over",
    "ending": "over",
    "places": [[1], [2]],
    "counts": True,
    "game": "01923456-789a-7bcd-8ef0-123456789abc",
    "links": {"record": "/api/v1/games/01923456-789a-7bcd-8ef0-123456789abc/record"},
}
ROUND: Final[Wire] = {
    "number": 1,
    "state": "playing",
    "draw": {"forbidden": 0, "same_owner": 0, "repeats": 0, "proof": "free"},
    "created_at": "2026-11-29T17:00:01Z",
    "closed_at": None,
    "tables": [TABLE],
}
STANDING: Final[Wire] = {
    "rank": 1,
    "entry": 1,
    "player": KETTU,
    "state": "entered",
    "place": None,
    "chips": 0,
    "losses": 0,
    "deals": 1,
    "loss_ratio": "0.0000",
    "explanation": [
        {
            "code": "chips",
            "above": LEMPI,
            "values": ["0", "1"],
            "text": "Above Lempi: fewer chips: 0 against 1.",
        }
    ],
}
TALLY: Final[Wire] = {
    "entry": 2,
    "player": LEMPI,
    "chips": 1,
    "losses": 1,
    "deals": 1,
    "first_places": 0,
    "fair_losses": 1260,
    "percentiles": 0,
    "eliminated_at": None,
    "eliminated_seq": None,
}
LEDGER_ROW: Final[Wire] = {
    "id": 2,
    "ledger_seq": 2,
    "event": "entry.added",
    "version": 1,
    "competition": 7,
    "round": None,
    "table": None,
    "deal": None,
    "entry": 1,
    "at": "2026-11-29T17:00:00Z",
    "body": {"entry": 1, "player": 12},
    "hash": "4c1d…",
}
SCHEDULE: Final[Wire] = {
    "id": 3,
    "club": "kulma",
    "name": "Kulman kymppi",
    "enabled": True,
    "cron": "*/10 * * * *",
    "zone": "Europe/Helsinki",
    "missing": "after",
    "doubled": "first",
    "missed": "run_once",
    "template": {"settings": SETTINGS, "starts_in_s": 5, "players": [5, 12, "house:lowest"]},
    "next_at": "2026-11-29T17:10:00Z",
}
DISPUTE: Final[Wire] = {
    "round": 1,
    "table": 2,
    "deal": 1,
    "version": 1,
    "versions": [
        {"places": [[1], [2]], "chips": {"1": 0, "2": 1}},
        {"places": [[2], [1]], "chips": {"1": 1, "2": 0}},
    ],
    "text": (
        "One deal in dispute (round 1, table 2, deal 1): if Lempi lost it, Lempi has one chip; if "
        "Kettu lost it, Kettu has one chip."
    ),
}

DASHBOARD: Final[Wire] = {
    "competition": COMPETITION,
    "progress": {
        "rounds": 0,
        "rounds_planned": 1,
        "games_done": 1,
        "games_planned": 4,
        "games_a_minute": 1.5,
        "ends_at": "2026-11-29T17:08:00Z",
        "still_in": 2,
        "entries": 2,
    },
    "rounds": [ROUND],
    "standings": [STANDING],
    "tallies": [TALLY],
    "live": [TABLE],
    "faults": [{"player": KETTU, "faults": 1, "stand_ins": 0}],
    "disputes": [DISPUTE],
    "next_slot": SCHEDULE,
    "winner": None,
    "ledger_seq": 14,
}

ACT: Final[Wire] = {
    "id": 31,
    "at": "2026-11-29T17:20:00Z",
    "actor": "player:3",
    "verb": "entry.dropped",
    "target": "competition:7",
    "about": {"entry": 4},
}
DEAL_RESULT: Final[Wire] = {
    "round": 2,
    "table": 1,
    "deal": 3,
    "version": 1,
    "state": "reported",
    "places": [[3], [1, 4], [2]],
    "contested": None,
    "forfeits": [],
    "confirms_at": "2026-11-29T19:15:00Z",
    "step": "reported",
}
CORRECTION: Final[Wire] = {
    "deals": [[[3], [1], [2]], [[1], [2], [3]]],
    "reason": "swapped",
    "seen": 1,
    "redraw": False,
}
CORRECTED: Final[Wire] = {"version": 2}
_BEFORE: Final[Wire] = {"rank": 4, "chips": 2, "losses": 2, "place": None, "state": "entered"}
CHANGE: Final[Wire] = {"entry": 3, "before": _BEFORE, "after": {**_BEFORE, "rank": 2, "chips": 1}}

NOTE: Final[Wire] = {
    "id": 4,
    "hash": "7be1…",
    "text": "Three witnesses at the next table.",
    "salt": "0c9d…",
    "author": {"id": 3, "name": "Oskari", "kind": "person"},
    "about": None,
    "created_at": "2026-11-29T19:21:00Z",
    "erased_at": None,
}
CHIP_ROW: Final[Wire] = {
    **LEDGER_ROW,
    "id": 21,
    "ledger_seq": 21,
    "event": "chip",
    "round": 2,
    "body": {"entry": 1, "chips": 1, "round": 2, "reason": "late"},
}
LEAGUE_RULES: Final[Wire] = {
    "format": "rounds",
    "settings": {"word": "PASKA", "limit": 5, "first_out": True, "rounds": 0},
    "sentences": [
        {"setting": "format", "text": "Everybody plays each round; fewest chips win."},
        {"setting": "rounds", "text": "It ends when the first is out."},
    ],
}
FORECAST: Final[Wire] = {
    "rounds": [6, 9, 12],
    "first_out": [6, 9, 12],
    "tables": 3,
    "ends": True,
    "warning": None,
}


def listed(row: Wire) -> Wire:
    """A page with one row."""
    return {"results": [row], "next": None}


def all_of(row: Wire) -> Wire:
    """A whole list with one row, and the ledger's number that it stands for."""
    return {"results": [row], "ledger_seq": 14}
