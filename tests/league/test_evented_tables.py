"""Tables at which people sit: dealt when they are ready or do not come, settled like any other."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.db.models.functions import Now

from games.errors import NotYourSeatError, TableSeatError
from games.models import By, Game, Player, Seat
from games.services import lobby, moves
from games.services.progress import Progress
from league.archive import check
from league.models import Competition, LedgerRow, PenaltyTally, Table
from league.queries.tables import unfinished
from league.services import competitions, conduct, entries, evented, results, tallies
from league.services.competitions import NewCompetition
from league.services.due import Due
from tests.games.cast import play_default, play_out
from tests.league import cast
from tests.league.archive.cast import document

pytestmark = pytest.mark.django_db(transaction=True)


def _people(*names: str) -> list[Player]:
    return [cast.person(name) for name in names]


def _started(players: list[Player], settings: Mapping[str, Any] | None = None) -> Competition:
    usual = {"entrants": "all", "deals_per_table": 2, "sudden_deaths": 0, "stalemate": "share"}
    new = NewCompetition(name="Online", settings={**usual, **(settings or {})})
    competition = competitions.create(cast.club().pk, new)
    for player in players:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    return competition


def _waiting() -> Game:
    return Game.objects.get(state=Game.State.READY)


def _ready(players: list[Player]) -> Game:
    """All of them are ready for the deal that waits."""
    game = _waiting()
    for player in players:
        lobby.ready(game.pk, player, f"entropy of {player.name}")
    game.refresh_from_db()
    return game


def _late() -> Progress:
    """The time is up for whoever is not ready."""
    Table.objects.filter(due_at__isnull=False).update(due_at=Now())
    return evented.deal_overdue()


def _ends(game: Game) -> Due:
    """The deal is played by its people as it would be for them; machines among them too."""
    play_out(game.pk)
    return results.settle_deal(game.pk)


def test_a_deal_of_people_waits_for_them_with_the_clocks_of_people() -> None:
    _started([*_people("Aino", "Bertil"), *cast.house_bots(1)])
    game = _waiting()
    assert (game.kind, game.deal_number, game.due_at) == (Game.Kind.EVENTED, 1, None)
    assert (game.move_ms, game.bank_ms) == (60_000, 300_000)
    ready = {s.player_id: s.ready_at is not None for s in game.seats.select_related("player")}
    assert sorted(ready.values()) == [False, False, True]
    assert Table.objects.get().due_at is not None


def test_the_last_one_who_is_ready_deals_and_the_entropy_is_in_the_deck() -> None:
    people = _people("Aino", "Bertil")
    competition = _started(people)
    game = _ready(people)
    assert game.state == Game.State.PLAYING
    number = dict(competition.entries.values_list("player", "number"))
    given = [[number[p.pk], f"entropy of {p.name}"] for p in people]
    assert game.deck.entropies == sorted(given)


def test_two_deals_of_people_become_one_online_result_that_checks() -> None:
    people = _people("Aino", "Bertil")
    competition = _started(people)
    _ends(_ready(people))
    _ends(_ready(people))
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    body = LedgerRow.objects.get(kind="result.confirmed").body
    assert (body["source"], len(body["deals"])) == ("online", 2)
    assert tallies.recompute(competition.pk, write=False) == []
    assert sum(PenaltyTally.objects.values_list("losses", flat=True)) == 2
    verdicts = check(json.dumps(document(competition)))
    assert [v for v in verdicts if not v["ok"]] == []


def test_a_deal_settled_five_times_at_once_brings_one_next_deal() -> None:
    people = _people("Aino", "Bertil")
    _started(people)
    for deals in (2, 2):
        game = play_out(_ready(people).pk)
        cast.at_once(lambda game=game: results.settle_deal(game.pk), 5)  # type: ignore[misc]
        assert Game.objects.count() == deals
    assert LedgerRow.objects.filter(kind="result.confirmed").count() == 1


def test_who_does_not_come_is_played_for_and_the_others_play_on() -> None:
    aino, bertil = people = _people("Aino", "Bertil")
    _started(people)
    game = _waiting()
    lobby.ready(game.pk, aino)
    _late()
    game.refresh_from_db()
    assert game.state == Game.State.PLAYING
    absent = Seat.objects.get(game=game, player=bertil)
    assert absent.stand_in_at is not None
    # Delivered again it changes nothing.
    assert _late() == Progress()


def test_nobody_waits_twice_for_who_did_not_come_but_he_may_come_back() -> None:
    aino, bertil, cecilia = people = _people("Aino", "Bertil", "Cecilia")
    _started(people, {"deals_per_table": 3})
    for player in (aino, cecilia):
        lobby.ready(_waiting().pk, player)
    _late()
    _ends(Game.objects.get(state=Game.State.PLAYING))
    second = _ready([aino, cecilia])
    assert second.state == Game.State.PLAYING
    assert Seat.objects.get(game=second, player=bertil).stand_in_at is not None
    _ends(second)
    third = _waiting()
    lobby.ready(third.pk, bertil, "I am back")
    assert Seat.objects.get(game=third, player=bertil).stand_in_at is None
    assert _ready([aino, cecilia]).state == Game.State.PLAYING


def test_a_table_to_which_nobody_comes_is_left_to_the_driver() -> None:
    people = _people("Aino", "Bertil")
    _started(people)
    _late()
    due = _ends(Game.objects.get(state=Game.State.PLAYING))
    assert due == Due(driven=True)
    second = _waiting()
    assert second.kind == Game.Kind.DRIVEN
    assert second.due_at is not None
    marks = {seat.stand_in_at is not None for seat in second.seats.all()}
    assert marks == {True}


def test_who_lets_three_decisions_pass_is_played_for() -> None:
    people = _people("Aino", "Bertil")
    _started(people)
    game = _ready(people)
    Seat.objects.filter(game=game).update(bank_ms=0)
    for _ in range(20):
        Game.objects.filter(pk=game.pk).update(move_ms=0)
        moves.expire(game.pk)
        game.refresh_from_db()
        if game.seats.filter(stand_in_at__isnull=False).exists():
            break
    faults = {seat.faults: seat.stand_in_at is not None for seat in game.seats.order_by("faults")}
    assert max(faults) == 3
    assert faults == {number: number == 3 for number in faults}
    assert bytes(game.by).count(By.DEFAULT) == sum(game.seats.values_list("faults", flat=True))


def test_while_it_is_paused_nobody_is_played_for() -> None:
    people = _people("Aino", "Bertil")
    competition = _started(people)
    conduct.pause(competition.pk, "player:1")
    assert not unfinished().filter(due_at__isnull=False).exists()
    _late()
    assert _waiting().kind == Game.Kind.EVENTED
    conduct.resume(competition.pk, "player:1")
    assert unfinished().filter(due_at__isnull=False).count() == 1
    assert _ready(people).state == Game.State.PLAYING


def test_a_deal_that_ends_in_a_pause_has_its_next_one_when_it_goes_on() -> None:
    people = _people("Aino", "Bertil")
    competition = _started(people)
    game = _ready(people)
    conduct.pause(competition.pk, "player:1")
    assert _ends(game) == Due()
    assert not Game.objects.filter(state=Game.State.READY).exists()
    conduct.resume(competition.pk, "player:1")
    assert _waiting().deal_number == 2


@pytest.mark.parametrize("dealt", [False, True])
def test_a_competition_that_is_called_off_leaves_no_game_open(dealt: bool) -> None:
    people = _people("Aino", "Bertil")
    competition = _started(people)
    if dealt:
        _ready(people)
    conduct.void(competition.pk, "player:1")
    game = Game.objects.get()
    assert (game.state, game.deadline_at, game.due_at) == (Game.State.VOID, None, None)
    assert results.settle_deal(game.pk) == Due()
    assert _late() == Progress()


def test_a_seat_at_a_competitions_table_is_not_given_up_in_the_lobby() -> None:
    people = _people("Aino", "Bertil")
    _started(people)
    with pytest.raises(TableSeatError):
        lobby.leave(_waiting().pk, people[0])


def test_who_has_dropped_is_not_waited_for_and_does_not_come_back() -> None:
    aino, bertil, cecilia = people = _people("Aino", "Bertil", "Cecilia")
    competition = _started(people)
    game = _ready(people)
    conduct.drop(competition.pk, bertil.pk, "player:1")
    _ends(game)
    with pytest.raises(NotYourSeatError):
        lobby.ready(_waiting().pk, bertil)
    assert _ready([aino, cecilia]).state == Game.State.PLAYING


def test_the_loser_deals_next_where_the_settings_say_so() -> None:
    people = _people("Aino", "Bertil", "Cecilia")
    _started(people, {"dealer": "loser", "deals_per_table": 3})
    for _ in range(2):
        game = play_out(_ready(people).pk)
        last = Seat.objects.filter(game=game, index__in=(game.places or [])[-1])
        results.settle_deal(game.pk)
        following = _waiting()
        dealer = Seat.objects.get(game=following, index=following.dealer)
        assert dealer.entrant in last.values_list("entrant", flat=True)


def test_machines_at_a_table_of_people_are_asked_when_it_is_their_turn() -> None:
    people = _people("Aino")
    _started([*people, *cast.house_bots(2)])
    game = _waiting()
    progress = lobby.ready(game.pk, people[0]).progress
    game.refresh_from_db()
    if game.due_at is None:
        progress = play_default(game.pk).progress
    assert progress.turns == (game.pk,)
