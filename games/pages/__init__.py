"""Pages of one game: find or make one, play, watch, replay. Every action is a plain form."""
