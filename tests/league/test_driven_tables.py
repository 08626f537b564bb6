"""Driven tables: each deal's game follows from the records, and the last one closes the round."""

from datetime import timedelta
from uuid import UUID

import pytest

from config.kit import clock, leases
from games.agents import Answer
from games.driver import loading
from games.models import Deck, Game, Seat
from games.services.dealing import Dealing
from games.services.moves import commit_driven
from games.services.records import insert
from games.tasks import sweep
from league.models import Competition, LedgerRow, PenaltyTally, Table
from league.queries import brackets
from league.queries.fingerprint import fingerprint
from league.services import competitions, results
from league.services.due import Due
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _started(deals: int = 2) -> Competition:
    players = [*cast.bots(2, cast.person()), *cast.house_bots(1)]
    competition = cast.cup(players, {"deals_per_table": deals})
    assert competitions.start(competition.pk) == Due(driven=True)
    return competition


def _end(game: Game, places: list[list[int]], ending: str = "over") -> UUID:
    """End a game as the driver would: places on the row, and the record."""
    game.state, game.places, game.ending = Game.State.OVER, places, ending
    game.ended_at = clock.now()
    game.due_at = None
    game.save()
    insert([game])
    return game.pk


def _live() -> Game:
    return Game.objects.get(state=Game.State.READY)


def test_the_first_deal_is_ready_when_the_round_is_drawn() -> None:
    _started()
    game = _live()
    assert (game.deal_number, game.redeal, game.players, game.dealer) == (1, 0, 3, 2)
    assert sorted(seat.entrant for seat in game.seats.all()) == [1, 2, 3]
    assert game.rated is False


def test_each_deal_brings_the_next_and_the_last_one_the_result() -> None:
    competition = _started()
    first = _live()
    seats = [seat.entrant for seat in first.seats.order_by("index")]
    assert results.settle_deal(_end(first, [[0], [1], [2]])) == Due(driven=True)
    second = _live()
    assert [s.entrant for s in second.seats.order_by("index")] == [*seats[1:], seats[0]]
    assert results.settle_deal(_end(second, [[2], [0], [1]])) == Due()
    table = Table.objects.get()
    assert table.state == Table.State.DONE
    assert table.places == [[seats[0]], [seats[1]], [seats[2]]]
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    losses = dict(PenaltyTally.objects.values_list("entry__number", "losses"))
    assert losses == {seats[0]: 0, seats[1]: 0, seats[2]: 2}


def test_a_deal_settled_five_times_at_once_brings_one_next_deal() -> None:
    _started()
    game_id = _end(_live(), [[0], [1], [2]])
    cast.at_once(lambda: results.settle_deal(game_id), 5)
    assert Game.objects.count() == 2
    game_id = _end(_live(), [[0], [1], [2]])
    cast.at_once(lambda: results.settle_deal(game_id), 5)
    assert LedgerRow.objects.filter(kind="result.confirmed").count() == 1


def test_a_stalemate_is_dealt_anew_from_another_deck_by_the_same_dealer() -> None:
    _started()
    first = _live()
    results.settle_deal(_end(first, [[0], [1, 2]], "stalemate"))
    again = _live()
    assert (again.deal_number, again.redeal, again.dealer) == (1, 1, first.dealer)
    assert again.deck_id != first.deck_id
    assert [s.entrant for s in again.seats.order_by("index")] == [
        s.entrant for s in first.seats.order_by("index")
    ]


def test_faults_and_stand_ins_are_marked_on_the_result() -> None:
    _started(deals=1)
    game = _live()
    Seat.objects.filter(game=game, index=1).update(faults=3, stand_in_at=clock.now())
    entrant = game.seats.get(index=1).entrant
    results.settle_deal(_end(game, [[0], [1], [2]]))
    body = LedgerRow.objects.get(kind="result.confirmed").body
    assert body["marks"] == [
        {"deal": 1, "redeal": 0, "entry": entrant, "faults": 3, "stand_in": True}
    ]


