"""Corrections of single deals by API, typed in or played here; disputes in the dashboard."""

from typing import Any

import pytest
from django.test import Client

from games.models import Player
from league.models import Competition, DealResult, Entry, LedgerRow, PenaltyTally
from league.services import competitions, deal_corrections, tallies, typed
from league.services.deal_corrections import Change
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.club.browser import organiser_of
from tests.league.nights import night

pytestmark = pytest.mark.django_db(transaction=True)


def _post(client: Client, league: Competition, rest: str, body: Any, **headers: str) -> Any:
    path = f"/api/v1/competitions/{league.pk}/rounds/1/tables/1/deals/1/{rest}"
    return client.post(path, body, content_type="application/json", headers=headers)


def _chips(league: Competition) -> list[int]:
    assert tallies.recompute(league.pk, write=False) == []
    rows = PenaltyTally.objects.filter(competition=league).order_by("entry__number")
    return list(rows.values_list("chips", flat=True))


def test_a_deal_is_looked_at_corrected_once_and_undone() -> None:
    league = night()
    oskari, player = organiser_of(league.club)
    by = By(player.pk, organiser=True)
    typed.enter(Where(league.pk, 1, 1, 1), [[1, 2, 3], [4]], by)
    asked = {"places": [[1, 2, 4], [3]], "reason": "typo", "seen": 1, "note": "Aino rang"}
    looked = _post(oskari, league, "correction/preview", asked).json()
    assert {row["entry"] for row in looked["results"]} >= {3, 4}
    assert (looked["kept"], looked["drawn"], _chips(league)) == ([], [], [0, 0, 0, 1])
    for _ in range(2):
        answer = _post(oskari, league, "correction", asked, idempotency_key="one")
        assert answer.json() == {"version": 2}
    assert _chips(league) == [0, 0, 1, 0]
    assert _post(oskari, league, "correction", {"change": "undo", "seen": 2}).json()["version"] == 3
    assert _chips(league) == [0, 0, 0, 1]
    stale = _post(oskari, league, "correction", {**asked, "note": ""})
    assert (stale.status_code, stale.json()["code"]) == (409, "result_changed")
    gone = _post(oskari, league, "correction", {"change": "void", "seen": 3})
    assert (gone.json()["version"], _chips(league)) == (4, [0, 0, 0, 0])


def test_who_gave_up_comes_back_with_the_undo() -> None:
    league = night()
    oskari, player = organiser_of(league.club)
    body = {"places": [[1, 2, 3], [4]], "forfeits": [4]}
    told = _post(oskari, league, "result", body).json()
    assert (told["state"], told["forfeits"]) == ("confirmed", [4])
    where, by = Where(league.pk, 1, 1, 1), By(player.pk, organiser=True)
    deal_corrections.make(Change(where, "typo", 1, [[1, 2, 4], [3]]), by)
    assert DealResult.objects.get().forfeits == []
    deal_corrections.make(Change(where, "undo", 2, undo=True), by)
    assert DealResult.objects.get().forfeits == [4]
    for wrong in ([1], [9]):
        refused = _post(oskari, league, "result", {**body, "forfeits": wrong, "seen": 3})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_result")


def test_a_deal_that_was_played_here_is_corrected_in_its_table() -> None:
    cup = cast.cup(cast.house_bots(9), {"deals_per_table": 2})
    competitions.start(cup.pk)
    cast.play_all()
    oskari, _ = organiser_of(cup.club)
    rows = LedgerRow.objects.filter(competition=cup, body__round=1, body__table=1)
    first, second = rows.get(kind="result.confirmed").body["deals"][:2]
    turned = [first[-1], *first[1:-1], first[0]]
    asked = {"places": turned, "reason": "swapped", "seen": 1}
    assert _post(oskari, cup, "correction/preview", asked).status_code == 200
    assert _post(oskari, cup, "correction", asked).json() == {"version": 2}
    assert rows.get(kind="result.amended").body["deals"][:2] == [turned, second]
    assert _post(oskari, cup, "correction", {"change": "undo", "seen": 2}).json() == {"version": 3}
    newest = rows.filter(kind="result.amended").order_by("-seq")[0]
    assert newest.body["deals"][:2] == [first, second]
    assert tallies.recompute(cup.pk, write=False) == []


def test_the_dashboard_says_what_is_in_dispute() -> None:
    league = night()
    for number, last in ((1, 4), (2, 3)):
        player = Player.objects.get(pk=Entry.objects.get(number=number).player_id)
        others = [n for n in (1, 2, 3, 4) if n != last]
        by = By(player.pk, organiser=False)
        typed.enter(Where(league.pk, 1, 1, 1), [others, [last]], by, seen=1)
    (dispute,) = Client().get(f"/api/v1/competitions/{league.pk}/dashboard").json()["disputes"]
    assert [version["chips"] for version in dispute["versions"]] == [
        {"1": 0, "2": 0, "3": 0, "4": 1},
        {"1": 0, "2": 0, "3": 1, "4": 0},
    ]
    standings = Client().get(f"/api/v1/competitions/{league.pk}/standings").json()
    assert standings["disputes"] == [dispute]
