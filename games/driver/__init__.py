"""The resident driver: one event loop per worker process that plays games with remote bots.

A task is a slice: it claims driven games by lease, puts their turns to the agents side by side
and commits what waits together. Rows are the truth; whatever dies here is claimed again.
"""

from games.driver.resident import resident

__all__ = ["resident"]
