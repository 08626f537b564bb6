"""A bot that lays all cards of its lowest rank, but keeps twos and tens until nothing else fits."""

from housubot import Bot, Turn, run, strength


class KeeperBot(Bot):
    """Shed low cards in sets; keep the twos and tens for when they are needed."""

    version = "1.0"

    def choose(self, turn: Turn) -> str:
        """The weakest plain rank with all its cards, else a single two or ten."""
        plain = [play for play in turn.plays if play[2] not in "2T"]
        if plain:
            return max(plain, key=lambda play: (-strength(play[2]), int(play[4:])))
        return turn.plays[0] if turn.plays else turn.otherwise()


if __name__ == "__main__":
    run(KeeperBot())
