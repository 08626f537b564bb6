"""What happened by an action, as the game tells it: one `Event` each, everything in it.

Who may see which part of an event stands in history.py; nothing here hides anything.
"""

from enum import StrEnum
from typing import NamedTuple

from games.engine.tops import Effect


class Kind(StrEnum):
    """Names of events, as traces write them."""

    SWAP = "swap"
    PLAY = "play"
    CLAIM = "claim"
    BLIND = "blind"
    BLIND_FAILED = "blind_failed"
    CHANCE = "chance"
    CHANCE_FAILED = "chance_failed"
    DRAW_FIRST = "draw_first"
    PICK_UP = "pick_up"
    PASS = "pass"  # noqa: S105
    ACCEPT = "accept"
    CHALLENGE = "challenge"
    CLAIM_STANDS = "claim_stands"
    LIE = "lie"
    TRUTH = "truth"
    FALL = "fall"
    FED = "fed"
    DREW = "drew"
    OUT = "out"
    OVER = "over"
    STALEMATE = "stalemate"
    PLY_CAP = "ply_cap"


class Event(NamedTuple):
    """One thing that happened. Masks of cards; what does not apply is 0."""

    ply: int
    kind: Kind
    seat: int
    cards: int = 0
    """Laid, claimed, given, drawn, turned over, shown by a challenge, or taken with the pile."""
    taken: int = 0
    """Of a swap: the cards taken from the row. Of a failed card: the pile that came with it."""
    rank: int = 0
    """The rank a claim names."""
    cause: Effect = Effect.STAYS
    """Why the pile fell."""
    slot: int = 0
    """The face-down slot turned over."""


_CAUSES = {Effect.TEN: "ten", Effect.ACE: "ace", Effect.JOKER: "joker", Effect.FOUR: "four"}


def cause_text(cause: Effect) -> str:
    """Why a pile fell, as traces write it."""
    return _CAUSES[cause]


def trace_text(event: Event) -> str:
    """The event as a trace writes it (records.md)."""
    match event.kind:
        case Kind.FALL:
            return f"fall:{_CAUSES[event.cause]}"
        case Kind.FED | Kind.OUT:
            return f"{event.kind}:{event.seat}"
        case Kind.DREW:
            return f"drew:{event.cards.bit_count()}"
        case _:
            return event.kind.value
