"""Links: shown once, open a club for who has no account, end for good, and leave no trace."""

import logging
from typing import Any

import pytest
from django.test import Client

from config.kit.models import Act
from games.models import Player
from league.models import Club, ClubLink, Membership
from league.services import links
from tests.league import cast
from tests.league.club.browser import open_link, organiser_of, phone, secret_in
from tests.league.club.test_members import code, someone
from tests.league.test_api import Api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club() -> Club:
    return cast.club("salaiset", private=True)


def made(club: Club, role: str = "organiser") -> Any:
    """The page on which an owner sees a new link."""
    owner, _ = organiser_of(club, name=f"Owner {role}")
    return owner.post(f"/club/{club.slug}/links/{role}")


def test_whoever_opens_the_organiser_link_runs_the_club(club: Club) -> None:
    address = secret_in(made(club))
    anybody = phone()
    assert anybody.get("/club/salaiset/").status_code == 404
    page = open_link(anybody, address)
    assert page.redirect_chain == [("/k/", 302), ("/club/salaiset/", 302)]
    assert "you are here as organiser, by link" in page.content.decode()
    assert anybody.post("/club/salaiset/members", {"name": "Aino"}).status_code == 302
    assert Membership.objects.filter(club=club, player__name="Aino").exists()
    link = ClubLink.objects.get()
    acts = Act.objects.filter(actor=f"player:{link.player_id}").order_by("pk")
    assert list(acts.values_list("verb", flat=True)) == [
        "link.opened",
        "member.added",
    ]


def test_the_player_link_shows_the_club_and_runs_nothing(club: Club) -> None:
    player = phone()
    open_link(player, secret_in(made(club, "member")))
    assert player.get("/club/salaiset/").status_code == 200
    assert player.post("/club/salaiset/members", {"name": "Aino"}).status_code == 404
    assert player.post("/club/salaiset/links/organiser").status_code == 404


def test_a_link_shows_the_tournaments_of_its_club_and_of_no_other(club: Club) -> None:
    cup, other = cast.cup([], club_=club), cast.cup([], club_=cast.club("muut", private=True))
    player = phone()
    open_link(player, secret_in(made(club, "member")))
    assert player.get(f"/c/{cup.slug}/").status_code == 200
    assert player.get(f"/c/{other.slug}/").status_code == 404


def test_a_link_stands_beside_the_player_of_the_browser(club: Club) -> None:
    cecilia = cast.person("Cecilia")
    client = phone(cecilia)
    open_link(client, secret_in(made(club)))
    assert client.get("/club/salaiset/").status_code == 200
    assert client.session["player"] == cecilia.pk
    assert client.get("/api/v1/me").json()["player"]["name"] == "Cecilia"


def test_only_hashes_are_kept_and_links_are_no_members(club: Club) -> None:
    page = made(club)
    secret = secret_in(page).rstrip("/").rpartition("/")[2]
    recovery = secret_in(page, "recovery").replace("-", "")
    row = ClubLink.objects.get()
    kept = f"{vars(row)} {list(Player.objects.values())} {list(Act.objects.values())}"
    assert secret not in kept
    assert recovery not in kept
    assert len(secret) == 32
    assert len(recovery) == 16
    assert "no-store" in page["Cache-Control"]
    owner, _ = organiser_of(club, name="Olga")
    assert secret not in owner.get("/club/salaiset/").content.decode()
    assert "Organiser link</strong>" not in owner.get("/club/salaiset/").content.decode()
    api, _ = someone(club, "owner", "Otso")
    told = api.get("clubs/salaiset/members").json()["results"]
    assert "Organiser link" not in [one["player"]["name"] for one in told]
    assert code(api.delete(f"clubs/salaiset/members/{row.player_id}")) == (404, "not_member")


def test_a_link_made_anew_ends_the_old_one_and_all_it_opened(club: Club) -> None:
    first = secret_in(made(club))
    old = phone()
    open_link(old, first)
    owner, _ = organiser_of(club, name="Olga")
    second = secret_in(owner.post("/club/salaiset/links/organiser"))
    assert old.get("/club/salaiset/").status_code == 404
    assert open_link(phone(), first).status_code == 404
    assert open_link(phone(), second).status_code == 200
    owner.post("/club/salaiset/links/organiser", {"revoke": "1"})
    assert open_link(phone(), second).status_code == 404
    assert not ClubLink.objects.filter(revoked_at=None).exists()


