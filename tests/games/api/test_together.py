"""Quick games, invitations, resigning and rematches over the API, and what outsiders see."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from games.models import Game, Player
from games.queries import played
from league.models import Membership
from tests.games import cast
from tests.games.api.client import Api
from tests.games.stream.watcher import token_of, watching
from tests.league import cast as league
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

ENTROPY = {"preset": "classic", "players": 2, "entropy": "rain"}


def two() -> tuple[Api, Api]:
    return Api(cast.person("Aino")), Api(cast.person("Bertil"))


def create(api: Api, **more: Any) -> Any:
    game = api.post("/games", {"preset": "classic", "seats": ["open", "open"], **more})
    assert api.status == 201, game
    return game


def test_two_who_ask_for_a_quick_game_play_it() -> None:
    aino, bertil = two()
    first = aino.post("/games/quick", ENTROPY)
    assert (aino.status, first["state"], first["seat"]) == (201, "forming", 0)
    second = bertil.post("/games/quick", ENTROPY)
    assert (second["id"], second["state"], second["seat"]) == (first["id"], "playing", 1)


def test_a_quick_game_asked_for_again_with_its_key_is_the_same() -> None:
    aino, _ = two()
    first = aino.post("/games/quick", ENTROPY, **{"Idempotency-Key": "k1"})
    again = aino.post("/games/quick", ENTROPY, **{"Idempotency-Key": "k1"})
    assert (aino.status, again["id"]) == (201, first["id"])


def test_open_games_are_filtered_by_rules_seats_and_pace_and_paged() -> None:
    aino, _ = two()
    plain = create(aino)["id"]
    slow = create(aino, move_days=2)["id"]
    other = create(aino, preset="table", seats=["open"] * 3)["id"]
    create(aino, visibility="link")
    create(aino, visibility="private")

    def found(query: str) -> list[str]:
        ids, path = [], "/games" + query
        while path:
            page = Api().get(path)
            ids += [row["id"] for row in page["results"]]
            path = (page["next"] or "").removeprefix("/api/v1")
        return ids

    assert found("?limit=1") == [plain, slow, other]
    assert found("?limit=1&preset=classic") == [plain, slow]
    assert found("?players=3") == [other]
    assert found("?correspondence=true") == [slow]
    assert found("?correspondence=false&preset=classic") == [plain]
    assert found("?rules=" + "0" * 12) == []
    Api().get("/games?preset=classic&rules=" + "0" * 12)
    assert Api().get("/games?preset=classic&rules=" + "0" * 12)["code"] == "invalid_request"


def test_the_code_of_a_private_game_is_told_to_its_seats_until_it_is_full() -> None:
    aino, bertil = two()
    game = create(aino, visibility="private")
    path, code = f"/games/{game['id']}", game["join_code"]
    assert bertil.get(path)["code"] == "game_not_found"
    assert bertil.post(path + "/join")["code"] == "game_not_found"
    assert bertil.post(path + "/join", {"code": "x" * 16})["code"] == "game_not_found"
    joined = bertil.post(path + "/join", {"code": code})
    assert (bertil.status, joined["seat"], joined["join_code"]) == (200, 1, None)


def test_by_any_verb_and_channel_a_private_game_is_not_there_for_outsiders() -> None:
    game_id, _ = cast.dealt(2, "classic")
    Game.objects.filter(pk=game_id).update(visibility="private")
    for api in (Api(), Api(cast.person("Cecilia"))):
        for verb in ("", "/events", "/record", "/proof", "?ply=0"):
            told = api.get(f"/games/{game_id}{verb}")
            assert (api.status, told["code"]) == (404, "game_not_found"), verb
            other = api.get(f"/games/{uuid4()}{verb}")
            assert told | {"request_id": ""} == other | {"request_id": ""}, verb
    api = Api(cast.person("Daniela"))
    bodies = {"moves": {"move_number": 1, "action": "U"}, "invitations": {"player": 1}}
    for verb in ("join", "leave", "ready", "moves", "resign", "rematch", "invitations"):
        told = api.post(f"/games/{game_id}/{verb}", bodies.get(verb, {}))
        assert (api.status, told["code"]) == (404, "game_not_found"), verb


def test_who_is_invited_sees_a_private_game_among_his_own_and_sits_down() -> None:
    aino, bertil = two()
    game = create(aino, visibility="private")
    guest = Player.objects.get(name="Bertil").pk
    invited = aino.post(f"/games/{game['id']}/invitations", {"player": guest})
    assert (aino.status, invited["seats"][1]["invited"]["id"]) == (201, guest)
    assert [row["id"] for row in bertil.get("/me/games?state=forming")["results"]] == [game["id"]]
    assert bertil.get(f"/games/{game['id']}")["join_code"] is None
    assert bertil.post(f"/games/{game['id']}/join")["seat"] == 1
    assert aino.post(f"/games/{game['id']}/invitations", {"player": 10**18})["code"] in (
        "not_invitable",
        "game_full",
    )


def test_resigning_is_answered_with_the_game_as_it_ended_and_told_again_with_the_key() -> None:
    game_id, people = cast.dealt(2, "classic")
    api = Api(people[0])
    told = api.post(f"/games/{game_id}/resign", **{"Idempotency-Key": "r"})
    assert (api.status, told["state"], told["places"]) == (200, "over", [[1], [0]])
    assert api.post(f"/games/{game_id}/resign", **{"Idempotency-Key": "r"}) == told
    assert Api(people[1]).post(f"/games/{game_id}/resign")["code"] == "game_over"


def test_a_rematch_is_found_from_the_old_game() -> None:
    game_id, people = cast.dealt(2, "classic")
    aino, bertil = Api(people[0]), Api(people[1])
    assert aino.post(f"/games/{game_id}/rematch")["code"] == "no_rematch"
    aino.post(f"/games/{game_id}/resign")
    again = bertil.post(f"/games/{game_id}/rematch")
    assert (bertil.status, again["dealer"], again["seats"][0]["invited"]["name"]) == (
        201,
        0,
        "Aino",
    )
    assert aino.get(f"/games/{game_id}")["rematch"] == again["id"]
    assert aino.post(f"/games/{game_id}/rematch")["id"] == again["id"]


def test_a_resignation_reaches_a_stream_with_the_next_number_and_ends_it() -> None:
    game_id, people = cast.dealt(3, "classic")
    with serving() as web, watching(web, game_id, token=token_of(people[2])) as watcher:
        watcher.until("view")
        Api(people[0]).post(f"/games/{game_id}/resign")
        gone = watcher.until("event")
        assert (gone.id, gone.data["event"], gone.data["seat"]) == (1, "resign", 0)
        assert watcher.until("view").data["seats"][0]["resigned"] is True
        Api(people[1]).post(f"/games/{game_id}/resign")
        assert watcher.until("end")
        assert watcher.numbers() == [0, 1, 2, 3]
        assert watcher.seen[-2].data["places"] == [[2], [1], [0]]


# Driven games of a private club


def driven(private: bool) -> tuple[UUID, Player, Player]:
    """A dealt game of a competition, one who plays in it and a member of the club."""
    cup = league.cup(league.house_bots(2), {"deals_per_table": 1})
    type(cup.club).objects.update(private=private)
    game_id, people = cast.dealt(2, "classic")
    Game.objects.filter(pk=game_id).update(kind="driven", competition_ref=cup.pk)
    played._shown_until.clear()
    member = cast.person("Oskari")
    Membership.objects.create(club=cup.club, player=member, role=Membership.Role.MEMBER)
    return game_id, people[0], member


def test_a_driven_game_of_a_private_club_is_not_public_by_its_id() -> None:
    game_id, seated, member = driven(private=True)
    stranger = cast.person("Cecilia")
    for viewer, status in ((None, 404), (stranger, 404), (seated, 200), (member, 200)):
        api = Api(viewer)
        for verb in ("", "/events", "?ply=0"):
            api.get(f"/games/{game_id}{verb}")
            assert api.status == status, (viewer, verb)
    with serving() as web:
        for viewer, status in ((stranger, 404), (member, 200)):
            with watching(web, game_id, token=token_of(viewer)) as watcher:
                assert watcher.status == status


def test_a_driven_game_of_a_public_club_is() -> None:
    game_id, _, _ = driven(private=False)
    api = Api()
    api.get(f"/games/{game_id}")
    assert api.status == 200
