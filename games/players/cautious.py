"""The house bot `cautious`: plays by the six tips of the rules, knows no more than the view."""

from games.players.careful import Careful


class Cautious(Careful):
    """Low cards first, treasures last, unless a tip says otherwise."""
