"""Competitions live: the ledger as server-sent events, the same for every viewer."""

from games.stream import MEDIA_TYPE
from league.stream.follow import PATH, stream

__all__ = ["MEDIA_TYPE", "PATH", "stream"]
