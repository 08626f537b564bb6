"""Twin deals: what a viewer may not know changes no byte of what he gets (guarantees.md, R11).

Two games with the same rows, whose packs differ only in cards that the viewer has never seen;
what others did with hidden cards is carried over to the twin.
"""

from __future__ import annotations

import json
import random
import re
from uuid import UUID

import pytest
from django.test import Client

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
from games.queries import replays
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

CARD = re.compile(r"[3-9TJQKA2][CDHS]")
Deck = tuple[int, ...]


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
        if found is not None:
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


def everything(game_id: UUID, viewer: Player | None) -> list[object]:
    """All that the viewer can get: API, pages, tags, errors."""
    api, found = Api(viewer), list[object]()
    for path in ("", "?ply=3", "/events", "/events?after=3", "/legal", "/record", "/proof"):
        api.get(f"/games/{game_id}{path}", **{"x-request-id": "twin"})
        found.append((api.status, api.answer.content, api.answer.get("ETag")))
    if viewer is not None:
        for action in ("U", "-", "!", "P:3C", "B:0", "S:3C/3D", "X", "nonsense"):
            api.post(
                f"/games/{game_id}/moves",
                {"move_number": 9999, "action": action},
                **{"x-request-id": "twin"},
            )
            found.append((api.status, api.answer.content))
    return [*found, page(game_id, viewer)]


def page(game_id: UUID, viewer: Player | None) -> bytes:
    client = Client()
    if viewer is not None:
        session = client.session
        session["player"] = viewer.pk
        session.save()
    text: bytes = client.get(f"/g/{game_id}/").content
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", text)


@pytest.mark.parametrize("preset", ["table", "classic", "valepaska", "ruotsalainen"])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_hidden_cards_change_nothing_that_a_viewer_gets(
    preset: str, viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, people = cast.dealt(3, preset)
    for _ in range(9):
        cast.play_default(game_id)
    row, player = cast.row(game_id), None if viewer is None else people[viewer]
    game = cast.engine_game(game_id)
    deck, actions = twin_of(game, viewer, bytes(row.actions))
    before, hands = everything(game_id, player), game.hands
    monkeypatch.setattr(replays, "_shuffled", lambda *_: deck)
    monkeypatch.setattr(replays, "_cache", replays._Cache(10))
    GameRow.objects.filter(pk=game_id).update(actions=actions)
    assert cast.engine_game(game_id).hands != hands, "the twins differ in somebody's hand"
    assert everything(game_id, player) == before
