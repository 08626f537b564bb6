"""Run on a database of its own: fill it with finished games, measure rows and lists.

Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from config.kit.ids import first_at  # noqa: E402
from games import engine  # noqa: E402
from games.models import Player, RulesCard  # noqa: E402
from games.models.records import pack  # noqa: E402
from games.players import HOUSE, play_out  # noqa: E402
from games.services.records import place_bytes  # noqa: E402

SEATS: Final = 4
BOTS: Final = ("lowest", "random")
# As at a busy server: some play always, most now and then.
CROWD: Final = 20_000
COMPETITION_GAMES: Final = 5_000
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
TRIES: Final = 7


class Done(NamedTuple):
    """A game as the engine has played it."""

    bot: str
    packed: bytes
    head: bytes
    places: bytes
    ending: str


def played(number: int) -> Done:
    """The game of that number, by one kind of bot at all seats."""
    rules = engine.PRESETS["table"]
    seed, bot = number.to_bytes(32, "big"), BOTS[number % len(BOTS)]
    packs, _ = engine.packs_needed(rules, SEATS)
    deck = engine.shuffled_deck(seed, packs, rules.jokers)
    game = play_out(rules, SEATS, number % SEATS, deck, [HOUSE[bot]] * SEATS, seed)
    log = engine.encode_log(game)
    start = engine.Game(rules, SEATS, number % SEATS, deck)
    head = engine.chain(seed, list(engine.iter_actions(start, log)))
    places = place_bytes(game.places, SEATS)
    return Done(bot, pack(log), head, places, str(game.ending))


_COPY = """
    COPY games_gamerecord (id, rules_id, rated, competition_ref, table_ref, round_number,
        table_number, deal_number, redeal, dealer, players, places, ending, packed, actions, head,
        visibility, ended_at) FROM STDIN
"""


def fill(rows: int, games: list[Done]) -> dict[str, int]:
    """Store so many records; returns what the filters ask for."""
    cards = [
        RulesCard.objects.create(hash=rules.hash, card=rules.card()).pk
        for rules in (engine.PRESETS["table"], engine.PRESETS["classic"])
    ]
    crowd = Player.objects.bulk_create(
        Player(kind=Player.Kind.PERSON, name=f"Player {n}", name_key=f"player {n}")
        for n in range(CROWD)
    )
    keys = [player.pk for player in crowd]
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in _rows(rows, games, keys, *cards):
            copy.write_row(row)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE games_gamerecord")
        cursor.execute("VACUUM ANALYZE games_player")
    return {"often": keys[0], "seldom": keys[CROWD // 2]}


def _rows(
    number: int, games: list[Done], players: list[int], table: int, classic: int
) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(1)
    step = timedelta(days=300) / number
    for n in range(number):
        game, moment = games[n % len(games)], BEGAN + n * step
        key = UUID(int=first_at(moment).int | 0x7 << 76 | 0x2 << 62 | chance.getrandbits(62))
        # The busiest sits in every tenth game, the others by a long tail.
        seated = [players[int(CROWD * chance.random() ** 3)] for _ in range(SEATS)]
        if n % 10 == 0:
            seated[0] = players[0]
        competition, within = divmod(n, COMPETITION_GAMES)
        yield (
            key,
            classic if n % 1000 == 0 else table,
            True,
            competition + 1,
            n // 4 + 1,
            within % 100,
            within // 100,
            n % 4 + 1,
            0,
            n % SEATS,
            seated,
            game.places,
            game.ending,
            game.packed,
            b"",
            game.head,
            None,
            moment,
        )


_INDEXES = """
    SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes
    WHERE relname = 'games_gamerecord' ORDER BY 2 DESC
"""


def sizes(rows: int, games: list[Done]) -> dict[str, float]:
    """Bytes a game: table, indexes, both; and what the actions of each bot take of it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", ["games_gamerecord"] * 2)
        table, indexes = cursor.fetchone()
    found = {"table": table / rows, "indexes": indexes / rows, "all": (table + indexes) / rows}
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES)
        found |= {f"index {name}": size / rows for name, size in cursor.fetchall()}
    mean = statistics.mean(len(game.packed) for game in games)
    for bot in BOTS:
        own = statistics.mean(len(game.packed) for game in games if game.bot == bot)
        found[f"actions of {bot}"] = own
        found[f"all, played by {bot}"] = found["all"] - mean + own
    return found


def filters(asked: dict[str, int], rows: int) -> dict[str, str]:
    """Every filter of the list, the common and the rare of each."""
    middle = (BEGAN + timedelta(days=150)).isoformat().replace("+00:00", "Z")
    day = (BEGAN + timedelta(days=151)).isoformat().replace("+00:00", "Z")
    old = rows // COMPETITION_GAMES // 10 + 1
    return {
        "no filter": "",
        "by a player in every tenth game": f"player={asked['often']}",
        "by a player who plays seldom": f"player={asked['seldom']}",
        "by a player and place": f"player={asked['often']}&place=4",
        "by a seldom player and place": f"player={asked['seldom']}&place=4",
        "by an old competition": f"competition={old}",
        "by the common preset": "preset=table",
        "by a preset of one game in a thousand": "preset=classic",
        "by date": f"since={middle}&until={day}",
        "by the common ending": "ending=over",
        "by a rare ending": "ending=ply_cap",
        "by player, competition, preset, date": f"player={asked['often']}&competition={old}"
        f"&preset=table&since={BEGAN.date()}T00:00:00Z&until={day}",
    }


def timed(query: str) -> tuple[float, int]:
    """Median milliseconds of the request, and how many of its statements read a whole table."""
    client, times = Client(), []
    path = f"/api/v1/games/finished?{query}"
    for _ in range(TRIES):
        start = time.perf_counter()
        answer = client.get(path)
        times.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, answer.content
    with CaptureQueriesContext(connection) as caught:
        client.get(path)
    whole = 0
    for one in caught.captured_queries:
        if one["sql"].startswith("SELECT"):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN " + one["sql"].replace("%", "%%"), [])
                plan = "\n".join(line for (line,) in cursor.fetchall())
            if "Seq Scan on games_gamerecord" in plan:
                whole += 1
                sys.stderr.write(f"{query}\n{plan}\n")
    return statistics.median(times), whole


def main(rows: int, number: int) -> dict[str, Any]:
    """Everything."""
    settings.ALLOWED_HOSTS = ["*"]
    with ProcessPoolExecutor(2, initializer=partial(os.nice, 10)) as pool:
        games = list(pool.map(played, range(number), chunksize=50))
    asked = fill(rows, games)
    told = {name: timed(query) for name, query in filters(asked, rows).items()}
    return {
        "rows": rows,
        "bytes": sizes(rows, games),
        "times": {name: ms for name, (ms, _) in told.items()},
        "whole": sum(whole for _, whole in told.values()),
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
