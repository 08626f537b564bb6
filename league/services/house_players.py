"""Players behind house bots: as many as a competition wants of each, numbered."""

from games.errors import BadSeatsError
from games.models import Player
from games.services.players import house_player

MOST = 1000


def numbered(agent: str, number: int) -> Player:
    """The `number`-th player of a house bot, made when first needed.

    Raises `BadSeatsError` for a bot that is not built in.
    """
    return house_player(agent, called=f"{agent.title()} {number}")


def free(agent: str, taken: set[int]) -> Player:
    """The first player of a house bot whose id is not among `taken`."""
    for number in range(1, MOST + 1):
        player = numbered(agent, number)
        if player.pk not in taken:
            return player
    raise BadSeatsError(f"All players of “{agent}” are taken.")
