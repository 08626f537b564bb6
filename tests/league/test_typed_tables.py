"""Typed tables never block: seats left out, tables with one left, void results, whole sheets."""

from typing import Any

import pytest

from games.models import Player
from league.errors import ResultChangedError, ResultDecidesError, SeatLeftOutError
from league.formats.saying import Step
from league.models import Competition, DealResult, Entry, LedgerRow, PenaltyTally, Round, Table
from league.queries.disputes import disputes
from league.services import conduct, confirming, ledger, rounds, tallies, typed
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad
from tests.league.nights import night
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def oskari(db: None) -> By:
    return By(cast.person().pk, organiser=True)


def _seat(competition: Competition, number: int, *, organiser: bool = False) -> By:
    return By(Entry.objects.get(competition=competition, number=number).player_id, organiser)


def _say(
    competition: Competition,
    said: list[list[int]],
    by: By,
    deal: int = 1,
    seen: int | None = None,
    round_number: int = 1,
) -> typed.Entered:
    return typed.enter(Where(competition.pk, round_number, 1, deal), said, by, seen)


def _sound(competition: Competition) -> None:
    competition.refresh_from_db()
    assert ledger.first_broken(competition) is None
    assert tallies.recompute(competition.pk, write=False) == []
    assert _bad(document(competition)) == []


def _drop(competition: Competition, number: int) -> None:
    player = Entry.objects.get(competition=competition, number=number).player_id
    conduct.drop(competition.pk, player, "player:1")


@pytest.mark.parametrize("format", ["knockout", "last_out"])
def test_where_a_table_decides_nobody_is_left_out(format: str, oskari: By) -> None:
    cup = night(format=format)
    with pytest.raises(SeatLeftOutError) as refused:
        _say(cup, [[1], [2, 3]], oskari)
    assert refused.value.data["missing"] == [4]
    _drop(cup, 4)
    assert _say(cup, [[1], [2, 3]], oskari).step is Step.CONFIRM
    _say(cup, [[1], [2], [3]], oskari, deal=2)
    _sound(cup)
    assert cup.state == "finished"
    assert Entry.objects.get(competition=cup, number=4).place == 4


def test_in_a_league_somebody_may_sit_a_deal_out(oskari: By) -> None:
    monday = night()
    assert _say(monday, [[1], [2, 3]], oskari).step is Step.CONFIRM


@pytest.mark.parametrize("format", ["rounds", "strikes", "knockout", "last_out"])
@pytest.mark.parametrize("played", [0, 1])
def test_a_table_with_one_left_is_closed_and_the_event_goes_on(
    format: str, played: int, oskari: By
) -> None:
    event = night(7, format)
    table = Table.objects.filter(round__competition=event).earliest("number")
    seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
    if played:
        _say(event, [[number] for number in seats], oskari)
    for number in seats[1:]:
        _drop(event, number)
    table.refresh_from_db()
    assert (table.state, [g for g in table.places or [] if seats[0] in g]) == (
        "done",
        [[seats[0]]],
    )
    row = LedgerRow.objects.get(competition=event, body__source="forfeit")
    assert "deals" not in row.body
    for other in Table.objects.filter(round__competition=event, state="playing"):
        sat = list(other.seats.values_list("entry__number", flat=True))
        for deal in (1, 2):
            where = Where(event.pk, 1, other.number, deal)
            typed.enter(where, [[number] for number in sat], oskari)
    assert Round.objects.get(competition=event, number=1).state == "closed"
    assert Entry.objects.get(competition=event, number=seats[0]).state == "entered"
    _sound(event)


@pytest.mark.parametrize("format", ["rounds", "strikes", "knockout", "last_out"])
def test_all_but_one_leave_a_typed_event_and_it_is_over(format: str) -> None:
    event = night(7, format)
    for number in range(1, 7):
        _drop(event, number)
    event.refresh_from_db()
    assert event.state == "finished"
    assert not Entry.objects.filter(competition=event, place=None).exists()
    assert Entry.objects.get(competition=event, place=1).number == 7
    _sound(event)


