"""Members and roles: who adds whom as what, that an owner stays, whose names look alike."""

from typing import Any

import pytest

from config.kit.models import Act
from games.models import Player
from games.services import players
from league.models import Club, Membership
from league.services import members
from tests.league import cast
from tests.league.test_api import Api

pytestmark = pytest.mark.django_db(transaction=True)


def someone(club: Club, role: str | None, name: str) -> tuple[Api, Player]:
    """A player with a token who is that in the club, or nothing."""
    made = players.create(name, Player.Kind.PERSON)
    if role is not None:
        Membership.objects.create(club=club, player=made.player, role=role)
    return Api(made.token), made.player


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def change(api: Api, player: Player, role: str) -> Any:
    return api._client.patch(
        f"/api/v1/clubs/kallio/members/{player.pk}",
        {"role": role},
        content_type="application/json",
        headers=api._headers,
    )


def test_an_organiser_adds_a_guest_by_name_and_a_known_player_by_id() -> None:
    club = cast.club()
    oskari, _ = someone(club, "organiser", "Oskari")
    _, bertil = someone(club, None, "Bertil")
    guest = oskari.post("clubs/kallio/members", {"name": "  Aino   Aalto "})
    assert guest.status_code == 201
    assert guest.json()["player"]["name"] == "Aino Aalto"
    assert guest.json()["player"]["kind"] == "guest"
    known = oskari.post("clubs/kallio/members", {"player": bertil.pk, "role": "scorekeeper"})
    assert (known.status_code, known.json()["role"]) == (201, "scorekeeper")
    again = oskari.post("clubs/kallio/members", {"player": bertil.pk})
    assert code(again) == (409, "already_member")
    assert again.json()["role"] == "scorekeeper"
    listed = Api().get("clubs/kallio/members?limit=2").json()
    assert [row["role"] for row in listed["results"]] == ["organiser", "member"]
    assert listed["next"] is not None
    assert Act.objects.filter(verb="member.added", target=f"club:{club.pk}").count() == 2


def test_the_same_key_adds_one_guest() -> None:
    oskari, _ = someone(cast.club(), "owner", "Oskari")
    key = {"Idempotency-Key": "k1"}
    first = oskari.post("clubs/kallio/members", {"name": "Aino"}, **key)
    assert oskari.post("clubs/kallio/members", {"name": "Aino"}, **key).json() == first.json()
    assert Player.objects.filter(name="Aino").count() == 1


@pytest.mark.parametrize(
    ("actor", "role", "answer"),
    [
        ("owner", "owner", 201),
        ("owner", "organiser", 201),
        ("organiser", "scorekeeper", 201),
        ("organiser", "organiser", "not_owner"),
        ("organiser", "owner", "not_owner"),
        ("scorekeeper", "member", "not_organiser"),
        ("member", "member", "not_organiser"),
        (None, "member", "not_organiser"),
    ],
)
def test_who_makes_whom_what(actor: str | None, role: str, answer: int | str) -> None:
    club = cast.club()
    someone(club, "owner", "Olga")
    api, _ = someone(club, actor, "Actor")
    told = api.post("clubs/kallio/members", {"name": "Aino", "role": role})
    assert (told.status_code if answer == 201 else told.json()["code"]) == answer
    assert Player.objects.filter(name="Aino").exists() is (answer == 201)


def test_an_organiser_does_not_unmake_an_owner() -> None:
    club = cast.club()
    _, olga = someone(club, "owner", "Olga")
    oskari, _ = someone(club, "organiser", "Oskari")
    assert code(change(oskari, olga, "member")) == (403, "not_owner")
    assert code(oskari.delete(f"clubs/kallio/members/{olga.pk}")) == (403, "not_owner")


def test_the_last_owner_can_not_go() -> None:
    club = cast.club()
    api, olga = someone(club, "owner", "Olga")
    assert code(change(api, olga, "member")) == (409, "last_owner")
    assert code(api.delete(f"clubs/kallio/members/{olga.pk}")) == (409, "last_owner")
    _, other = someone(club, "member", "Otso")
    assert change(api, other, "owner").status_code == 200
    assert api.delete(f"clubs/kallio/members/{olga.pk}").status_code == 204
    assert code(change(api, other, "member")) == (403, "not_organiser")


def test_two_owners_who_leave_at_once_leave_one() -> None:
    club = cast.club()
    owners = [someone(club, "owner", f"Owner {n}")[1].pk for n in range(2)]

    left = iter(owners)
    done = cast.at_once(lambda: members.remove(club.pk, (me := next(left)), me), 2)
    assert sorted(str(getattr(one, "code", "gone")) for one in done) == ["gone", "last_owner"]
    assert Membership.objects.filter(club=club, role="owner").count() == 1


def test_a_member_leaves_by_himself_and_takes_nobody_along() -> None:
    club = cast.club()
    someone(club, "owner", "Olga")
    aino, player = someone(club, "member", "Aino")
    _, bertil = someone(club, "member", "Bertil")
    assert code(aino.delete(f"clubs/kallio/members/{bertil.pk}")) == (403, "not_organiser")
    assert aino.delete(f"clubs/kallio/members/{player.pk}").status_code == 204
    assert code(aino.delete(f"clubs/kallio/members/{player.pk}")) == (404, "not_member")


def test_names_that_look_alike_are_allowed_and_marked() -> None:
    club = cast.club()
    oskari, _ = someone(club, "owner", "Oskari")
    ids = [
        oskari.post("clubs/kallio/members", {"name": name}).json()["player"]["id"]
        for name in ("Aino", "Аino", "Bertil")
    ]
    told = {row["player"]["id"]: row for row in Api().get("clubs/kallio/members").json()["results"]}
    assert told[ids[0]]["looks_like"] == [ids[1]]
    assert told[ids[1]]["looks_like"] == [ids[0]]
    assert told[ids[2]]["looks_like"] == []


def test_a_bot_is_no_member() -> None:
    club = cast.club()
    oskari, owner = someone(club, "owner", "Oskari")
    (robo,) = cast.bots(1, owner)
    assert code(oskari.post("clubs/kallio/members", {"player": robo.pk})) == (422, "people_only")


def test_a_guest_of_a_private_club_is_nobody_elsewhere() -> None:
    hidden, _ = someone(cast.club("salaiset", private=True), "owner", "Olga")
    guest = hidden.post("clubs/salaiset/members", {"name": "Aino"}).json()["player"]["id"]
    oskari, _ = someone(cast.club(), "owner", "Oskari")
    told = oskari.post("clubs/kallio/members", {"player": guest})
    nobody = oskari.post("clubs/kallio/members", {"player": 10**9})
    assert code(told) == code(nobody) == (404, "player_not_found")
    cup = oskari.post("competitions", {"club": "kallio", "name": "Cup"}).json()["id"]
    told = oskari.post(f"competitions/{cup}/entries", {"player": guest})
    assert code(told) == (404, "player_not_found")
