"""A bot that keeps every deck that it has seen gains nothing: none comes twice."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db import connections

from bots_api.models import Fault
from bots_api.sdk import housubot
from games.driver.resident import Resident
from games.models import Deck, Game
from games.services.progress import Progress
from games.tasks import follow_up
from league.models import Competition
from league.models.competitions import Format
from league.services import competitions, entries
from league.services.competitions import NewCompetition
from tests.bots_api.cast import on_line, owner
from tests.bots_api.test_pull import Sound
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)

BOTS, ROUNDS, DEALS = 4, 2, 2
GAMES = BOTS // 2 * ROUNDS * DEALS


class Hoarder(Sound):
    """Remembers of each game what tells its deck: the face-up rows, whoever sits where, and its
    own cards."""

    def __init__(self) -> None:
        self.seen: dict[str, Mapping[str, Any]] = {}

    def choose(self, turn: housubot.Turn) -> str:
        self.seen.setdefault(turn.raw["game"]["id"], turn.view)
        return super().choose(turn)

    def decks(self) -> list[str]:
        """One text for each game: the same for the same deck, from any seat."""
        return [json.dumps(sorted(view["up"])) for view in self.seen.values()]


@contextlib.contextmanager
def hoarding(number: int) -> Iterator[tuple[int, Hoarder]]:
    bot = Hoarder()
    with on_line(bot, f"Hamsteri {number}", owner(f"O {number}")) as made:
        yield made.bot.player_id, bot


def test_no_bot_finds_a_deck_in_its_memory_that_came_twice(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["loopback"]
    driver = Resident()
    with contextlib.ExitStack() as stack:
        bots = [stack.enter_context(hoarding(number)) for number in range(BOTS)]
        wanted = {"rounds": ROUNDS, "table_size": 2, "deals_per_table": DEALS}
        new = NewCompetition(
            name="Cup", format=Format.ROUNDS, settings=wanted, secret=cast.SECRET, bank_ms=60_000
        )
        cup = competitions.create(cast.club().pk, new)
        for player_id, _ in bots:
            entries.enter(cup.pk, player_id)
        competitions.start(cup.pk)
        for _ in range(40):
            driver.run_slice(lambda game_id: follow_up(Progress(over=(game_id,))), 10)
            cup.refresh_from_db()
            if cup.state == Competition.State.FINISHED:
                break
        driver.close()
    connections.close_all()

    assert cup.state == Competition.State.FINISHED
    assert not Fault.objects.exists()
    played = Game.objects.filter(competition_ref=cup.pk).count()
    assert played >= GAMES
    assert Deck.objects.values("server_seed").distinct().count() == played
    for _, bot in bots:
        assert len(bot.seen) >= ROUNDS * DEALS - 1
        assert max(Counter(bot.decks()).values()) == 1
    # What would be found: the same cards under another game, dealt to the other seat.
    twice = bots[0][1]
    view = next(iter(twice.seen.values()))
    twice.seen["again"] = {**view, "up": view["up"][::-1]}
    assert max(Counter(twice.decks()).values()) == 2
