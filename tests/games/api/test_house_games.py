"""Games between house bots, which never had a row: looked at, replayed and proven like others."""

from __future__ import annotations

import pytest
from django.test import Client

from games import engine
from games.engine import parse_record, replay
from games.models import GameRecord, Player
from league.models import Club
from league.services import competitions
from tests.games.api.client import Api
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def record() -> GameRecord:
    cup = cast.cup(cast.house_bots(3), {"deals_per_table": 1})
    competitions.start(cup.pk)
    cast.play_all()
    return GameRecord.objects.get()


def test_a_house_game_can_be_looked_at_and_replayed(record: GameRecord) -> None:
    api = Api()
    game = api.get(f"/games/{record.pk}")
    assert (game["state"], game["competition"]) == ("over", record.competition_ref)
    assert [seat["player"]["id"] for seat in game["seats"]] == record.players
    assert game["places"] == game["view"]["places"]
    replayed = replay(parse_record(api.get(f"/games/{record.pk}/record")))
    assert [list(group) for group in replayed.places] == game["places"]
    page = Client().get(f"/g/{record.pk}/?ply=1")
    assert page.status_code == 200 and b"ply 1<" in page.content


def test_the_proof_of_a_house_game_holds(record: GameRecord) -> None:
    proof = Api().get(f"/games/{record.pk}/proof")
    seed = bytes.fromhex(proof["server_seed"])
    assert engine.commitment(seed).hex() == proof["commitment"]
    entropies = [(entrant, text) for entrant, text in proof["entropies"]]
    deal_seed = engine.deal_seed(seed, engine.deck_id(seed), entropies)
    assert deal_seed.hex() == proof["record"]["deal_seed"]
    actions = [(int(entry[0]), entry[2:]) for entry in proof["record"]["actions"]]
    assert engine.chain(seed, actions, proof["at_ms"]).hex() == proof["head"]


def test_a_house_game_of_a_private_club_is_not_there_for_outsiders(record: GameRecord) -> None:
    Club.objects.update(private=True)
    api = Api()
    for path in ("", "/events", "/record", "/proof"):
        assert api.get(f"/games/{record.pk}{path}")["code"] == "game_not_found"


def test_a_finished_house_game_takes_no_moves(record: GameRecord) -> None:
    api = Api(Player.objects.get(pk=record.players[0]))
    assert api.move(record.pk, 1, "U")["code"] == "game_not_found"
