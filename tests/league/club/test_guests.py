"""Guests: claimed, merged and moved back, made nameless; the ledger verifies through all of it."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.kit.models import Act
from config.kit.names import BadNameError
from games.models import Player
from league.archive.checking import check
from league.errors import (
    BadClaimCodeError,
    BothEnteredError,
    MergedSinceError,
    NotAGuestError,
    NotOrganiserError,
    SeatedTogetherError,
)
from league.models import Club, Competition, Entry, FormerName, Membership, Merge, PenaltyTally
from league.queries import sheets
from league.services import entries, guests, ledger, members, renaming, tallies, typed
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.archive import cast as archive
from tests.league.club.browser import organiser_of, phone, secret_in
from tests.league.club.test_members import code, someone
from tests.league.club.test_places import night

pytestmark = pytest.mark.django_db(transaction=True)


def guest(club: Club, name: str) -> Player:
    owner = Membership.objects.filter(club=club, role="owner").first()
    by = owner.player_id if owner else organiser_of(club)[1].pk
    return members.add_guest(club.pk, name, by).player


def played() -> tuple[Competition, Player, int]:
    """A league in which a guest plays in the place of the first player and was last once."""
    league = night()
    _, owner = organiser_of(league.club)
    visitor = guest(league.club, "Vieras Ville")
    first = Entry.objects.get(competition=league, number=1)
    for model in (Entry, PenaltyTally):
        model.objects.filter(player=first.player).update(player=visitor)
    typed.enter(Where(league.pk, 1, 1, 1), [[2, 3, 4], [1]], By(owner.pk, organiser=True))
    return league, visitor, owner.pk


def sound(league: Competition) -> None:
    assert tallies.recompute(league.pk, write=False) == []
    assert ledger.first_broken(Competition.objects.get(pk=league.pk)) is None
    verdicts = list(check(json.dumps(archive.document(league), default=str)))
    assert [one for one in verdicts if not one["ok"]] == []


def everything(league: Competition) -> str:
    """All that tells of a league outside: document, sheets, pages."""
    club = league.club
    page = phone(Membership.objects.filter(club=club, role="owner")[0].player)
    told = [str(archive.document(league))]
    told += [str(list(sheets.rows(name, league))) for name in sheets.SHEETS]
    for path in (f"/l/{league.slug}/", f"/club/{club.slug}/", f"/c/{league.slug}/"):
        told.append(page.get(path).content.decode())
    told.append(page.get(f"/api/v1/competitions/{league.pk}/dashboard").content.decode())
    return "".join(told)


def test_a_nameless_player_is_nowhere_named_and_keeps_his_results() -> None:
    league, visitor, by = played()
    assert "Vieras Ville" in everything(league)
    guests.anonymise(league.club_id, visitor.pk, by)
    assert "Vieras" not in everything(league)
    assert PenaltyTally.objects.get(player=visitor).losses == 1
    assert not Player.objects.filter(name__contains="Vieras").exists()
    assert not Player.objects.filter(name_key__contains="vieras").exists()
    sound(league)


def test_a_merge_moves_the_results_and_its_undo_moves_them_back() -> None:
    league, visitor, by = played()
    aino = guest(league.club, "Aino")
    made = guests.merge(league.club_id, visitor.pk, aino.pk, by)
    assert Entry.objects.get(competition=league, number=1).player == aino
    assert "Vieras" not in str(archive.document(league))
    assert not Membership.objects.filter(player=visitor).exists()
    sound(league)
    guests.unmerge(league.club_id, made.pk, by)
    assert Entry.objects.get(competition=league, number=1).player == visitor
    assert Membership.objects.get(player=visitor).role == "member"
    sound(league)
    guests.merge(league.club_id, visitor.pk, aino.pk, by)


def test_two_who_sat_in_one_deal_are_two_and_the_deals_are_named() -> None:
    league, visitor, by = played()
    other = Entry.objects.get(competition=league, number=2).player
    Membership.objects.create(club=league.club, player=other)
    with pytest.raises(SeatedTogetherError) as refused:
        guests.merge(league.club_id, visitor.pk, other.pk, by)
    deals: Any = refused.value.data["deals"]
    assert deals == [{"competition": league.slug, "round": 1, "table": 1, "deal": None}]
    assert not Merge.objects.exists()


def test_two_entries_in_one_competition_are_not_made_one() -> None:
    league, visitor, by = played()
    Competition.objects.filter(pk=league.pk).update(
        settings={**league.settings, "late_entry": True}
    )
    aino = guest(league.club, "Aino")
    entries.enter(league.pk, aino.pk)
    with pytest.raises(BothEnteredError):
        guests.merge(league.club_id, visitor.pk, aino.pk, by)


def test_who_merged_into_somebody_nameless_stays_so() -> None:
    league, visitor, by = played()
    aino = guest(league.club, "Aino")
    made = guests.merge(league.club_id, visitor.pk, aino.pk, by)
    guests.anonymise(league.club_id, aino.pk, by)
    assert not Player.objects.filter(name__contains="Vieras").exists()
    with pytest.raises(MergedSinceError):
        guests.unmerge(league.club_id, made.pk, by)


def test_who_has_an_account_or_runs_the_club_is_no_guest() -> None:
    league, visitor, by = played()
    Player.objects.filter(pk=visitor.pk).update(user=User.objects.create(username="ville"))
    for act in (guests.anonymise, guests.offer):
        with pytest.raises(NotAGuestError):
            act(league.club_id, visitor.pk, by)
    with pytest.raises(NotAGuestError):
        guests.anonymise(league.club_id, by, by)


def offered(league: Competition, visitor: Player) -> str:
    owner = Membership.objects.filter(club=league.club, role="owner")[0].player
    page = phone(owner).post(f"/club/{league.club.slug}/members/{visitor.pk}/code")
    return secret_in(page, "code")


def test_who_types_the_code_is_the_guest_from_then_on_and_once() -> None:
    league, visitor, _ = played()
    code = offered(league, visitor)
    ville = phone()
    assert "Vieras Ville" in ville.post("/claim/", {"code": code.lower()}).content.decode()
    assert ville.session["player"] == visitor.pk
    assert ville.get(f"/l/{league.slug}/").status_code == 200
    assert phone().post("/claim/", {"code": code}).status_code == 404
    with pytest.raises(BadClaimCodeError):
        guests.claim("nothing", None)


def test_who_has_an_account_takes_the_guest_in() -> None:
    league, visitor, _ = played()
    user = User.objects.create_user("aino", password="x" * 12)
    aino = Player.objects.create(kind="person", name="Aino", name_key="aino", user=user)
    client: Client = phone(aino)
    client.force_login(user)
    session = client.session
    session["player"] = aino.pk
    session.save()
    page = client.post("/claim/", {"code": offered(league, visitor)})
    assert page.status_code == 200
    assert Entry.objects.get(competition=league, number=1).player == aino
    assert Membership.objects.filter(club=league.club, player=aino).exists()
    sound(league)


def test_the_forms_of_the_club_page_do_it_and_ask_twice_for_what_has_no_way_back() -> None:
    league, visitor, _ = played()
    client, _ = organiser_of(league.club, "organiser", "Otto")
    aino = guest(league.club, "Aino")
    at = f"/club/{league.club.slug}/members/{visitor.pk}"
    client.post(f"{at}/merge", {"into": aino.pk})
    page = client.get(f"/club/{league.club.slug}/").content.decode()
    (undo,) = re.findall(r'action="(/club/[^"]+/merges/\d+)"', page)
    client.post(undo)
    assert Entry.objects.get(competition=league, number=1).player == visitor
    client.post(f"{at}/anonymise")
    assert Player.objects.get(pk=visitor.pk).anonymised_at is None
    client.post(f"{at}/anonymise", {"sure": "1"})
    assert Player.objects.get(pk=visitor.pk).anonymised_at is not None


def test_guests_and_places_over_the_api() -> None:
    league, visitor, _ = played()
    api, _ = someone(league.club, "organiser", "Otto")
    aino = guest(league.club, "Aino")
    at = f"clubs/{league.club.slug}"
    made = api.post(f"{at}/members/{visitor.pk}/merge", {"into": aino.pk})
    assert (made.status_code, made.json()["entries"]) == (201, 1)
    undone = api.post(f"{at}/merges/{made.json()['id']}/undo", {})
    assert undone.json()["undone_at"] is not None
    assert code(api.post(f"{at}/merges/{made.json()['id']}/undo", {})) == (404, "merge_not_found")
    offer = api.post(f"{at}/members/{visitor.pk}/claim-code", {}).json()["code"]
    bertil, player = someone(league.club, None, "Bertil")
    claimed = bertil.post("claims", {"code": offer})
    assert claimed.json()["player"]["id"] == player.pk
    assert code(bertil.post("claims", {"code": offer})) == (422, "bad_claim_code")
    gone = api.post(f"{at}/members/{aino.pk}/anonymise", {})
    assert gone.json()["player"]["name"] == f"Nameless {aino.pk}"
    assert code(api.post(f"{at}/members/{player.pk}/anonymise", {})) == (409, "not_a_guest")
    table = api.post(f"{at}/places", {"tables": 2}).json()["results"][1]
    assert table["url"].endswith(f"/t/{table['code']}/")
    assert len(api.get(f"{at}/places").json()["results"]) == 2


def test_a_club_can_not_take_whom_it_did_not_make() -> None:
    league, visitor, _ = played()
    thief, _ = someone(cast.club("varkaat"), "owner", "Varas")
    # A guest of another club, and one who made himself: public, but not to be taken.
    Club.objects.filter(pk=league.club_id).update(private=False)
    told = thief.post("clubs/varkaat/members", {"player": visitor.pk})
    assert code(told) == (404, "player_not_found")
    _, cecilia = someone(league.club, None, "Cecilia")
    Player.objects.filter(pk=cecilia.pk).update(kind="guest")
    assert thief.post("clubs/varkaat/members", {"player": cecilia.pk}).status_code == 201
    at = f"clubs/varkaat/members/{cecilia.pk}"
    for act in ("claim-code", "anonymise"):
        assert code(thief.post(f"{at}/{act}", {})) == (409, "not_a_guest")
    one = thief.post("clubs/varkaat/members", {"name": "Uusi"}).json()["player"]["id"]
    assert code(thief.post(f"{at}/merge", {"into": one})) == (409, "not_a_guest")


def test_a_typo_in_a_name_is_put_right_everywhere_and_the_old_one_is_kept_beside_the_log() -> None:
    league, visitor, owner = played()
    oskari = phone(Player.objects.get(pk=owner))
    path = f"/club/{league.club.slug}/members/{visitor.pk}"
    for _ in range(2):
        page = oskari.post(path, {"name": "Vieras Wille"}, follow=True).content.decode()
    assert "<bdi>Vieras Ville</bdi> is now <bdi>Vieras Wille</bdi>" in page
    outside = oskari.get(f"/l/{league.slug}/").content.decode()
    assert "Vieras Wille" in outside
    assert "Vieras Ville" not in outside
    (act,) = Act.objects.filter(verb="player.renamed")
    (former,) = FormerName.objects.all()
    assert (act.actor, act.data) == (f"player:{owner}", {"player": visitor.pk, "former": former.pk})
    assert former.name == "Vieras Ville"
    sound(league)
    guests.anonymise(league.club.pk, visitor.pk, owner)
    assert not FormerName.objects.exists()
    assert "Ville" not in everything(league)


def test_who_speaks_for_himself_is_not_renamed_by_others_nor_by_who_runs_nothing() -> None:
    club = cast.club()
    _, owner = organiser_of(club)
    _, member = someone(club, "member", "Itse Irma")
    with pytest.raises(NotAGuestError):
        renaming.rename(club.pk, member.pk, "Toinen", owner.pk)
    visitor = guest(club, "Vieras Ville")
    with pytest.raises(NotOrganiserError):
        renaming.rename(club.pk, visitor.pk, "Toinen", member.pk)
    with pytest.raises(BadNameError):
        renaming.rename(club.pk, visitor.pk, "\u202eelliV", owner.pk)
    assert not FormerName.objects.exists()


def test_a_name_is_put_right_by_api_too() -> None:
    club = cast.club()
    _, owner = organiser_of(club)
    visitor = guest(club, "Vieras Ville")
    path = f"/api/v1/clubs/{club.slug}/members/{visitor.pk}"
    client = phone(owner)
    answer = client.patch(path, {"name": "Vieras Wille"}, content_type="application/json")
    assert answer.json()["player"]["name"] == "Vieras Wille"
    for bad in ({}, {"name": "Ville", "role": "member"}):
        refused = client.patch(path, bad, content_type="application/json")
        assert refused.status_code == 400