def test_a_void_result_counts_nowhere_and_a_repeat_does_not_bring_it_back(oskari: By) -> None:
    monday = night(deals_per_table=1)
    _say(monday, [[1, 2, 3], [4]], oskari)
    where = Where(monday.pk, 1, 1, 1)
    voided = typed.void(where, oskari, 1, "wrong_deal", "That was last week.")
    assert (voided.step, voided.result.version) == (Step.VOID, 2)
    assert typed.void(where, oskari, 2, "wrong_deal").step is Step.NOTHING
    assert not PenaltyTally.objects.filter(competition=monday, deals__gt=0).exists()
    assert Table.objects.get().state == "void"
    for said in ([[1, 2, 3], [4]], [[4], [1, 2, 3]]):
        with pytest.raises(ResultChangedError):
            _say(monday, said, oskari, seen=1)
    _sound(monday)
    assert _say(monday, [[1, 2, 3], [4]], oskari, seen=2).step is Step.RULE
    assert Table.objects.get().state == "done"
    assert PenaltyTally.objects.get(competition=monday, entry__number=4).losses == 1
    _sound(monday)


def test_a_void_meeting_does_not_count_in_the_next_draw(oskari: By) -> None:
    monday = night(4, deals_per_table=1, rounds=3)
    _say(monday, [[1], [2], [3], [4]], oskari)
    typed.void(Where(monday.pk, 1, 1, 1), oskari, 1, "ruling")
    rounds.open(monday.pk)
    drawn = Round.objects.get(competition=monday, number=2).draw
    assert drawn["repeats"] == 0
    _sound(monday)


def test_a_result_that_has_decided_who_goes_on_is_corrected_not_void(oskari: By) -> None:
    cup = night(5, "knockout", deals_per_table=1, table_size=3)
    table = Table.objects.filter(round__competition=cup).earliest("number")
    seats = list(table.seats.values_list("entry__number", flat=True))
    where = Where(cup.pk, 1, table.number, 1)
    typed.enter(where, [[number] for number in seats], oskari)
    with pytest.raises(ResultDecidesError):
        typed.void(where, oskari, 1, "ruling")


def test_a_ruling_by_somebody_who_sat_there_is_marked() -> None:
    monday = night()
    said, other = [[1, 2, 3], [4]], [[1, 2, 4], [3]]
    for deal, ruler in ((1, _seat(monday, 2, organiser=True)), (2, By(10**6, organiser=True))):
        if deal == 2:
            Player.objects.create(pk=10**6, kind="person", name="Otto", name_key="otto")
        _say(monday, said, _seat(monday, 1), deal)
        _say(monday, other, _seat(monday, 4), deal, seen=1)
        _say(monday, other, ruler, deal, seen=1)
    ruled = LedgerRow.objects.filter(kind="result.ruled").order_by("seq")
    assert [row.body.get("own_table") for row in ruled] == [True, None]


def test_the_standings_say_what_a_dispute_would_make_of_them(oskari: By) -> None:
    monday = night()
    assert disputes(monday) == []
    _say(monday, [[1, 2, 3], [4]], _seat(monday, 1))
    _say(monday, [[1, 2, 4], [3]], _seat(monday, 4), seen=1)
    (dispute,) = disputes(monday)
    assert dispute["text"] == (
        "One deal in dispute (round 1, table 1, deal 1): if Player 4 lost it, Player 4 has one "
        "chip; if Player 3 lost it, Player 3 has one chip."
    )
    assert [v["chips"]["4"] for v in dispute["versions"]] == [1, 0]
    _say(monday, [[1, 2, 4], [3]], oskari, seen=1)
    assert disputes(monday) == []


