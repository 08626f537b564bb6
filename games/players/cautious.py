"""The house bot `cautious`: plays by the six tips of rules.md section 14, knows no more than the view."""

from games.players.careful import Careful


class Cautious(Careful):
    """Low cards first, treasures last, unless a tip says otherwise."""
