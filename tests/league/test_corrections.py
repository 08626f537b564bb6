"""A result of a round that is closed is changed: previewed, kept or drawn anew, undone."""

from typing import Any

import pytest

from league.errors import BadResultError, NoDealError, ResultChangedError, RoundBegunError
from league.models import Competition, Entry, LedgerRow, Round, Table
from league.queries.fingerprint import fingerprint
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
from league.services.corrections import Correction, Undoing
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _cup(entries: int = 9, **settings: Any) -> Competition:
    competition = cast.cup(cast.house_bots(entries), {"deals_per_table": 1, **settings})
    competitions.start(competition.pk)
    return competition


def _result(competition: Competition, table: int = 1, round_number: int = 1) -> list[Any]:
    rows = LedgerRow.objects.filter(competition=competition, kind__startswith="result.")
    bodies = [row.body for row in rows.order_by("seq")]
    return next(
        body["deals"]
        for body in reversed(bodies)
        if (body["round"], body["table"]) == (round_number, table)
    )


def _swapped(competition: Competition, seen: int = 1, *, redraw: bool = False) -> Correction:
    """First and last of the only deal of table 1 of round 1 change places."""
    (deal,) = _result(competition)
    turned = [deal[-1], *deal[1:-1], deal[0]]
    return Correction(competition.pk, 1, 1, [turned], "typo", seen, redraw)


def _sound(competition: Competition) -> None:
    competition.refresh_from_db()
    assert ledger.first_broken(competition) is None
    assert tallies.recompute(competition.pk, write=False) == []


def _play_first_round_then_pause(competition: Competition) -> None:
    while Round.objects.filter(competition=competition, state="closed").count() < 1:
        house.play_slice("test", 0.0)
    conduct.pause(competition.pk, "player:1")


def test_a_preview_says_what_would_change_and_changes_nothing() -> None:
    competition = _cup()
    cast.play_all()
    before = fingerprint(competition)
    rows = LedgerRow.objects.count()
    changes = corrections.preview(_swapped(competition))
    assert {change.entry for change in changes} >= {_result(competition)[0][-1][0]}
    assert LedgerRow.objects.count() == rows
    assert fingerprint(Competition.objects.get(pk=competition.pk)) == before


def test_a_correction_after_the_end_keeps_the_later_tables_and_the_winner() -> None:
    competition = _cup()
    cast.play_all()
    winner = Entry.objects.get(competition=competition, place=1).number
    changes = corrections.preview(_swapped(competition))
    version, _ = corrections.amend(_swapped(competition), "player:1")
    assert version == 2
    assert Entry.objects.get(competition=competition, place=1).number == winner
    _sound(competition)
    assert corrections.preview(_swapped(competition, 2)) != changes


def test_undo_and_undo_of_the_undo() -> None:
    competition = _cup()
    cast.play_all()
    first = _result(competition)
    corrections.amend(_swapped(competition), "player:1")
    second = _result(competition)
    assert corrections.undo(Undoing(competition.pk, 1, 1, 2), "player:1")[0] == 3
    assert _result(competition) == first
    assert corrections.undo(Undoing(competition.pk, 1, 1, 3), "player:1")[0] == 4
    assert _result(competition) == second
    _sound(competition)


def test_the_next_round_is_drawn_anew_while_nothing_of_it_has_begun() -> None:
    competition = _cup()
    _play_first_round_then_pause(competition)
    Competition.objects.filter(pk=competition.pk).update(state="running")
    went_on = _result(competition)[0][0][0]
    corrections.amend(_swapped(competition, redraw=True), "player:1")
    states = list(Round.objects.order_by("number").values_list("number", "state"))
    assert states == [(1, "closed"), (2, "void"), (3, "playing")]
    seated = set(
        Table.objects.filter(round__number=3).values_list("seats__entry__number", flat=True)
    )
    assert went_on not in seated
    assert Entry.objects.get(competition=competition, number=went_on).state == Entry.State.OUT
    cast.play_all()
    _sound(competition)
    assert competition.state == Competition.State.FINISHED
    assert Entry.objects.filter(competition=competition, place=1).count() == 1


def test_a_round_that_has_begun_is_not_drawn_anew() -> None:
    competition = _cup()
    cast.play_all()
    with pytest.raises(RoundBegunError):
        corrections.amend(_swapped(competition, redraw=True), "player:1")
    _sound(competition)


def test_a_version_that_is_not_the_newest_is_refused() -> None:
    competition = _cup()
    cast.play_all()
    correction = _swapped(competition)
    corrections.amend(correction, "player:1")
    with pytest.raises(ResultChangedError):
        corrections.amend(correction, "player:1")


def test_two_organisers_correct_at_once_and_one_is_told() -> None:
    competition = _cup()
    cast.play_all()
    correction = _swapped(competition)
    done = cast.at_once(lambda: corrections.amend(correction, "player:1"), 2)
    assert sum(isinstance(one, ResultChangedError) for one in done) == 1
    _sound(competition)


def test_what_can_not_have_been_is_refused_and_changes_nothing() -> None:
    competition = _cup()
    with pytest.raises(NoDealError):
        corrections.amend(
            Correction(competition.pk, 1, 1, [[[1], [2], [3]]], "typo", 1), "player:1"
        )
    cast.play_all()
    with pytest.raises(BadResultError):
        corrections.amend(Correction(competition.pk, 1, 1, [[[1], [1]]], "typo", 1), "player:1")
    with pytest.raises(NoDealError):
        corrections.undo(Undoing(competition.pk, 1, 1, 1), "player:1")
    _sound(competition)


def test_a_correction_in_a_league_of_rounds_moves_chips_only() -> None:
    competition = competitions.create(
        cast.club("rounds").pk,
        competitions.NewCompetition(
            name="Rounds",
            format="rounds",  # type: ignore[arg-type]
            settings={"deals_per_table": 1, "rounds": 4},
            secret=cast.SECRET,
        ),
    )
    for player in cast.house_bots(8):
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    cast.play_all()
    changes = corrections.preview(_swapped(competition))
    chips = sorted(change.after["chips"] - change.before["chips"] for change in changes)
    assert chips[0] == -1
    assert chips[-1] == 1
    corrections.amend(_swapped(competition), "player:1")
    _sound(competition)
    assert Round.objects.filter(competition=competition).count() == 4
    assert rounds.open(competition.pk).house is False
