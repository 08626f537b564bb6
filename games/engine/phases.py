"""The phases of a round and the ways it ends (rules.md sections 3 and 10)."""

from enum import StrEnum


class Phase(StrEnum):
    """What a round is waiting for."""

    SWAP = "swap"
    PLAY = "play"
    RESPOND = "respond"
    OVER = "over"


class Ending(StrEnum):
    """How a round ended."""

    OVER = "over"
    STALEMATE = "stalemate"
    PLY_CAP = "ply_cap"
