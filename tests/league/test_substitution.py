"""From the next round on somebody else plays for an entry; whose the chips are is chosen."""

import json
from typing import Any

import pytest

from games.models import GameRecord, Player
from league.errors import AlreadyEnteredError, BadSubstituteError, NotEnteredError, NotRunningError
from league.models import Competition, Entry, LedgerRow, PenaltyTally
from league.queries import brackets
from league.queries.fingerprint import fingerprint
from league.queries.standings import standings
from league.services import competitions, entries, ledger, rounds, substitution, tallies, typed
from league.services.competitions import NewCompetition
from league.services.substitution import ChipsGo, Swap
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad
from tests.league.archive.test_restoring import _moved, _plain
from tests.league.nights import night
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


def _player(competition: Competition, number: int) -> Player:
    return Entry.objects.get(competition=competition, number=number).player


def _bots(**settings: Any) -> Competition:
    new = NewCompetition(
        name="Bots",
        format="rounds",  # type: ignore[arg-type]
        settings={"deals_per_table": 2, "rounds": 3, "next_round": "by_hand", **settings},
        secret=cast.SECRET,
    )
    event = competitions.create(cast.club("bots").pk, new)
    for player in cast.house_bots(8):
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    cast.play_all()
    return Competition.objects.select_related("club", "rules").get(pk=event.pk)


def _swap(
    competition: Competition, leaver: Player, coming: Player, to: ChipsGo = ChipsGo.LEAVER
) -> Entry:
    return substitution.substitute(competition.pk, Swap(leaver.pk, coming.pk, to), "player:1")


def _finish(event: Competition) -> None:
    for _ in range(3):
        rounds.open(event.pk)
        cast.play_all()
    event.refresh_from_db()
    assert event.state == "finished"


@pytest.mark.parametrize("to", ChipsGo)
def test_records_name_who_played_and_the_document_checks_and_moves(to: ChipsGo) -> None:
    event = _bots(seating="standings", limit=9)
    leaver = _player(event, 3)
    (coming,) = cast.house_bots(1)
    entry = _swap(event, leaver, coming, to)
    assert entry.player == (leaver if to is ChipsGo.LEAVER else coming)
    _finish(event)
    for row in GameRecord.objects.filter(competition_ref=event.pk):
        assert (leaver.pk in row.players, coming.pk in row.players) in (
            [(True, False), (False, False)]
            if row.round_number == 1
            else [(False, True), (False, False)]
        )
    assert tallies.recompute(event.pk, write=False) == []
    tally = PenaltyTally.objects.get(entry=entry)
    assert (tally.player, tally.deals) == (entry.player, 6)
    assert ledger.first_broken(event) is None
    wire, print_ = document(event), fingerprint(event)
    assert _bad(wire) == []
    again = _moved(json.loads(json.dumps(wire)))
    assert _plain(document(again)) == _plain(wire)
    assert fingerprint(again) == print_


def test_each_round_of_the_bracket_names_who_played_in_it() -> None:
    event = _bots()
    leaver = _player(event, 3)
    (coming,) = cast.house_bots(1)
    _swap(event, leaver, coming)
    _finish(event)
    named = [
        [seat["player"]["id"] for t in r["tables"] for seat in t["seats"] if seat["entry"] == 3]
        for r in brackets.rounds(event)
    ]
    assert named == [[leaver.pk], [coming.pk], [coming.pk]]


def test_the_ledger_says_from_when_and_whose_the_chips_are() -> None:
    event = _bots()
    leaver = _player(event, 3)
    (coming,) = cast.house_bots(1)
    _swap(event, leaver, coming)
    body = LedgerRow.objects.get(competition=event, kind="entry.substituted").body
    assert body == {
        "entry": 3,
        "round": 2,
        "leaver": leaver.pk,
        "player": coming.pk,
        "chips": "leaver",
    }


