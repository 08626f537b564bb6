"""What can be asked about games. Queries answer and change nothing."""

from games.queries.lists import (
    by_player,
    driven_due,
    evented_due,
    given_up,
    open_games,
    unsettled,
)
from games.queries.replays import replayed, rules_of
from games.queries.rules_cards import named, rules_wire
from games.queries.views import numbered, wire_view

__all__ = [
    "by_player",
    "driven_due",
    "evented_due",
    "given_up",
    "named",
    "numbered",
    "open_games",
    "replayed",
    "rules_of",
    "rules_wire",
    "unsettled",
    "wire_view",
]