def test_who_renews_the_link_by_which_he_is_here_stays(club: Club) -> None:
    client = phone()
    open_link(client, secret_in(made(club)))
    assert client.post("/club/salaiset/links/organiser").status_code == 200
    assert client.get("/club/salaiset/").status_code == 200


def test_the_recovery_code_gives_a_fresh_link_and_a_fresh_code_once(club: Club) -> None:
    page = made(club)
    old, typed = secret_in(page), secret_in(page, "recovery").lower().replace("-", " ")
    client = phone()
    fresh = client.post("/recover/", {"code": typed})
    assert fresh.status_code == 200
    assert client.get("/club/salaiset/").status_code == 200
    assert open_link(phone(), secret_in(fresh)).status_code == 200
    assert open_link(phone(), old).status_code == 404
    again = phone().post("/recover/", {"code": typed})
    assert again.status_code == 404
    assert "No club has this recovery code." in again.content.decode()
    assert secret_in(fresh, "recovery") != secret_in(page, "recovery")


def test_one_of_two_who_recover_at_once_gets_the_link(club: Club) -> None:
    typed = secret_in(made(club), "recovery")
    done = cast.at_once(lambda: links.recover(typed), 4)
    assert (
        sorted(str(getattr(one, "code", "fresh")) for one in done)
        == ["fresh"] + ["recovery_not_found"] * 3
    )


def test_the_secret_leaves_the_address_at_once_and_is_told_to_nobody(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    address = secret_in(made(club))
    client = phone()
    for path in (address.removeprefix("http://testserver"), "/k/"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"
    secret = address.rstrip("/").rpartition("/")[2]
    assert secret not in answer["Location"]
    cookie = answer.cookies["club_link"]
    assert (cookie.value, cookie["path"]) == ("", "/k/")
    spoiled = phone()
    assert open_link(spoiled, f"/k/{'x' * 32}/").status_code == 404
    assert secret not in caplog.text
    assert "x" * 32 not in caplog.text


def test_the_address_with_the_secret_asks_the_database_nothing(
    club: Club, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        answer = Client().get(f"/k/{'y' * 32}/")
    assert answer.cookies["club_link"]["httponly"]


def test_guesses_are_limited_whatever_else_is_opened_between_them(club: Club) -> None:
    page = made(club)
    for _ in range(49):
        assert phone().post("/recover/", {"code": "nothing"}).status_code == 404
        assert open_link(phone(), secret_in(page)).status_code == 200
    for _ in range(2):
        assert phone().post("/recover/", {"code": "nothing"}).status_code == 404
    assert phone().post("/recover/", {"code": secret_in(page, "recovery")}).status_code == 429
    told = Api().post("link-recoveries", {"code": "nothing"})
    assert code(told) == (429, "too_many_tries")
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert open_link(elsewhere, secret_in(page)).status_code == 200


def test_links_over_the_api(club: Club) -> None:
    api, _ = someone(club, "organiser", "Oskari")
    member, _ = someone(club, "member", "Aino")
    assert code(member.get("clubs/salaiset/links")) == (403, "not_organiser")
    key = {"Idempotency-Key": "k1"}
    fresh = api.post("clubs/salaiset/links", {"role": "organiser"}, **key)
    assert fresh.status_code == 201
    again = api.post("clubs/salaiset/links", {"role": "organiser"}, **key)
    assert (again.json()["url"], again.json()["recovery_code"]) == (None, None)
    assert ClubLink.objects.count() == 1
    assert open_link(phone(), fresh.json()["url"]).status_code == 200
    (row,) = api.get("clubs/salaiset/links").json()["results"]
    assert row["opened_at"] is not None
    assert api.delete("clubs/salaiset/links/organiser").status_code == 204
    assert code(api.delete("clubs/salaiset/links/organiser")) == (404, "link_not_found")
    assert code(api.delete("clubs/salaiset/links/x")) == (404, "link_not_found")
    gone = Api().post("link-recoveries", {"code": fresh.json()["recovery_code"]})
    assert code(gone) == (404, "recovery_not_found")


def test_a_link_is_nobody_who_could_play(club: Club) -> None:
    api, _ = someone(club, "owner", "Oskari")
    api.post("clubs/salaiset/links", {"role": "member"})
    link = ClubLink.objects.get()
    cup = api.post("competitions", {"club": "salaiset", "name": "Cup"}).json()["id"]
    told = api.post(f"competitions/{cup}/entries", {"player": link.player_id})
    assert code(told) == (404, "player_not_found")
    assert code(api.post("clubs/salaiset/members", {"player": link.player_id})) == (
        404,
        "player_not_found",
    )
