"""Twin deals: two games with the same rows, whose packs differ only in cards that a viewer has
never seen; what others did with hidden cards is carried over to the twin (guarantees.md, R11).

Owns how a twin is made and all that a viewer can get hold of. Dates, signatures, commitments and
chain links are the same because the rows are; ids of messages are put in by `everything`.
"""

from __future__ import annotations

import io
import json
import logging
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch
from uuid import UUID

import structlog
from django.test import Client

from bots_api.protocol import messages
from config.kit import rates
from games.driver.live import Live, LiveSeat
from games.engine import (
    Game,
    IllegalAction,
    card_text,
    encode_action,
    history,
    iter_actions,
    view,
)
from games.models import Game as GameRow
from games.models import Player
from games.queries import replays, rules_of
from tests.games import cast
from tests.games.api.client import Api

CARD = re.compile(r"[3-9TJQKA2][CDHS]")
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')
# Of one request: what is left of the rate, the form's secret.
VOLATILE = {"RateLimit", "Set-Cookie", "Date"}
Deck = tuple[int, ...]
Seen = dict[str, object]


def hidden_from(game: Game, viewer: int | None) -> list[int]:
    """Positions in the pack of the cards that the viewer has never seen."""
    known = json.dumps([view(game, viewer).wire(), history(game, viewer)])
    seen = set(CARD.findall(known))
    return [at for at, card in enumerate(game.deck) if card_text(card) not in seen]


def twin_of(game: Game, viewer: int | None, actions: bytes) -> tuple[Deck, bytes]:
    """A pack that differs in hidden cards alone, and the same actions told in its cards."""
    places = hidden_from(game, viewer)
    start = Game(game.rules, game.players, game.dealer, game.deck)
    told = list(iter_actions(start, actions))
    for seed in range(500):
        deck = list(game.deck)
        mixed = random.Random(seed).sample(places, len(places))
        for place, other in zip(places, mixed, strict=True):
            deck[place] = game.deck[other]
        names = {card_text(a): card_text(b) for a, b in zip(game.deck, deck, strict=True)}
        twin = Game(game.rules, game.players, game.dealer, tuple(deck))
        found = _played(twin, told, names)
        if found is not None and twin.hands != game.hands:
            return tuple(deck), found
    raise AssertionError("no twin found")


def _played(twin: Game, told: list[tuple[int, str]], names: dict[str, str]) -> bytes | None:
    codes = []
    for seat, action in told:
        text = CARD.sub(lambda card: names[card[0]], action)
        try:
            codes.append(encode_action(twin, seat, twin.check(seat, text)))
            twin.play(seat, text)
        except IllegalAction:
            return None
    return b"".join(codes)


@contextmanager
def swapped(game_id: UUID, deck: Deck, actions: bytes) -> Iterator[None]:
    """The game is its twin meanwhile."""
    GameRow.objects.filter(pk=game_id).update(actions=actions)
    with (
        patch.object(replays, "_shuffled", lambda *_: deck),
        patch.object(replays, "_cache", replays._Cache(10)),
    ):
        yield


def everything(game_id: UUID, viewer: Player | None, seat: int | None) -> Seen:
    """All that the viewer can get, by channel: API, tags, headers, errors, page, call, log."""
    rates.buckets.clear()
    api, found, log = Api(viewer), Seen(), io.StringIO()
    with _logged(log):
        for path in ("", "?ply=3", "/events", "/events?after=3", "/legal", "/record", "/proof"):
            api.get(f"/games/{game_id}{path}", **{"x-request-id": "twin"})
            found[f"GET {path}"] = _answer(api)
        api.get("/games?limit=100", **{"x-request-id": "twin"})
        found["the list"] = _answer(api)
        for action in ("U", "-", "!", "P:3C", "B:0", "S:3C/3D", "X", "nonsense"):
            body = {"move_number": 9999, "action": action}
            api.post(f"/games/{game_id}/moves", body, **{"x-request-id": "twin"})
            found[f"move {action}"] = _answer(api)
        found["page"] = _page(game_id, viewer)
        if seat is not None:
            found["call"] = called(game_id, seat)
    found["log"] = log.getvalue()
    return found


def called(game_id: UUID, seat: int) -> bytes:
    """The turn as a bot in this seat would get it, whether it is its turn or not."""
    row = cast.row(game_id)
    seats = [LiveSeat(n, "bot:1", row.bank_ms, 0, False) for n in range(row.players)]
    live = Live(
        game_id=row.pk,
        owner="",
        fence=0,
        rules=rules_of(row),
        competition=None,
        server_seed=bytes(row.deck.server_seed),
        head=bytes(row.head),
        move_ms=row.move_ms,
        seats=seats,
        game=cast.engine_game(game_id),
        elapsed_ms=0,
    )
    with patch.object(messages, "_new_id", lambda: "msg_twin"):
        return messages.turn_message(live.turn(seat), None).body


def differences(one: Seen, other: Seen) -> list[str]:
    """The channels that tell the twins apart."""
    return [channel for channel in one if one[channel] != other[channel]]


def _answer(api: Api) -> object:
    headers = {k: v for k, v in api.answer.headers.items() if k not in VOLATILE}
    return api.status, headers, api.answer.content


def _page(game_id: UUID, viewer: Player | None) -> object:
    client = Client()
    if viewer is not None:
        session = client.session
        session["player"] = viewer.pk
        session.save()
    answer = client.get(f"/g/{game_id}/", headers={"x-request-id": "twin"})
    nonce = re.sub(r"'nonce-[^']+'", "", answer.headers["Content-Security-Policy"])
    headers = {k: v for k, v in answer.headers.items() if k not in VOLATILE}
    text = re.sub(rb'nonce="[^"]+"', b"", CSRF.sub(b"", answer.content))
    return answer.status_code, {**headers, "Content-Security-Policy": nonce}, text


@contextmanager
def _logged(out: io.StringIO) -> Iterator[None]:
    """Everything that is logged, without its time."""

    class Plain(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            if isinstance(record.msg, dict):
                told: dict[str, Any] = {k: v for k, v in record.msg.items() if k != "timestamp"}
                return f"{record.levelname} {told}"
            return f"{record.levelname} {record.getMessage()} {record.exc_text}"

    handler = logging.StreamHandler(out)
    handler.setFormatter(Plain())
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with structlog.contextvars.bound_contextvars():
            yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
