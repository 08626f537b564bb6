"""Twin deals over the live stream: what a viewer may not know changes no byte of it (R11)."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest

from config.kit.hub import notify
from games.engine import Game, encode_action, iter_actions
from games.models import Game as GameRow
from games.queries import replays
from tests.games import cast
from tests.games.api.test_twins import Deck, twin_of
from tests.games.stream.watcher import token_of, watching
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


@pytest.mark.parametrize("preset", ["table", "valepaska"])
@pytest.mark.parametrize("viewer", [None, 0])
def test_hidden_cards_change_nothing_that_comes_over_a_stream(
    web: str, preset: str, viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, people = cast.dealt(3, preset)
    for _ in range(PLIES):
        cast.play_default(game_id)
    game, token = cast.engine_game(game_id), token_of(people[viewer]) if viewer is not None else ""
    deck, actions = twin_of(game, viewer, bytes(cast.row(game_id).actions))
    plies = codes(game, game.deck, bytes(cast.row(game_id).actions))
    before = lived(web, game_id, token, plies)
    monkeypatch.setattr(replays, "_shuffled", lambda *_: deck)
    monkeypatch.setattr(replays, "_cache", replays._Cache(10))
    assert lived(web, game_id, token, codes(game, deck, actions)) == before
    assert cast.engine_game(game_id).hands != game.hands, "the twins differ in somebody's hand"
