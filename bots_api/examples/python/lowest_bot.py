"""A bot that lays one card of its lowest rank that fits, and never chances or doubts."""

from housubot import Bot, Turn, run


class LowestBot(Bot):
    """Lay the lowest card that fits."""

    version = "1.0"

    def choose(self, turn: Turn) -> str:
        """The first play, one card of the weakest rank; else whatever there is to do."""
        return turn.plays[0] if turn.plays else turn.otherwise()


if __name__ == "__main__":
    run(LowestBot())