def test_the_table_confirms_its_whole_sheet_from_another_seat() -> None:
    monday = night()
    _say(monday, [[1, 2, 3], [4]], _seat(monday, 1), 1)
    _say(monday, [[1, 2, 3], [4]], _seat(monday, 1), 2)
    where = Where(monday.pk, 1, 1, 1)
    assert confirming.confirm_sheet(where, _seat(monday, 1))[0] == 0
    assert confirming.confirm_sheet(where, _seat(monday, 3))[0] == 2
    assert confirming.confirm_sheet(where, _seat(monday, 3))[0] == 0
    assert set(DealResult.objects.values_list("state", flat=True)) == {"confirmed"}
    _sound(monday)


def test_a_correction_after_a_void_says_that_it_is_void() -> None:
    from league.errors import ResultVoidError  # noqa: PLC0415
    from league.services import competitions, corrections, entries  # noqa: PLC0415
    from league.services.corrections import Correction, Undoing, Voiding  # noqa: PLC0415

    new = competitions.NewCompetition(
        name="Bots",
        format="rounds",  # type: ignore[arg-type]
        settings={"deals_per_table": 1, "rounds": 2, "next_round": "by_hand"},
        secret=cast.SECRET,
    )
    event = competitions.create(cast.club("bots").pk, new)
    for player in cast.house_bots(4):
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    cast.play_all()
    first = LedgerRow.objects.get(kind="result.confirmed").body["deals"]
    assert corrections.void(Voiding(event.pk, 1, 1, "ruling", 1), "player:1")[0] == 2
    assert not PenaltyTally.objects.filter(competition=event, deals__gt=0).exists()
    _sound(event)
    with pytest.raises(ResultVoidError):
        corrections.amend(Correction(event.pk, 1, 1, first, "typo", 2), "player:1")
    assert corrections.undo(Undoing(event.pk, 1, 1, 2), "player:1")[0] == 3
    assert PenaltyTally.objects.filter(competition=event, deals=1).count() == 4
    assert corrections.undo(Undoing(event.pk, 1, 1, 3), "player:1")[0] == 4  # the undo of the undo
    assert Table.objects.get().state == "void"
    rounds.open(event.pk)
    cast.play_all()
    _sound(event)
    assert event.state == "finished"


def test_over_the_api_seats_left_out_voids_and_sheets() -> None:
    oskari, _ = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    settings: dict[str, Any] = {"entrants": "people", "results": "typed", "deals_per_table": 1}
    body = {"club": "kulma", "name": "Cup", "settings": settings}
    one = f"competitions/{oskari.post('competitions', body).json()['id']}"
    (aino, a), (bertil, b), (_, c) = [_api(name) for name in ("Aino", "Bertil", "Cecilia")]
    for player in (a, b, c):
        oskari.post(f"{one}/entries", {"player": player.pk})
    oskari.post(f"{one}/start", {})
    table = f"{one}/rounds/1/tables/1"
    left_out = oskari.post(f"{table}/deals/1/result", {"places": [[1], [2]]})
    assert (left_out.status_code, left_out.json()["missing"]) == (422, [3])
    assert left_out.json()["hint"]
    aino.post(f"{table}/deals/1/result", {"places": [[1], [2], [3]]})
    assert aino.post(f"{table}/deals/1/void", {"reason": "typo", "seen": 1}).status_code == 403
    voided = oskari.post(f"{table}/deals/1/void", {"reason": "typo", "seen": 1}).json()
    assert (voided["state"], voided["step"], voided["version"]) == ("void", "voided", 2)
    again = aino.post(f"{table}/deals/1/result", {"places": [[1], [2], [3]], "seen": 2}).json()
    assert again["state"] == "reported"
    assert bertil.post(f"{table}/confirm", {}).json() == {"deals": 1}
    assert oskari.get(one).json()["state"] == "finished"
    assert oskari.get(f"{one}/standings").json()["disputes"] == []
