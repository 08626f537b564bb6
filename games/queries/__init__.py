"""What can be asked about games. Queries answer and change nothing."""

from games.queries.lists import (
    Open,
    by_player,
    driven_due,
    evented_due,
    forgotten,
    given_up,
    open_games,
    to_fill,
    to_mail,
    unsettled,
    with_seats,
)
from games.queries.replays import replayed, rules_of
from games.queries.rules_cards import named, rules_wire
from games.queries.views import numbered, wire_view

__all__ = [
    "Open",
    "by_player",
    "driven_due",
    "evented_due",
    "forgotten",
    "given_up",
    "named",
    "numbered",
    "open_games",
    "replayed",
    "rules_of",
    "rules_wire",
    "to_fill",
    "to_mail",
    "unsettled",
    "wire_view",
    "with_seats",
]
