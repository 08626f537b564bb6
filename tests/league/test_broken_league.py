"""What once broke a league: entries, results and corrections that nobody had thought of."""

from typing import Any

import pytest

from games.models import Player
from league.errors import BadResultError, BadSettingError, NotRunningError
from league.formats.settings import SettingError, read, stored
from league.models import Competition, DealResult, Entry, PenaltyTally, Round, Table
from league.queries.standings import standings
from league.services import (
    competitions,
    conduct,
    confirming,
    corrections,
    entries,
    ledger,
    rounds,
    tallies,
    typed,
)
from league.services.corrections import Correction
from league.services.typed_tables import By, Where
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
OSKARI = By(999, organiser=True)


@pytest.fixture(autouse=True)
def _oskari(db: None) -> None:
    Player.objects.create(pk=999, kind="person", name="Oskari", name_key="oskari")


def _night(people: int = 4, format: str = "rounds", **settings: Any) -> Competition:
    chosen = {"entrants": "people", "results": "typed", "next_round": "by_hand"}
    new = competitions.NewCompetition(
        name="Monday",
        format=format,  # type: ignore[arg-type]
        settings={**chosen, "deals_per_table": 1, **settings},
    )
    competition = competitions.create(cast.club().pk, new)
    for number in range(people):
        entries.enter(competition.pk, cast.person(f"Player {number + 1}").pk)
    competitions.start(competition.pk)
    return competition


def _seats(night: Competition, round_number: int, table: int = 1) -> list[int]:
    found = Table.objects.get(round__competition=night, round__number=round_number, number=table)
    return list(found.seats.order_by("index").values_list("entry__number", flat=True))


def _type_round(night: Competition, number: int, last: int = 0) -> None:
    for table in Table.objects.filter(round__competition=night, round__number=number):
        seats = sorted(_seats(night, number, table.number), key=lambda n: (n == last, n))
        if len(seats) > 1:
            _type(night, number, table.number, [[n] for n in seats])


def _type(
    night: Competition, number: int, table: int, said: list[list[int]], seen: int | None = None
) -> None:
    typed.enter(Where(night.pk, number, table, 1), said, OSKARI, seen)


def _sound(night: Competition) -> None:
    night.refresh_from_db()
    assert ledger.first_broken(night) is None
    assert tallies.recompute(night.pk, write=False) == []


def _drop(night: Competition, number: int) -> None:
    player = Entry.objects.get(competition=night, number=number).player_id
    conduct.drop(night.pk, player, "player:999")


def test_a_word_that_grows_in_capitals_is_measured_as_it_is_kept() -> None:
    with pytest.raises(SettingError):
        read({"word": "ß" * 7, "rounds": 3}, "rounds")
    settings = read({"word": "ßa"}, "rounds")
    assert stored(settings.to_json()) == settings


@pytest.mark.parametrize("format", ["knockout", "last_out"])
def test_nobody_comes_late_where_tables_decide_who_goes_on(format: str) -> None:
    with pytest.raises(SettingError):
        read({"late_entry": True}, format)


def test_there_is_room_for_two_at_least() -> None:
    with pytest.raises(BadSettingError):
        _night(0, capacity=1)


def test_eleven_can_not_have_played_one_deal() -> None:
    night = _night(12)
    with pytest.raises(BadResultError):
        _type(night, 1, 1, [[n] for n in range(1, 12)])


def test_who_changed_tables_is_seated_once_where_tables_stay_together() -> None:
    night = _night(6, seating="fixed")
    one, other = _seats(night, 1, 1), _seats(night, 1, 2)
    _type(night, 1, 1, [[n] for n in [*one, other[0]]])
    _type(night, 1, 2, [[n] for n in other])
    rounds.open(night.pk)
    assert sorted([*_seats(night, 2, 1), *_seats(night, 2, 2)]) == [1, 2, 3, 4, 5, 6]
    _sound(night)


@pytest.mark.parametrize("format", ["knockout", "last_out"])
def test_nobody_goes_on_from_a_table_where_he_was_not_drawn(format: str) -> None:
    night = _night(8, format)
    one, other = _seats(night, 1, 1), _seats(night, 1, 2)
    with pytest.raises(BadResultError):
        _type(night, 1, 1, [[other[0]], *([n] for n in one[1:])])


