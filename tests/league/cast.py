"""Clubs, bots and competitions for the tests of the league."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import connection

from games.models import Player
from league.models import Club, Competition
from league.services import competitions, entries, house
from league.services.competitions import NewCompetition
from league.services.due import Due

SECRET = bytes(range(32))


def club(slug: str = "kallio", private: bool = False) -> Club:
    return Club.objects.create(slug=slug, name=slug.title(), private=private)


def house_bots(count: int, agent: str = "lowest") -> list[Player]:
    have = Player.objects.filter(kind="house").count()
    return [
        Player.objects.create(
            kind="house",
            name=f"Lowest {number}",
            name_key=f"lowest {number}",
            agent_ref=f"house:{agent}",
        )
        for number in range(have + 1, have + count + 1)
    ]


def bots(count: int, owner: Player) -> list[Player]:
    """Players of remote bots that nobody calls: only their rows are needed here."""
    return [
        Player.objects.create(
            kind="bot",
            name=f"Robo {number}",
            name_key=f"robo {owner.pk} {number}",
            owner=owner,
            agent_ref=f"bot:{number}",
        )
        for number in range(1, count + 1)
    ]


def person(name: str = "Oskari") -> Player:
    return Player.objects.create(kind="person", name=name, name_key=name.lower())


def cup(
    players: Sequence[Player],
    settings: Mapping[str, Any] | None = None,
    secret: bytes | None = SECRET,
    club_: Club | None = None,
) -> Competition:
    """An open knockout with the players entered in order."""
    new = NewCompetition(
        name="Cup",
        settings={"table_size": 3, "deals_per_table": 2, **(settings or {})},
        secret=secret,
    )
    competition = competitions.create((club_ or club()).pk, new)
    for player in players:
        entries.enter(competition.pk, player.pk)
    return competition


def play_all(seconds: float = 0.5) -> None:
    """Play house tables until none is left, as a worker would."""
    for _ in range(1000):
        if house.play_slice("test", seconds) == Due():
            return
    raise AssertionError("the house tables never end")


def at_once(function: Callable[[], Any], times: int) -> list[Any]:
    """Call `function` in `times` threads that start together; their results or exceptions."""
    barrier = threading.Barrier(times)
    results: list[Any] = [None] * times

    def run(index: int) -> None:
        try:
            barrier.wait()
            results[index] = function()
        except Exception as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
