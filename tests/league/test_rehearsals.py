"""A rehearsal is wiped whole by one act, and nothing else can be deleted, whatever one tries."""

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Game, GameRecord
from league.errors import CompetitionNotFoundError, NotARehearsalError
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round, Webhook
from league.queries import visible
from league.services import chips, competitions, entries, house, rehearsals
from league.services.chips import ByHand
from league.services.competitions import NewCompetition
from league.services.notes import Prose
from tests.league import cast
from tests.league.test_api import Api, _api

pytestmark = pytest.mark.django_db(transaction=True)


def _event(rehearsal: bool, slug: str = "club") -> Competition:
    new = NewCompetition(
        name="Event", settings={"table_size": 3, "deals_per_table": 2}, rehearsal=rehearsal
    )
    event = competitions.create(cast.club(slug).pk, new)
    for player in cast.house_bots(5):
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    event.refresh_from_db()
    return event


def test_a_rehearsal_that_was_played_is_wiped_whole() -> None:
    event, other = _event(True), _event(False, "other")
    player = Entry.objects.filter(competition=event).earliest("number").player_id
    chips.give(event.pk, ByHand(player, 1, "late", Prose("Late.")), "player:1")
    Webhook.objects.create(competition=event, url="https://example.org", seal=b"")
    cast.play_all()
    rehearsals.wipe(event.pk, "player:1")
    assert list(Competition.objects.all()) == [other]
    assert set(LedgerRow.objects.values_list("competition", flat=True)) == {other.pk}
    assert set(GameRecord.objects.values_list("competition_ref", flat=True)) == {other.pk}
    assert PenaltyTally.objects.count() == 5
    assert Round.objects.filter(competition=other).count() == 2
    with pytest.raises(CompetitionNotFoundError):
        rehearsals.wipe(event.pk, "player:1")


def test_it_is_wiped_while_it_is_played_and_other_tables_of_the_slice_are_stored() -> None:
    event, other = _event(True), _event(False, "other")
    claimed = house._claim("test", alone=False)
    played = [house.play_table(view, lambda: None) for view in claimed]
    rehearsals.wipe(event.pk, "player:1")
    house._store("test", played)
    cast.play_all()
    other.refresh_from_db()
    assert other.state == "finished"
    assert not Game.objects.filter(competition_ref=event.pk).exists()
    assert not GameRecord.objects.filter(competition_ref=event.pk).exists()


def test_nothing_else_is_wiped() -> None:
    event = _event(False)
    with pytest.raises(NotARehearsalError):
        rehearsals.wipe(event.pk, "player:1")
    assert LedgerRow.objects.filter(competition=event).exists()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM league_ledgerrow",
        "UPDATE league_ledgerrow SET body = '{}'",
        "UPDATE league_competition SET rehearsal = true",
        "UPDATE league_competition SET rehearsal = NOT rehearsal",
        "DELETE FROM league_competition",
    ],
)
def test_the_database_refuses_what_the_service_would(statement: str) -> None:
    _event(False)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_row_of_a_rehearsal_is_not_changed_either() -> None:
    _event(True)
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerRow.objects.update(seq=0)


def test_only_the_club_knows_of_it_and_nothing_of_it_is_rated() -> None:
    event = _event(True)
    cast.play_all()
    assert not GameRecord.objects.filter(rated=True).exists()
    assert not visible.competitions(None).exists()
    assert list(visible.hidden(None)) == [event.pk]
    assert Api().get("competitions").json()["results"] == []
    assert Api().get(f"competitions/{event.pk}").status_code == 404
    assert b"Event" not in Api()._client.get("/").content


def test_over_the_api_by_organisers_alone() -> None:
    oskari, _ = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    body = {"club": "kulma", "name": "Try", "rehearsal": True}
    made = oskari.post("competitions", body).json()
    assert made["rehearsal"] is True
    one = f"competitions/{made['id']}"
    assert [row["id"] for row in oskari.get("competitions").json()["results"]] == [made["id"]]
    other, _ = _api("Aino")
    assert other.post(f"{one}/wipe", {}).status_code == 404
    assert oskari.post(f"{one}/wipe", {}).status_code == 204
    assert oskari.get(one).status_code == 404
    real = oskari.post("competitions", {"club": "kulma", "name": "Real"}).json()["id"]
    assert oskari.post(f"competitions/{real}/wipe", {}).json()["code"] == "not_a_rehearsal"
