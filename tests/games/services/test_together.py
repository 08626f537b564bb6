"""Who plays with whom: quick games, invitations, links with a code, rematches."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from games import queries, tasks
from games.engine import rules_from
from games.errors import (
    FirstNeedsPeopleError,
    GameFullError,
    GameNotFoundError,
    NoRematchError,
    NotFormingError,
    NotInvitableError,
    NotYourSeatError,
)
from games.models import Game, Player, Seat
from games.services import invitations, lobby, quick, resigning
from games.services.endings import let_lapse
from games.services.lobby import Plan
from games.services.rematch import rematch
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = rules_from("table")
THREE = Plan(TABLE, ["", "", ""])
PRIVATE = Plan(TABLE, ["", "", ""], visibility=Game.Visibility.PRIVATE)


def seats(game_id: UUID) -> list[Seat]:
    return list(Seat.objects.filter(game=game_id).order_by("index"))


def wait_is_over(game_id: UUID) -> None:
    Game.objects.filter(pk=game_id).update(fill_at=Now() - timedelta(seconds=1))


# Quick games


def test_who_wants_the_same_meets_and_the_last_one_s_coming_deals() -> None:
    people = [cast.person(name) for name in cast.CAST[:3]]
    placed = [quick.quick_game(player, THREE, player.name) for player in people]
    assert len({one.game_id for one in placed}) == 1
    row = cast.row(placed[0].game_id)
    assert (row.state, row.visibility) == (Game.State.PLAYING, "public")
    assert row.deck.entropies == [[0, "Aino"], [1, "Bertil"], [2, "Cecilia"]]


def test_other_rules_seats_or_clocks_make_another_game() -> None:
    plans = [
        THREE,
        Plan(TABLE, ["", ""]),
        Plan(rules_from("classic"), ["", "", ""]),
        Plan(TABLE, ["", "", ""], move_ms=5000),
    ]
    ids = [quick.quick_game(cast.person(f"Aino {n}"), p).game_id for n, p in enumerate(plans)]
    assert len(set(ids)) == len(plans)


def test_asking_again_while_waiting_gives_the_same_seat() -> None:
    aino = cast.person("Aino")
    first = quick.quick_game(aino, THREE)
    assert quick.quick_game(aino, THREE)[:2] == first[:2]
    assert Game.objects.count() == 1


def test_house_bots_take_the_free_seats_when_the_wait_is_over_and_not_before() -> None:
    game_id = quick.quick_game(cast.person("Aino"), THREE).game_id
    assert queries.to_fill() == [] and not quick.fill(game_id)
    assert seats(game_id)[1].player is None
    wait_is_over(game_id)
    tasks.sweep()
    row = cast.row(game_id)
    assert row.state == Game.State.PLAYING
    assert [seat.agent_ref for seat in seats(game_id)] == ["", "house:cautious", "house:cautious"]
    assert not quick.fill(game_id)


def test_a_game_that_nobody_comes_to_is_called_off_and_listed_no_more() -> None:
    old, slow, visited, fresh = (
        lobby.create_game(cast.person(f"Aino {n}"), plan).game_id
        for n, plan in enumerate((THREE, Plan(TABLE, ["", ""], move_days=3), THREE, THREE))
    )
    long_ago = timezone.now() - timedelta(days=3)
    Game.objects.exclude(pk=fresh).update(created_at=long_ago)
    Seat.objects.exclude(game=fresh).update(joined_at=long_ago)
    lobby.join(visited, cast.person("Bertil"))
    assert queries.forgotten() == [old]
    tasks.sweep()
    assert [cast.row(game_id).state for game_id in (old, slow, visited, fresh)] == [
        Game.State.VOID,
        *[Game.State.FORMING] * 3,
    ]
    assert old not in {row.pk for row in queries.open_games()}
    assert not let_lapse(old) and not let_lapse(cast.dealt(2)[0])


def test_who_leaves_a_quick_game_frees_his_seat_for_others() -> None:
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    game_id = quick.quick_game(aino, THREE).game_id
    assert quick.quick_game(bertil, THREE).game_id == game_id
    lobby.leave(game_id, aino)
    wait_is_over(game_id)
    quick.fill(game_id)
    assert cast.row(game_id).state == Game.State.PLAYING
    assert [s.player_id == bertil.pk for s in seats(game_id)] == [False, True, False]


def test_an_open_game_that_only_misses_me_is_joined_and_one_that_misses_more_is_not() -> None:
    aino, bertil, cecilia = (cast.person(name) for name in cast.CAST[:3])
    open_id = lobby.create_game(aino, THREE).game_id
    lobby.join(open_id, bertil)
    lobby.ready(open_id, aino, "a")
    # Bertil may never be ready.
    other = quick.quick_game(cecilia, THREE).game_id
    assert other != open_id
    lobby.leave(other, cecilia)
    lobby.ready(open_id, bertil, "b")
    assert quick.quick_game(cecilia, THREE).game_id == open_id
    assert cast.row(open_id).state == Game.State.PLAYING


def test_a_seat_that_is_kept_for_somebody_and_a_private_game_are_not_found_quickly() -> None:
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    hidden = lobby.create_game(aino, Plan(TABLE, ["", ""], visibility=Game.Visibility.PRIVATE))
    kept = lobby.create_game(aino, Plan(TABLE, ["", ""])).game_id
    invitations.invite(kept, aino, bertil.pk)
    for game_id in (hidden.game_id, kept):
        lobby.ready(game_id, aino, "a")
    found = quick.quick_game(cast.person("Cecilia"), Plan(TABLE, ["", ""])).game_id
    assert found not in (hidden.game_id, kept)


def test_speed_can_not_count_where_bots_may_come() -> None:
    rules = rules_from("valepaska", {"challenge_mode": "first"})
    with pytest.raises(FirstNeedsPeopleError):
        quick.quick_game(cast.person("Aino"), Plan(rules, ["", ""]))


def test_twelve_who_come_at_once_fill_four_tables() -> None:
    people = [cast.person(f"Player {n}") for n in range(12)]

    def come(player: Player) -> UUID:
        try:
            return quick.quick_game(player, THREE).game_id
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        ids = list(pool.map(come, people))
    assert sorted(ids.count(game_id) for game_id in set(ids)) == [3, 3, 3, 3]
    assert set(Game.objects.values_list("state", flat=True)) == {"playing"}


# Invitations and codes


def test_nobody_joins_or_finds_a_private_game_by_its_id_alone() -> None:
    game_id = lobby.create_game(cast.person("Aino"), PRIVATE).game_id
    for code in ("", "wrong", "ä"):
        with pytest.raises(GameNotFoundError):
            lobby.join(game_id, cast.person("Bertil"), code=code)


def test_the_code_opens_a_private_game() -> None:
    game_id = lobby.create_game(cast.person("Aino"), PRIVATE).game_id
    code = cast.row(game_id).join_code
    assert len(code) == 16
    assert lobby.join(game_id, cast.person("Bertil"), code=code).seat == 1


def test_an_invited_player_finds_the_seat_and_nobody_else_takes_it() -> None:
    aino, bertil, cecilia, eetu = (cast.person(name) for name in cast.CAST[:4])
    game_id = lobby.create_game(aino, PRIVATE).game_id
    invitations.invite(game_id, aino, bertil.pk)
    invitations.invite(game_id, aino, bertil.pk)
    assert [seat.invited_id for seat in seats(game_id)] == [None, bertil.pk, None]
    code = cast.row(game_id).join_code
    with pytest.raises(GameFullError):
        lobby.join(game_id, cecilia, 1, code=code)
    assert lobby.join(game_id, cecilia, code=code).seat == 2
    with pytest.raises(GameFullError):
        lobby.join(game_id, eetu, code=code)
    assert lobby.join(game_id, bertil).seat == 1


def test_who_declines_frees_the_seat_and_is_an_outsider_again() -> None:
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    game_id = lobby.create_game(aino, PRIVATE).game_id
    invitations.invite(game_id, aino, bertil.pk)
    lobby.leave(game_id, bertil)
    assert seats(game_id)[1].invited is None
    assert cast.row(game_id).state == Game.State.FORMING
    with pytest.raises(GameNotFoundError):
        lobby.join(game_id, bertil)


def test_only_who_sits_there_invites_and_only_people() -> None:
    aino = cast.person("Aino")
    game_id = lobby.create_game(aino, THREE).game_id
    with pytest.raises(NotYourSeatError):
        invitations.invite(game_id, cast.person("Bertil"), aino.pk)
    bot = lobby.create_game(aino, Plan(TABLE, ["", "house:lowest"])).game_id
    machine = seats(bot)[1].player_id
    for nobody in (machine, 10**9):
        with pytest.raises(NotInvitableError):
            invitations.invite(game_id, aino, nobody or 0)


# Rematch


def finished(count: int = 3, bots: int = 0) -> tuple[UUID, list[Player]]:
    game_id, people = cast.dealt(count, "table", bots=bots)
    for player in people[1:] or people:
        resigning.resign(game_id, player)
    return game_id, people


def test_the_loser_deals_next_with_the_same_rules_and_a_new_deck() -> None:
    game_id, people = finished(3)
    old = cast.row(game_id)
    assert old.places == [[0], [2], [1]]
    again = cast.row(rematch(game_id, people[0]).game_id)
    assert (again.dealer, again.rules_id, again.players) == (1, old.rules_id, 3)
    assert (again.move_ms, again.bank_ms, again.visibility) == (60_000, 300_000, "public")
    assert again.deck.deck_id != old.deck.deck_id
    assert again.rematch_of_id == game_id


def test_the_others_are_invited_and_whoever_asks_next_sits_down_there() -> None:
    game_id, people = finished(3)
    first = rematch(game_id, people[0])
    assert [s.invited_id for s in seats(first.game_id)] == [None, people[1].pk, people[2].pk]
    assert rematch(game_id, people[2])[:2] == (first.game_id, 2)
    assert rematch(game_id, people[0])[:2] == first[:2]
    lobby.join(first.game_id, people[1])
    for player in people:
        lobby.ready(first.game_id, player)
    assert cast.row(first.game_id).state == Game.State.PLAYING
    assert rematch(game_id, people[1])[:2] == (first.game_id, 1)


def test_house_bots_sit_down_again_and_shared_losers_deal_from_the_left() -> None:
    game_id, people = cast.dealt(1, "table", bots=2)
    Game.objects.filter(pk=game_id).update(
        state="over", places=[[0], [1, 2]], ended_at=Now(), dealer=1
    )
    placed = rematch(game_id, people[0])
    again = cast.row(placed.game_id)
    assert (again.dealer, again.state) == (2, Game.State.READY)
    lobby.ready(placed.game_id, people[0])
    assert cast.row(placed.game_id).state == Game.State.PLAYING


def test_a_rematch_that_was_called_off_can_be_asked_for_again() -> None:
    game_id, people = finished(2)
    first = rematch(game_id, people[0]).game_id
    lobby.leave(first, people[0])
    assert cast.row(first).state == Game.State.VOID
    assert rematch(game_id, people[1]).game_id != first


def test_two_who_ask_at_once_get_one_rematch() -> None:
    game_id, people = finished(2)

    def ask(player: Player) -> UUID:
        try:
            return rematch(game_id, player).game_id
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(ask, people))) == 1
    assert Game.objects.count() == 2


def test_there_is_no_rematch_of_a_running_game_nor_for_who_did_not_play() -> None:
    game_id, people = cast.dealt(2, "table")
    with pytest.raises(NoRematchError):
        rematch(game_id, people[0])
    resigning.resign(game_id, people[0])
    with pytest.raises(NotYourSeatError):
        rematch(game_id, cast.person("Cecilia"))
    Game.objects.filter(pk=game_id).update(visibility="private")
    with pytest.raises(GameNotFoundError):
        rematch(game_id, cast.person("Cecilia"))


def test_who_comes_late_to_a_rematch_that_is_played_by_others_is_told_so() -> None:
    game_id, people = finished(2)
    first = rematch(game_id, people[0]).game_id
    lobby.leave(first, people[1])
    lobby.join(first, cast.person("Cecilia"))
    for seat in seats(first):
        assert seat.player is not None
        lobby.ready(first, seat.player)
    with pytest.raises((NotFormingError, GameFullError)):
        rematch(game_id, people[1])
