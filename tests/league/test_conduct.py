"""An organiser pauses, goes on, calls off and drops; twice is once."""

import pytest

from config.kit.models import Act
from games.models import Player
from league.errors import NotEnteredError, NotRunningError
from league.models import Competition, Entry, LedgerRow, PenaltyTally, Table
from league.services import competitions, conduct, entries, rounds, tallies
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
State = Competition.State


@pytest.fixture
def players(db: None) -> list[Player]:
    return cast.house_bots(9)


def _running(players: list[Player], **settings: object) -> Competition:
    competition = cast.cup(players, settings)
    competitions.start(competition.pk)
    competition.refresh_from_db()
    return competition


def test_nothing_begins_while_it_is_paused(players: list[Player]) -> None:
    competition = _running(players)
    conduct.pause(competition.pk, "player:1")
    conduct.pause(competition.pk, "player:1")
    cast.play_all()
    assert set(Table.objects.values_list("state", flat=True)) == {"waiting"}
    due = conduct.resume(competition.pk, "player:1")
    assert due.house
    cast.play_all()
    competition.refresh_from_db()
    assert competition.state == State.FINISHED
    states = LedgerRow.objects.filter(kind="competition.state").order_by("seq")
    assert [row.body["state"] for row in states] == [
        "open",
        "running",
        "paused",
        "running",
        "finished",
    ]


def test_what_was_called_off_has_no_table_left_and_counts_nowhere(players: list[Player]) -> None:
    competition = _running(players)
    conduct.void(competition.pk, "player:1")
    conduct.void(competition.pk, "player:1")
    cast.play_all()
    assert set(Table.objects.values_list("state", flat=True)) == {"void"}
    with pytest.raises(NotRunningError):
        conduct.resume(competition.pk, "player:1")


@pytest.mark.parametrize("goes", [0, 4, 8])
def test_who_drops_goes_on_from_nowhere(players: list[Player], goes: int) -> None:
    competition = _running(players)
    entry, _ = conduct.drop(competition.pk, players[goes].pk, "player:1")
    conduct.drop(competition.pk, players[goes].pk, "player:1")
    cast.play_all()
    competition.refresh_from_db()
    entry.refresh_from_db()
    assert competition.state == State.FINISHED
    assert entry.state == Entry.State.DROPPED
    assert entry.place is not None
    assert entry.place > 3
    dropped = LedgerRow.objects.filter(kind="entry.dropped")
    assert dropped.count() == 1
    assert tallies.recompute(competition.pk, write=False) == []


def test_everybody_drops_and_it_is_over(players: list[Player]) -> None:
    competition = _running(players)
    for player in players:
        conduct.drop(competition.pk, player.pk, "player:1")
    cast.play_all()
    competition.refresh_from_db()
    assert competition.state == State.FINISHED


def test_all_but_one_drop_between_two_rounds_and_that_one_wins(players: list[Player]) -> None:
    competition = competitions.create(
        cast.club("night").pk,
        competitions.NewCompetition(
            name="Night",
            format="strikes",  # type: ignore[arg-type]
            settings={"deals_per_table": 1, "next_round": "by_hand"},
        ),
    )
    for player in players[:4]:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    cast.play_all()
    for player in players[:3]:
        conduct.drop(competition.pk, player.pk, "player:1")
    competition.refresh_from_db()
    assert competition.state == State.FINISHED
    assert Entry.objects.get(player=players[3], competition=competition).place == 1


def test_who_is_out_or_never_was_in_can_not_drop(players: list[Player]) -> None:
    competition = _running(players[:3])
    with pytest.raises(NotEnteredError):
        conduct.drop(competition.pk, players[5].pk, "player:1")
    cast.play_all()
    with pytest.raises(NotRunningError):
        conduct.drop(competition.pk, players[0].pk, "player:1")


def test_a_full_competition_has_a_waiting_list_that_moves_up(players: list[Player]) -> None:
    competition = cast.cup(players[:4], {"capacity": 3})
    waits = Entry.objects.get(competition=competition, player=players[3])
    assert waits.state == Entry.State.WAITING
    entries.withdraw(competition.pk, players[0].pk)
    waits.refresh_from_db()
    assert waits.state == Entry.State.ENTERED


def test_a_late_entry_begins_with_what_the_field_has_so_far(players: list[Player]) -> None:
    competition = competitions.create(
        cast.club("late").pk,
        competitions.NewCompetition(
            name="Late",
            format="rounds",  # type: ignore[arg-type]
            settings={
                "deals_per_table": 5,
                "rounds": 2,
                "late_entry": True,
                "next_round": "by_hand",
            },
        ),
    )
    for player in players[:4]:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    cast.play_all()
    entry = entries.enter(competition.pk, players[4].pk)
    assert PenaltyTally.objects.get(entry=entry).chips == 2  # five losses among four, rounded up
    assert tallies.recompute(competition.pk, write=False) == []


def test_nobody_comes_late_only_to_be_out_and_seeds_are_each_ones_own(
    players: list[Player],
) -> None:
    competition = competitions.create(
        cast.club("limit").pk,
        competitions.NewCompetition(
            name="Limit",
            format="rounds",  # type: ignore[arg-type]
            settings={
                "deals_per_table": 5,
                "rounds": 3,
                "limit": 1,
                "late_entry": True,
                "late_chips": "expected",
                "next_round": "by_hand",
            },
        ),
    )
    for player in players[:4]:
        entries.enter(competition.pk, player.pk)
    entries.withdraw(competition.pk, players[0].pk)
    competitions.start(competition.pk)
    cast.play_all()
    for player in players[4:6]:
        late = entries.enter(competition.pk, player.pk)
        assert PenaltyTally.objects.get(entry=late).chips == 0
    seeds = Entry.objects.filter(competition=competition, seed__isnull=False).order_by("seed")
    assert list(seeds.values_list("seed", flat=True)) == [1, 2, 3, 4, 5]


def test_who_opens_a_round_is_written_into_the_act_log(players: list[Player]) -> None:
    competition = competitions.create(
        cast.club("acts").pk,
        competitions.NewCompetition(
            name="Acts",
            format="rounds",  # type: ignore[arg-type]
            settings={"deals_per_table": 1, "rounds": 3, "next_round": "by_hand"},
        ),
    )
    for player in players[:4]:
        entries.enter(competition.pk, player.pk)
    competitions.start(competition.pk)
    rounds.open(competition.pk, "player:1")  # the first one is open still
    cast.play_all()
    cast.at_once(lambda: rounds.open(competition.pk, "player:1"), 2)
    target = f"competition:{competition.pk}"
    acts = Act.objects.filter(target=target, verb="round.opened")
    assert [act.actor for act in acts] == ["player:1"]
