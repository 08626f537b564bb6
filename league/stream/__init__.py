"""Competitions live: the ledger as server-sent events, the same for every viewer."""

from league.stream.follow import MEDIA_TYPE, PATH, stream

__all__ = ["MEDIA_TYPE", "PATH", "stream"]
