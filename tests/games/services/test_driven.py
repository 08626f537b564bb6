"""The driver's commits: many games in one transaction, each only under its lease and its ply."""

from __future__ import annotations

from uuid import UUID

import pytest

from config.kit import leases
from games import engine
from games.engine import rules_from
from games.models import By, Deck, Game, GameRecord, Seat
from games.queries import replays
from games.services import rules_cards
from games.services.dealing import Dealing, deal_driven
from games.services.endings import mark_settled, void_game
from games.services.moves import DrivenMove, commit_driven
from games.services.plies import Ply, SeatClock
from games.services.table_games import TableGame, TableSeatSpec, create_table_game
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)

RULES = rules_from("classic", {"max_plies": 100})


def table_game(table: int = 1, deal: int = 1, seed: bytes = b"s" * 32, games: int = 1) -> Game:
    people = [cast.person(name) for name in ("Aino", "Bertil")]
    return create_table_game(
        TableGame(
            rules_id=rules_cards.stored(RULES).pk,
            rules=RULES,
            table_ref=table,
            competition_ref=7,
            deal_number=deal,
            redeal=0,
            dealer=0,
            seats=tuple(TableSeatSpec(p.pk, 10 + n, f"bot:{n}") for n, p in enumerate(people)),
            server_seed=seed,
            move_ms=1000,
            bank_ms=30_000,
            round_number=2,
            table_number=3,
            deck_games=games,
        )
    )


def claimed(game: Game) -> tuple[str, int]:
    owner = leases.new_owner()
    (lease,) = leases.claim(Game.objects.filter(pk=game.pk), owner, 1)
    return owner, lease.fence


def dealt(game: Game) -> tuple[str, int]:
    owner, fence = claimed(game)
    assert deal_driven([Dealing(game.pk, owner, fence, {0: "a", 1: "b"})]) == [True]
    return owner, fence


def one_move(game_id: UUID, owner: str, fence: int, **changes: object) -> DrivenMove:
    row = cast.row(game_id)
    game = cast.engine_game(game_id)
    (seat,) = game.to_act()
    action = game.default_action(seat)
    code = engine.encode_action(game, seat, action)
    game.play(seat, action)
    salt = engine.salt(bytes(row.deck.server_seed), game.ply)
    head = engine.next_link(bytes(row.head), salt, seat, action, 5)
    move = DrivenMove(
        game_id=game_id,
        owner=owner,
        fence=fence,
        seen_ply=row.ply,
        plies=(Ply(seat, code, By.SEAT, 5),),
        head=head,
        clocks=(SeatClock(seat, 29_000, 1, False),),
        game=game,
    )
    return move._replace(**changes)  # type: ignore[arg-type]


def test_the_same_deal_of_a_table_is_made_once() -> None:
    game = table_game()
    again = table_game()
    assert again.pk == game.pk
    assert (Game.objects.count(), Seat.objects.count(), Deck.objects.count()) == (1, 2, 1)


def test_only_the_holder_of_the_lease_deals_and_only_once() -> None:
    game = table_game()
    owner, fence = claimed(game)
    assert deal_driven([Dealing(game.pk, owner, fence - 1, {})]) == [False]
    assert deal_driven([Dealing(game.pk, "another", fence, {})]) == [False]
    assert deal_driven([Dealing(game.pk, owner, fence, {0: "x" * 65, 1: "b"})]) == [True]
    assert deal_driven([Dealing(game.pk, owner, fence, {})]) == [False]
    assert Deck.objects.get().entropies == [[10, ""], [11, "b"]]


def test_many_games_are_committed_at_once_and_the_lost_ones_are_told() -> None:
    games = [table_game(table, seed=bytes([table]) * 32) for table in (1, 2, 3)]
    held = [dealt(game) for game in games]
    moves = [one_move(g.pk, *lease) for g, lease in zip(games, held, strict=True)]
    moves[1] = moves[1]._replace(fence=moves[1].fence + 1)
    ran: list[int] = []
    moves = [m._replace(also=lambda n=n: ran.append(n)) for n, m in enumerate(moves)]  # type: ignore[misc]
    assert commit_driven(moves) == [True, False, True]
    assert [cast.row(g.pk).ply for g in games] == [1, 0, 1]
    assert sorted(ran) == [0, 2]
    assert commit_driven(moves) == [False, False, False]


def test_clocks_and_faults_are_stored_with_the_move() -> None:
    game = table_game()
    move = one_move(game.pk, *dealt(game))
    clock = SeatClock(move.clocks[0].seat, 1234, 3, True)
    assert commit_driven([move._replace(clocks=(clock,))]) == [True]
    seat = Seat.objects.get(game=game, index=clock.seat)
    assert (seat.bank_ms, seat.faults, seat.stand_in_at is not None) == (1234, 3, True)


def test_what_goes_with_a_move_is_undone_with_it() -> None:
    game = table_game()

    def broken() -> None:
        raise ZeroDivisionError

    move = one_move(game.pk, *dealt(game), also=broken)
    with pytest.raises(ZeroDivisionError):
        commit_driven([move])
    assert cast.row(game.pk).ply == 0


def test_a_driven_game_ends_in_a_record_that_knows_its_table() -> None:
    game = table_game()
    lease = dealt(game)
    while cast.row(game.pk).state == Game.State.PLAYING:
        assert commit_driven([one_move(game.pk, *lease)]) == [True]
    record = GameRecord.objects.get(pk=game.pk)
    assert (record.table_ref, record.round_number, record.table_number) == (1, 2, 3)
    row = cast.row(game.pk)
    steps = replays.steps(replays.start_of(row), bytes(row.actions))
    played = [(step.seat, step.action) for step in steps]
    seed = bytes(row.deck.server_seed)
    assert engine.chain(seed, played, [5] * row.ply) == bytes(record.head)
    assert mark_settled(game.pk) and not mark_settled(game.pk)


def test_a_shared_deck_stays_closed_until_its_last_game_is_over() -> None:
    games = [table_game(table, games=2) for table in (1, 2)]
    assert games[0].deck_id == games[1].deck_id
    states = []
    for game in games:
        lease = dealt(game)
        while cast.row(game.pk).state == Game.State.PLAYING:
            commit_driven([one_move(game.pk, *lease)])
        states.append(Deck.objects.get().state)
    assert states == [Deck.State.DEALT, Deck.State.OVER]


def test_a_game_called_off_leaves_a_shared_deck_to_the_others() -> None:
    one, other = (table_game(table, games=2) for table in (1, 2))
    assert void_game(one.pk, "organiser")
    assert Deck.objects.get().state == Deck.State.OPEN
    lease = dealt(other)
    while cast.row(other.pk).state == Game.State.PLAYING:
        commit_driven([one_move(other.pk, *lease)])
    assert Deck.objects.get().gate_open


def test_the_gate_opens_when_the_game_that_was_missing_is_called_off() -> None:
    one, other = (table_game(table, games=2) for table in (1, 2))
    lease = dealt(one)
    while cast.row(one.pk).state == Game.State.PLAYING:
        commit_driven([one_move(one.pk, *lease)])
    assert not Deck.objects.get().gate_open
    assert void_game(other.pk, "organiser")
    assert Deck.objects.get().state == Deck.State.OVER


def test_a_game_is_called_off_once_and_not_after_its_end() -> None:
    game = table_game()
    assert void_game(game.pk, "organiser")
    assert not void_game(game.pk, "organiser")
    assert Deck.objects.get().state == Deck.State.VOID
    owner, fence = leases.new_owner(), 1
    assert deal_driven([Dealing(game.pk, owner, fence, {})]) == [False]
