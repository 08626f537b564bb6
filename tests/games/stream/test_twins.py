"""Twin deals over the live stream: what a viewer may not know changes no byte of it (R11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from config.kit.hub import notify
from games.engine import PRESETS, Game, encode_action, iter_actions
from games.models import Game as GameRow
from games.queries import replays
from games.queries.views import numbered
from games.stream import frames
from tests.games import cast
from tests.games.stream.watcher import token_of, watching
from tests.games.twins import Deck, twin_of
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

PLIES = 9


@pytest.fixture
def web() -> Iterator[str]:
    with serving() as address:
        yield address


def codes(game: Game, deck: Deck, actions: bytes) -> list[bytes]:
    """The actions of a game one by one, as the rows keep them."""
    told = list(iter_actions(Game(game.rules, game.players, game.dealer, deck), actions))
    again, found = Game(game.rules, game.players, game.dealer, deck), []
    for seat, action in told:
        found.append(encode_action(again, seat, action))
        again.play(seat, action)
    return found


def lived(web: str, game_id: UUID, token: str, plies: list[bytes]) -> str:
    """Every byte that comes over a stream while the row gets one action after the other."""
    row = GameRow.objects.filter(pk=game_id)
    row.update(ply=0, actions=b"")
    with watching(web, game_id, token=token) as watcher:
        watcher.until("view")
        for ply in range(1, len(plies) + 1):
            row.update(ply=ply, actions=b"".join(plies[:ply]))
            notify("games", str(game_id))
            watcher.until_ply(ply)
        return watcher.raw


def twins_heard(
    web: str, preset: str, viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """All that a viewer hears of a game, and of its twin."""
    game_id, people = cast.dealt(3, preset)
    for _ in range(PLIES):
        cast.play_default(game_id)
    game, token = cast.engine_game(game_id), token_of(people[viewer]) if viewer is not None else ""
    deck, actions = twin_of(game, viewer, bytes(cast.row(game_id).actions))
    plies = codes(game, game.deck, bytes(cast.row(game_id).actions))
    one = lived(web, game_id, token, plies)
    monkeypatch.setattr(replays, "_shuffled", lambda *_: deck)
    monkeypatch.setattr(replays, "_cache", replays._Cache(10))
    return one, lived(web, game_id, token, codes(game, deck, actions))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_hidden_cards_change_nothing_that_a_seat_hears(
    web: str, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = twins_heard(web, preset, 0, monkeypatch)
    assert one == other


@pytest.mark.parametrize("preset", ["table", "valepaska"])
def test_hidden_cards_change_nothing_that_a_watcher_hears(
    web: str, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = twins_heard(web, preset, None, monkeypatch)
    assert one == other


def test_a_leak_into_the_stream_is_caught(web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(game: Game, *more: Any, **named: Any) -> list[dict[str, Any]]:
        return [{**event, "hands": list(game.hands)} for event in numbered(game, *more, **named)]

    monkeypatch.setattr(frames, "numbered", leaking)
    one, other = twins_heard(web, "table", 0, monkeypatch)
    assert one != other
