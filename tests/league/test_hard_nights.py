"""What programs of this kind stumble over: empty finals, farmed byes, late corrections."""

from collections import Counter

import pytest

from league.errors import AlreadyEnteredError, RoundBegunError
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Round, Table
from league.services import (
    competitions,
    conduct,
    corrections,
    entries,
    house,
    ledger,
    rounds,
    tallies,
)
from league.services.corrections import Correction, Undoing, Voiding
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad

pytestmark = pytest.mark.django_db(transaction=True)


def _sound(competition: Competition) -> None:
    competition.refresh_from_db()
    assert ledger.first_broken(competition) is None
    assert tallies.recompute(competition.pk, write=False) == []
    found = Competition.objects.select_related("club", "rules").get(pk=competition.pk)
    assert _bad(document(found)) == []


def _drop(competition: Competition, *numbers: int) -> None:
    for number in numbers:
        player = Entry.objects.get(competition=competition, number=number).player_id
        conduct.drop(competition.pk, player, "player:1")


def _seats(table: Table) -> list[int]:
    return list(table.seats.order_by("index").values_list("entry__number", flat=True))


def test_both_forfeit_the_final_and_it_is_over_with_places_as_the_table_ended() -> None:
    cup = cast.cup(cast.house_bots(2), {"table_size": 2})
    competitions.start(cup.pk)
    _drop(cup, 1, 2)
    cast.play_all()
    _sound(cup)
    assert cup.state == "finished"
    places = Entry.objects.filter(competition=cup).order_by("place")
    assert list(places.values_list("place", flat=True)) == [1, 2]


def test_a_disqualified_pair_in_the_last_table_leaves_the_third_to_go_on() -> None:
    cup = cast.cup(cast.house_bots(9))
    competitions.start(cup.pk)
    last = Table.objects.filter(round__competition=cup).latest("number")
    stays, *pair = _seats(last)
    _drop(cup, *pair)
    cast.play_all()
    _sound(cup)
    final = Round.objects.get(competition=cup, number=2)
    assert stays in _seats(final.tables.get())
    assert not set(pair) & set(_seats(final.tables.get()))


def test_who_drops_in_the_middle_of_a_round_keeps_his_place_when_a_result_of_it_is_void() -> None:
    settings = {"table_size": 5, "deals_per_table": 1, "next_round": "by_hand"}
    new = competitions.NewCompetition(name="Strikes", format="strikes", settings=settings)  # type: ignore[arg-type]
    strikes = competitions.create(cast.club().pk, new)
    for player in cast.house_bots(5):
        entries.enter(strikes.pk, player.pk)
    competitions.start(strikes.pk)
    _drop(strikes, 2)
    house.play_slice("test", 0.0)
    dropped = Entry.objects.get(competition=strikes, number=2)
    assert (dropped.state, dropped.place) == ("dropped", 5)
    corrections.void(Voiding(strikes.pk, 1, 1, "ruling", 1), "player:1")
    dropped.refresh_from_db()
    assert (dropped.state, dropped.place) == ("dropped", 5)
    _sound(strikes)


def test_who_drops_in_the_middle_of_a_round_is_out_when_it_ends() -> None:
    cup = cast.cup(cast.house_bots(9))
    competitions.start(cup.pk)
    house.play_slice("test", 0.0)
    open_table = Table.objects.filter(round__competition=cup, state="waiting").earliest("number")
    done_table = Table.objects.filter(round__competition=cup, state="done").earliest("number")
    assert done_table.places is not None
    (winner,) = done_table.places[0]
    _drop(cup, winner, _seats(open_table)[0])
    cast.play_all()
    _sound(cup)
    assert cup.state == "finished"
    assert winner not in _seats(Round.objects.get(competition=cup, number=2).tables.get())


def test_nobody_farms_byes_by_leaving_and_coming_back() -> None:
    new = competitions.NewCompetition(
        name="Pairs",
        format="strikes",  # type: ignore[arg-type]
        settings={
            "table_size": 2,
            "limit": 3,
            "deals_per_table": 1,
            "late_entry": True,
            "next_round": "by_hand",
        },
        secret=cast.SECRET,
    )
    event = competitions.create(cast.club("pairs").pk, new)
    players = cast.house_bots(7)
    for player in players[:5]:
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    byes: Counter[int] = Counter()
    for number in range(1, 5):
        drawn = Round.objects.filter(competition=event).latest("number")
        seated = [_seats(table) for table in drawn.tables.all()]
        for (alone,) in [seats for seats in seated if len(seats) == 1]:
            assert byes[alone] == min(byes[n] for seats in seated for n in seats)
            byes[alone] += 1
        cast.play_all()
        leaver = Entry.objects.filter(competition=event, state="entered").latest("number")
        if number < 3:
            _drop(event, leaver.number)
            with pytest.raises(AlreadyEnteredError):
                entries.enter(event.pk, leaver.player_id)
            entries.enter(event.pk, players[4 + number].pk)
        rounds.open(event.pk)
    _sound(event)


def test_a_result_of_round_two_is_corrected_after_round_four() -> None:
    new = competitions.NewCompetition(
        name="Rounds",
        format="rounds",  # type: ignore[arg-type]
        settings={"deals_per_table": 1, "rounds": 6, "next_round": "by_hand"},
        secret=cast.SECRET,
    )
    event = competitions.create(cast.club("rounds").pk, new)
    for player in cast.house_bots(8):
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    for _ in range(3):
        cast.play_all()
        rounds.open(event.pk)
    cast.play_all()
    before = _chips(event)
    told = LedgerRow.objects.filter(competition=event, kind="result.confirmed")
    (deal,) = next(row.body["deals"] for row in told if row.body["round"] == 2)
    table = next(row.body["table"] for row in told if row.body["round"] == 2)
    turned = Correction(event.pk, 2, table, [list(reversed(deal))], "swapped", 1)
    changed = {change.entry for change in corrections.preview(turned)}
    assert {deal[0][0], deal[-1][0]} <= changed
    assert _chips(event) == before
    with pytest.raises(RoundBegunError):
        corrections.amend(Correction(**{**vars(turned), "redraw": True}), "player:1")
    corrections.amend(turned, "player:1")
    after = _chips(event)
    assert after[deal[0][0]] == before[deal[0][0]] + 1
    corrections.undo(Undoing(event.pk, 2, table, 2), "player:1")
    assert _chips(event) == before
    corrections.undo(Undoing(event.pk, 2, table, 3), "player:1")
    assert _chips(event) == after
    states = Round.objects.filter(competition=event).values_list("state", flat=True)
    assert list(states) == ["closed"] * 4
    _sound(event)


def _chips(event: Competition) -> dict[int, int]:
    rows = PenaltyTally.objects.filter(competition=event)
    return dict(rows.values_list("entry__number", "chips"))
