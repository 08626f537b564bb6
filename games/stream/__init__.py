"""Games live: server-sent events of one game for one viewer."""

from games.stream.follow import MEDIA_TYPE, PATH, stream

__all__ = ["MEDIA_TYPE", "PATH", "stream"]
