"""Owners, bots and driven games for all tests of bots."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from uuid import UUID

from django.db import transaction

from bots_api.models import Bot
from bots_api.sdk import housubot
from bots_api.services import registration
from bots_api.services.registration import BotSpec, Registered
from games.engine import rules_from
from games.models import Player
from games.services import players
from games.services.rules_cards import stored
from games.services.table_games import TableGame, TableSeatSpec, create_table_game

_tables = count(1)


def owner(name: str = "Oskari") -> Player:
    return players.create(name).player


def robo(url: str, name: str = "Robo", *, of: Player | None = None, concurrency: int = 8) -> Bot:
    return registered(url, name, of=of, concurrency=concurrency).bot


def registered(
    url: str, name: str = "Robo", *, of: Player | None = None, concurrency: int = 8
) -> Registered:
    spec = BotSpec(name, url=url, concurrency=concurrency)
    return registration.register((of or owner()).pk, spec)


@contextmanager
def on_line(bot: housubot.Bot, name: str, of: Player) -> Iterator[Registered]:
    """A bot behind the SDK's server, which checks every signature."""
    server = housubot.server(bot, ["whsec_AAAA"])
    made = registered(f"http://127.0.0.1:{server.server_port}", name, of=of)
    server.RequestHandlerClass.secrets[:] = [str(made.signing_secret)]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def puller(name: str = "Nappe", *, of: Player | None = None, concurrency: int = 8) -> Registered:
    """A bot that connects out."""
    spec = BotSpec(name, transport="pull", concurrency=concurrency)
    return registration.register((of or owner()).pk, spec)


def driven_game(
    *seats: Player,
    move_ms: int = 1000,
    bank_ms: int = 0,
    max_plies: int = 100,
    preset: str = "table",
) -> UUID:
    """A driven game of a table that nobody has settled, due now; short unless told otherwise."""
    rules, number = rules_from(preset, {"max_plies": max_plies}), next(_tables)
    with transaction.atomic():
        spec = TableGame(
            rules_id=stored(rules).pk,
            rules=rules,
            table_ref=number,
            competition_ref=1,
            deal_number=1,
            redeal=0,
            dealer=0,
            seats=tuple(
                TableSeatSpec(player.pk, index + 1, player.agent_ref)
                for index, player in enumerate(seats)
            ),
            server_seed=number.to_bytes(32, "big"),
            move_ms=move_ms,
            bank_ms=bank_ms,
        )
        return create_table_game(spec).pk


def house() -> Player:
    return players.house_player("lowest")