def test_two_competitions_with_one_secret_have_decks_of_their_own_and_play_the_same() -> None:
    bots = cast.bots(2, cast.person())
    club = cast.club()
    cups = [cast.cup(bots, {"deals_per_table": 2}, club_=club) for _ in range(2)]
    for cup in cups:
        competitions.start(cup.pk)
        first = Deck.objects.get(games__competition_ref=cup.pk, state=Deck.State.OPEN)
        assert not first.gate_open, "the other cup's games opened it"
        while Game.objects.filter(competition_ref=cup.pk, state=Game.State.READY).exists():
            results.settle_deal(_played_by_default())
    decks = [Deck.objects.filter(competition_ref=cup.pk).order_by("pk") for cup in cups]
    names = [list(of_cup.values_list("deck_id", flat=True)) for of_cup in decks]
    assert names[0] == names[1] and len(names[0]) >= 2
    prints = []
    for cup in cups:
        cup.refresh_from_db()
        assert cup.state == Competition.State.FINISHED
        prints.append(fingerprint(cup))
    assert prints[0] == prints[1]


def _played_by_default() -> UUID:
    """Lease the game that is due, deal it, play default actions to the end, as the driver would."""
    owner = leases.new_owner()
    (claimed,) = loading.claim(owner, 1)
    (live,) = loading.begin([Dealing(claimed.game_id, owner, claimed.fence, {0: "salt"})])
    assert live is not None
    while live.game.ending is None:
        turns = [live.turn(seat) for seat in live.game.to_act()]
        move = live.push([live.judge(turn, Answer(None)) for turn in turns])
        assert commit_driven([move]) == [True]
    return claimed.game_id


def _stuck(game: Game, minutes: int) -> None:
    """Three workers have failed at it, the last one so long ago."""
    failed = clock.now() - timedelta(minutes=minutes)
    rows = Game.objects.filter(pk=game.pk)
    rows.update(quarantine_reason="attempts", lease_owner="dead", lease_until=failed)


def test_a_game_that_nobody_can_end_is_called_off_and_its_deal_played_anew() -> None:
    _started(deals=1)
    first = _live()
    _stuck(first, minutes=9)
    sweep()
    assert _live().pk == first.pk, "there is time to mend what is wrong"
    _stuck(first, minutes=11)
    sweep()

    first.refresh_from_db()
    assert (first.state, first.quarantine_reason) == ("void", "attempts")
    assert first.deck.gate_open and first.settled_at is not None
    again = _live()
    assert (again.deal_number, again.redeal, again.dealer) == (1, 1, first.dealer)
    assert again.deck_id != first.deck_id
    table = Table.objects.get()
    assert [(deal["ending"], deal["counts"]) for deal in brackets.deals(table)] == [
        ("abandoned", False),
        (None, False),
    ]
    results.settle_deal(_end(again, [[0], [1], [2]]))
    assert Table.objects.get().state == Table.State.DONE
    assert LedgerRow.objects.get(kind="result.confirmed").body["odd"] == {"1": [1, "over"]}


def test_a_deal_that_nobody_can_ever_end_costs_nobody_anything_and_holds_nothing_up() -> None:
    competition = _started(deals=1)
    for redeal in range(4):
        assert _live().redeal == redeal
        _stuck(_live(), minutes=11)
        sweep()
    # All were equal in that deal: the cut is played out.
    tied = _live()
    assert (tied.deal_number, tied.redeal) == (2, 0)
    results.settle_deal(_end(tied, [[0], [1], [2]]))
    competition.refresh_from_db()
    assert competition.state == Competition.State.FINISHED
    body = LedgerRow.objects.get(kind="result.confirmed").body
    assert body["odd"]["1"] == [3, "abandoned"]
    assert set(PenaltyTally.objects.values_list("losses", flat=True)) <= {0, 1}


def test_a_game_that_is_none_of_ours_is_left_alone() -> None:
    assert results.settle_deal(UUID(int=1)) == Due()
