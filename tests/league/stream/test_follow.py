"""Streams of competitions: the ledger from any row, live, resumed, and what is told in passing."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from games.models import Player, Token
from games.services import tokens
from league.models import Club, Competition, LedgerRow, Membership
from league.queries.dashboards import dashboard
from league.services import competitions, entries, typed
from league.services.typed_tables import By, Where
from league.stream import feeds, follow
from tests.league import cast
from tests.league.nights import night
from tests.league.stream.reader import Reader, reading
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web() -> Iterator[str]:
    with serving() as address:
        yield address


def _seqs(competition: Competition) -> list[int]:
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    return list(rows.values_list("seq", flat=True))


def test_it_begins_at_row_1_and_goes_on_live_to_the_end(web: str) -> None:
    cup = cast.cup(cast.house_bots(5))
    with reading(web, cup.pk) as reader:
        assert reader.answer.headers["Content-Type"] == "text/event-stream"
        assert [frame.id for frame in reader.rows(6)] == [1, 2, 3, 4, 5, 6]
        competitions.start(cup.pk)
        assert reader.until("round.drawn").data["round"] == 1
        cast.play_all()
        last = reader.until("competition.state")
        cup.refresh_from_db()
        assert (last.id, last.data["body"]["state"]) == (cup.ledger_seq, "finished")


def test_stream_list_and_rows_have_one_schema(web: str) -> None:
    cup = cast.cup(cast.house_bots(4))
    competitions.start(cup.pk)
    cast.play_all()
    listed = Client().get(f"/api/v1/competitions/{cup.pk}/events?limit=100").json()
    with reading(web, cup.pk) as reader:
        rows = reader.rows(listed["ledger_seq"])
    assert [row.data for row in rows] == listed["results"]
    assert all(row.kind == row.data["event"] for row in rows)
    result = next(row.data for row in rows if row.kind == "result.confirmed")
    assert (result["version"], result["round"], result["table"]) == (1, 1, 1)
    assert result["ledger_seq"] == result["id"]


def test_a_stream_resumes_after_the_row_that_the_reader_has(web: str) -> None:
    cup = cast.cup(cast.house_bots(5))
    last = cup.__class__.objects.get(pk=cup.pk).ledger_seq
    for query, headers in (("?after=3", {}), ("?after=0", {"Last-Event-ID": "3"})):
        with reading(web, cup.pk, query, **headers) as reader:
            assert [frame.id for frame in reader.rows(last)] == list(range(4, last + 1))


def test_who_is_far_behind_reads_the_table_and_loses_nothing(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "HELD", 2)
    monkeypatch.setattr(feeds, "AT_ONCE", 3)
    cup = cast.cup(cast.house_bots(9))
    with reading(web, cup.pk) as slow, reading(web, cup.pk, "?after=9") as quick:
        quick.rows(10)
        competitions.start(cup.pk)
        cast.play_all()
        numbers = _seqs(cup)
        assert [frame.id for frame in slow.rows(numbers[-1])] == numbers
        assert [frame.id for frame in quick.rows(numbers[-1])] == numbers[10:]


def test_standings_are_told_whole_at_first_then_changed_rows_only(web: str) -> None:
    cup = cast.cup(cast.house_bots(6), {"table_size": 2})
    with reading(web, cup.pk) as reader:
        first = reader.until("standings.changed")
        assert first.id is None
        assert sorted(row["entry"] for row in first.data["rows"]) == [1, 2, 3, 4, 5, 6]
        before = {row["entry"]: row for row in first.data["rows"]}
        entries.withdraw(cup.pk, cup.entries.get(number=6).player_id)
        changed = reader.until("standings.changed").data
        assert changed["gone"] == [6]
        assert all(row != before[row["entry"]] for row in changed["rows"])
        assert len(changed["rows"]) < 5
        competitions.start(cup.pk)
        assert reader.until("progress").data["games_planned"] > 0


def test_tables_and_disputes_are_told_in_passing(web: str) -> None:
    event = night(4, deals_per_table=1)
    aino, bertil = (
        By(player, organiser=False)
        for player in event.entries.order_by("number").values_list("player", flat=True)[:2]
    )
    where = Where(event.pk, 1, 1, 1)
    with reading(web, event.pk) as reader:
        (table,) = reader.until("table.live").data["rows"]
        assert (table["round"], table["number"], table["state"]) == (1, 1, "playing")
        typed.enter(where, [[1], [2], [3], [4]], aino)
        typed.enter(where, [[4], [3], [2], [1]], bertil, 1)
        (dispute,) = reader.until("disputes").data["rows"]
        assert (dispute["round"], dispute["table"], len(dispute["versions"])) == (1, 1, 2)
    assert dashboard(Competition.objects.get(pk=event.pk))["disputes"] == [dispute]


def test_a_rolled_back_transaction_tells_nothing_and_news_that_got_lost_are_found(
    web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "POLL_S", 0.1)
    monkeypatch.setattr("league.services.ledger.CHANNEL", "nobody_listens")
    cup = cast.cup(cast.house_bots(4))
    with reading(web, cup.pk) as reader:
        reader.rows(5)
        competitions.start(cup.pk)
        assert reader.until("round.drawn").id == 7


def test_a_private_club_s_stream_is_for_its_members(web: str) -> None:
    club = cast.club("salainen", private=True)
    member, stranger = cast.person("Aino"), cast.person("Bertil")
    Membership.objects.create(club=club, player=member)
    cup = cast.cup(cast.house_bots(2), club_=club)
    for headers in ({}, _bearer(stranger)):
        with reading(web, cup.pk, **headers) as reader:
            assert (reader.status, reader.problem()["code"]) == (404, "competition_not_found")
    with reading(web, cup.pk, **_bearer(member)) as reader:
        assert len(reader.rows(3)) == 3


def test_a_lost_right_ends_the_stream(web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "TRUST_S", 0.0)
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.1)
    cup = cast.cup(cast.house_bots(2))
    with reading(web, cup.pk) as reader:
        reader.rows(3)
        Club.objects.filter(pk=cup.club_id).update(private=True)
        while reader.next() is not None:
            pass


def test_a_stream_breathes_while_nothing_happens(web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "HEARTBEAT_S", 0.1)
    cup = cast.cup([])
    with reading(web, cup.pk) as reader:
        lines = iter(reader.answer.readline, b"")
        assert b":\n" in lines


@pytest.mark.parametrize("query", ["?after=x", "?after=-1", "?from=1", "?after=1&after=2"])
def test_unknown_and_broken_parameters_are_refused(web: str, query: str) -> None:
    cup = cast.cup([])
    with reading(web, cup.pk, query) as reader:
        assert reader.status == 400


def test_a_row_that_never_was_is_gone_and_a_broken_number_refused(web: str) -> None:
    cup = cast.cup([])
    with reading(web, cup.pk, "?after=99") as reader:
        problem = reader.problem()
        assert (reader.status, problem["code"], problem["last"]) == (410, "events_gone", 1)
    with reading(web, cup.pk, **{"Last-Event-ID": "x"}) as reader:
        assert reader.status == 400
    with reading(web, 987_654) as reader:
        assert reader.status == 404


def test_a_reader_through_20_cuts_and_restarts_has_every_row_once_in_order() -> None:
    """R25 in small: cut at once, after some rows, and by restarts of the server."""
    cup = cast.cup(cast.house_bots(26), {"table_size": 2})
    playing = threading.Thread(target=_play, args=(cup.pk,))
    got: list[int] = []
    cuts = 0
    for restart in range(5):
        with serving() as web:
            if not restart:
                playing.start()
            for cut in range(5):
                cuts += 1
                reader = Reader(web, cup.pk, **_from(got))
                more = LedgerRow.objects.filter(competition=cup, seq__gt=got[-1] if got else 0)
                for _ in range(min(cut, more.count())):
                    frame = reader.next()
                    if frame is not None and frame.id is not None:
                        got.append(frame.id)
                reader.close()
    playing.join()
    cup.refresh_from_db()
    with serving() as web, reading(web, cup.pk, **_from(got)) as reader:
        if not got or got[-1] < cup.ledger_seq:
            got += [frame.id for frame in reader.rows(cup.ledger_seq) if frame.id]
    assert cuts > 20
    assert got == _seqs(cup)


def _play(competition_id: int) -> None:
    competitions.start(competition_id)
    cast.play_all(0.05)
    connection.close()


def _from(got: list[int]) -> dict[str, str]:
    return {"Last-Event-ID": str(got[-1])} if got else {}


def _bearer(player: Player) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens.issue(player, [Token.Scope.READ]).text}"}