def test_the_leaver_comes_back_by_the_same_act() -> None:
    event = _bots()
    leaver = _player(event, 3)
    (coming,) = cast.house_bots(1)
    _swap(event, leaver, coming)
    rounds.open(event.pk)
    cast.play_all()
    entry = _swap(event, coming, leaver)
    assert entry.substitute is None
    rounds.open(event.pk)
    cast.play_all()
    played = GameRecord.objects.filter(competition_ref=event.pk)
    by_round = {n: set() for n in (1, 2, 3)}  # type: dict[int, set[int]]
    for row in played:
        by_round[row.round_number or 0] |= set(row.players) & {leaver.pk, coming.pk}
    assert by_round == {1: {leaver.pk}, 2: {coming.pk}, 3: {leaver.pk}}
    event.refresh_from_db()
    assert _bad(document(event)) == []


def test_in_the_standings_stands_whose_the_chips_are() -> None:
    for at, to in enumerate(ChipsGo):
        monday = night(format=("rounds", "strikes")[at])
        leaver, coming = _player(monday, 1), cast.person(f"Dora {at}")
        _swap(monday, leaver, coming, to)
        names = {row.player.name for row in standings(monday)}
        assert (coming.name in names) == (to is ChipsGo.SUBSTITUTE)
        Player.objects.filter(name__startswith="Player").update(name_key="gone")


def test_leaver_and_substitute_may_both_say_how_a_deal_went() -> None:
    monday = night()
    leaver, coming = _player(monday, 1), cast.person("Dora")
    _swap(monday, leaver, coming)
    for deal, player in enumerate((leaver, coming), start=1):
        where = Where(monday.pk, 1, 1, deal)
        typed.enter(where, [[1, 2, 3], [4]], By(player.pk, organiser=False))


def test_who_can_not_stand_in_is_refused_and_says_why() -> None:
    monday = night()
    leaver, other = _player(monday, 1), _player(monday, 2)
    (bot,) = cast.house_bots(1)
    for coming, why in ((leaver, "plays_already"), (other, "entered"), (bot, "not_alike")):
        with pytest.raises(BadSubstituteError) as refused:
            _swap(monday, leaver, coming)
        assert refused.value.data["why"] == why
    with pytest.raises(NotEnteredError):
        _swap(monday, cast.person("Stranger"), other)
    Competition.objects.filter(pk=monday.pk).update(state="finished")
    with pytest.raises(NotRunningError):
        _swap(monday, leaver, cast.person("Dora"))


def test_who_has_played_for_an_entry_has_none_of_his_own_in_it() -> None:
    monday = night(late_entry=True)
    leaver, coming = _player(monday, 1), cast.person("Dora")
    _swap(monday, leaver, coming, ChipsGo.SUBSTITUTE)
    for player in (leaver, coming):
        with pytest.raises(AlreadyEnteredError):
            entries.enter(monday.pk, player.pk)


def test_over_the_api_by_organisers() -> None:
    oskari, organiser = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    settings = {"entrants": "people", "results": "typed"}
    body = {"club": "kulma", "name": "Monday", "format": "rounds", "settings": settings}
    one = f"competitions/{oskari.post('competitions', body).json()['id']}"
    (aino, a), (_, b), (_, c) = [_api(name) for name in ("Aino", "Bertil", "Cecilia")]
    for player in (a, b):
        oskari.post(f"{one}/entries", {"player": player.pk})
    oskari.post(f"{one}/start", {})
    path, wanted = f"{one}/entries/{a.pk}/substitute", {"player": c.pk, "note": "Ill at home."}
    assert aino.post(path, wanted).status_code == 403
    answer = oskari.post(path, wanted).json()
    assert (answer["player"]["name"], answer["substitute"]["name"]) == ("Aino", "Cecilia")
    assert oskari.post(path, {"player": b.pk}).json()["code"] == "bad_substitute"
    assert oskari.get(f"{one}/notes").json()["results"][0]["about"]["name"] == "Aino"
    assert organiser.pk != a.pk