@pytest.mark.parametrize("format", ["knockout", "last_out", "strikes", "rounds"])
def test_who_drops_in_a_round_is_placed_behind_who_goes_on(format: str) -> None:
    night = _night(4, format, **({"rounds": 1} if format == "rounds" else {}))
    _drop(night, 2)
    said = [[1], [3], [4]]
    _type(night, 1, 1, said)
    for number in range(2, 12):
        rounds.open(night.pk)
        if not Round.objects.filter(competition=night, number=number).exists():
            break
        _type_round(night, number)
    _sound(night)
    assert night.state == "finished"
    places = dict(Entry.objects.values_list("number", "place"))
    assert places[2] == 4
    assert None not in places.values()
    assert standings(night)[0].entry.place == 1 or format == "rounds"


def test_a_pause_between_rounds_opens_none_where_that_is_done_by_hand() -> None:
    night = _night()
    _type_round(night, 1)
    conduct.pause(night.pk, "player:999")
    conduct.resume(night.pk, "player:999")
    assert Round.objects.filter(competition=night).count() == 1


def test_what_was_reported_counts_nowhere_when_all_is_called_off() -> None:
    night = _night(auto_confirm_minutes=0)
    by = By(Entry.objects.get(number=1).player_id, organiser=False)
    typed.enter(Where(night.pk, 1, 1, 1), [[1, 2, 3], [4]], by)
    conduct.void(night.pk, "player:999")
    confirming.confirm_overdue()
    assert DealResult.objects.get().state == "reported"
    assert Table.objects.get().state == "void"
    assert not PenaltyTally.objects.filter(losses__gt=0).exists()


def test_a_seat_disputes_nothing_when_it_is_over() -> None:
    night = _night(rounds=1)
    _type(night, 1, 1, [[1, 2, 3], [4]])
    loser = By(Entry.objects.get(number=4).player_id, organiser=False)
    with pytest.raises(NotRunningError):
        typed.enter(Where(night.pk, 1, 1, 1), [[1, 2, 4], [3]], loser, 1)


def test_the_winner_changes_with_a_result_of_an_early_round() -> None:
    night = _night(rounds=2)
    _type(night, 1, 1, [[1], [2], [3], [4]])
    rounds.open(night.pk)
    _type(night, 2, 1, [[2], [1], [4], [3]])
    _type(night, 1, 1, [[2], [3], [4], [1]], 1)
    _sound(night)
    assert night.state == "finished"
    rows = standings(night)
    assert [row.entry.place for row in rows] == [row.ranked.rank for row in rows]
    assert Entry.objects.get(number=2).place == 1


def test_nobody_is_without_a_place_after_a_correction_of_what_is_over() -> None:
    competition = cast.cup(cast.house_bots(9), {"deals_per_table": 1})
    competitions.start(competition.pk)
    cast.play_all()
    (deal,) = _house_result(competition)
    turned = [deal[-1], *deal[1:-1], deal[0]]
    corrections.amend(Correction(competition.pk, 1, 1, [turned], "typo", 1), "player:1")
    _sound(competition)
    found = Entry.objects.filter(competition=competition).exclude(state="out")
    assert found.count() == 1
    assert standings(competition)[0].entry.place == 1
    assert not Entry.objects.filter(competition=competition, place=None).exists()


def test_a_correction_tells_everybody_of_a_planned_deal() -> None:
    competition = cast.cup(cast.house_bots(3), {"deals_per_table": 1})
    competitions.start(competition.pk)
    cast.play_all()
    with pytest.raises(BadResultError):
        corrections.amend(Correction(competition.pk, 1, 1, [[[1], [2]]], "typo", 1), "player:1")


def _house_result(competition: Competition) -> list[Any]:
    rows = competition.ledgerrow_set.filter(kind="result.confirmed").order_by("seq")
    return next(r.body["deals"] for r in rows if (r.body["round"], r.body["table"]) == (1, 1))
