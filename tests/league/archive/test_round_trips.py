"""Export, verify, restore, export: a league of people, bots that are called, people online."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from games.models import Game, GameRecord, Player
from games.services import lobby
from league.archive import check
from league.models import Competition, Entry, Table
from league.queries.fingerprint import fingerprint
from league.services import competitions, conduct, entries, results, rounds, typed
from league.services.competitions import NewCompetition
from league.services.typed_tables import By, Where
from tests.games.cast import play_out
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_restoring import _moved, _plain
from tests.league.test_driven_tables import _played_by_default

pytestmark = pytest.mark.django_db(transaction=True)


def _made(players: Sequence[Player], format: str, **settings: Any) -> Competition:
    new = NewCompetition(
        name="Event",
        format=format,  # type: ignore[arg-type]
        settings=settings,
        secret=cast.SECRET,
    )
    competition = competitions.create(cast.club().pk, new)
    for player in players:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    return competition


def _told(wire: Any) -> Any:
    """Without ids and dates; who was a person or a bot is a guest where nobody knows him."""
    return _nobody_known(_plain(wire))


def _nobody_known(value: Any) -> Any:
    if isinstance(value, list):
        return [_nobody_known(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"name", "kind"}:
        return value["name"]
    return {key: _nobody_known(one) for key, one in value.items()}


def _goes_round(competition: Competition) -> Competition:
    """Twice to another installation; the last one there."""
    wire = document(competition)
    again = competition
    for _ in range(2):
        assert [part for part in check(json.dumps(wire)) if not part["ok"]] == []
        again = _moved(wire)
        moved = document(again)
        assert _told(moved) == _told(wire)
        wire = moved
    return again


def _type(competition: Competition, by: By) -> None:
    """Every deal of the open round as typed in, the seats turned round from deal to deal."""
    for table in Table.objects.filter(round__competition=competition, state="playing"):
        seats = list(table.seats.order_by("index").values_list("entry__number", flat=True))
        for deal in range(1, table.deals_planned + 1):
            said = [[number] for number in (seats if deal % 2 else reversed(seats))]
            typed.enter(Where(competition.pk, table.round.number, table.number, deal), said, by)


def test_a_league_that_was_typed_in_corrected_joined_and_left() -> None:
    people = [cast.person(f"Player {number}") for number in range(1, 8)]
    by = By(cast.person("Oskari").pk, organiser=True)
    night = {"entrants": "people", "results": "typed", "next_round": "by_hand", "rounds": 3}
    more = {"late_entry": True, "word": "PASKA", "table_size": 4, "deals_per_table": 2}
    competition = _made(people, "rounds", **night, **more, forbidden_pairs=[[people[0].pk, 1]])
    _type(competition, by)
    table = Table.objects.filter(round__competition=competition).order_by("number")[0]
    seats = sorted(table.seats.values_list("entry__number", flat=True))
    for seen, said in enumerate((seats, seats[::-1]), start=1):
        typed.enter(Where(competition.pk, 1, 1, 1), [[number] for number in said], by, seen)
    entries.enter(competition.pk, cast.person("Late").pk)
    rounds.open(competition.pk)
    conduct.drop(competition.pk, people[2].pk, "player:1")
    _type(competition, by)
    rounds.open(competition.pk)
    _type(competition, by)
    rounds.open(competition.pk)
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    again = _goes_round(competition)
    assert Entry.objects.filter(competition=again).count() == 8


def test_a_cup_with_bots_that_are_called_of_which_two_have_one_owner() -> None:
    players = [*cast.bots(3, cast.person()), *cast.house_bots(2)]
    competition = _made(players, "knockout", table_size=3, deals_per_table=2, stalemate="share")
    cast.play_all()
    while Game.objects.filter(state=Game.State.READY).exists():
        results.settle_deal(_played_by_default())
        cast.play_all()
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    before, games = fingerprint(competition), GameRecord.objects.count()
    again = _goes_round(competition)
    assert fingerprint(again) == before
    assert GameRecord.objects.filter(competition_ref=again.pk).count() == games


def test_a_cup_of_people_online() -> None:
    people = [cast.person("Aino"), cast.person("Bertil")]
    competition = _made(
        people, "knockout", entrants="people", deals_per_table=2, sudden_deaths=0, dealer="loser"
    )
    while (game := Game.objects.filter(state=Game.State.READY).first()) is not None:
        for person in people:
            lobby.ready(game.pk, person, f"entropy of {person.name}")
        play_out(game.pk)
        results.settle_deal(game.pk)
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    before = fingerprint(competition)
    assert fingerprint(_goes_round(competition)) == before
