"""Finished games: rows that retire, lists that show each game once, exports, hostile filters."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from config.kit.ids import first_at, uuid7
from games.engine import PRESETS, parse_record, replay
from games.models import Deck, Game, GameRecord, Player, RulesCard, Seat
from games.models.records import pack
from games.queries import history
from games.services import endings, rules_cards
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

LONG_AGO = timedelta(days=8)


def played() -> tuple[UUID, list[Player]]:
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    cast.play_out(game_id)
    endings.mark_settled(game_id)
    return game_id, people


def stored(rules: RulesCard, player: int, made: UUID | None = None, **columns: Any) -> GameRecord:
    """A record as a house game leaves it; nobody reads its actions here."""
    return GameRecord(
        id=made or uuid7(),
        rules=rules,
        dealer=0,
        players=[player, player + 1],
        places=bytes((1, 2)),
        ending="over",
        packed=pack(b""),
        head=bytes(32),
        ended_at=datetime(2026, 11, 1, tzinfo=UTC),
        **columns,
    )


def listed(path: str, api: Api | None = None) -> list[dict[str, Any]]:
    """All rows of a list, page by page."""
    found, next_, reader = [], "/games/finished" + path, api or Api()
    while next_:
        page = reader.get(next_)
        assert reader.status == 200, page
        found += page["results"]
        next_ = (page["next"] or "").removeprefix("/api/v1")
    return found


def exported(query: str) -> list[dict[str, Any]]:
    """The lines of an export."""
    answer: Any = Api().client.get(f"/api/v1/games/finished.ndjson?{query}")
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_a_game_that_ended_long_ago_has_only_its_record_and_looks_the_same() -> None:
    game_id, people = played()
    paths = [f"/games/{game_id}{path}" for path in ("/events", "/record", "/proof")]
    before = [Api(people[0]).get(path) for path in paths]
    view = Api(people[0]).get(f"/games/{game_id}")
    assert endings.retire() == 0
    assert endings.retire(timedelta()) == 1
    assert not Game.objects.exists() and not Seat.objects.exists()
    assert [Api(people[0]).get(path) for path in paths] == before
    after = Api(people[0]).get(f"/games/{game_id}")
    assert (after["view"], after["places"], after["seat"]) == (view["view"], view["places"], 0)
    assert (after["started_at"], after["ended_at"]) == (view["started_at"], view["ended_at"])


def test_a_row_stays_while_its_end_is_not_settled_or_its_deck_is_in_play() -> None:
    game_id, _ = played()
    Deck.objects.update(state=Deck.State.DEALT)
    assert endings.retire(timedelta()) == 0
    Deck.objects.update(state=Deck.State.OVER)
    Game.objects.filter(pk=game_id).update(settled_at=None)
    assert endings.retire(timedelta()) == 0


def test_a_private_game_stays_private_when_its_row_has_gone() -> None:
    game_id, people = cast.dealt(2, "classic", max_plies=100)
    Game.objects.update(visibility=Game.Visibility.PRIVATE)
    cast.play_out(game_id)
    endings.mark_settled(game_id)
    endings.retire(timedelta())
    stranger = Api(cast.person("Cecilia"))
    assert stranger.get(f"/games/{game_id}")["code"] == "game_not_found"
    assert Api(people[1]).get(f"/games/{game_id}")["seat"] == 1
    assert listed("") == [] == listed(f"?player={people[0].pk}", stranger)
    assert [row["id"] for row in listed(f"?player={people[0].pk}", Api(people[0]))] == [
        str(game_id)
    ]


def test_nobody_has_a_number_that_a_record_could_not_hold() -> None:
    played()
    assert listed(f"?player={2**31 - 1}") == listed(f"?player={2**31}") == []


def test_a_record_is_deflated_and_never_changed() -> None:
    game_id, _ = played()
    record = GameRecord.objects.get(pk=game_id)
    assert record.log == bytes(cast.row(game_id).actions)
    assert len(bytes(record.packed or b"")) < len(record.log)
    with pytest.raises(IntegrityError), transaction.atomic():
        GameRecord.objects.update(dealer=1)


def test_games_are_found_by_who_where_what_when_and_how() -> None:
    game_id, (aino, bertil) = played()
    record = GameRecord.objects.get(pk=game_id)
    table = rules_cards.stored(PRESETS["table"])
    other = stored(table, 900, competition_ref=77)
    other.save(force_insert=True)
    first = next(
        p for p, place in zip(record.players, bytes(record.places), strict=True) if place == 1
    )
    last = aino.pk if first == bertil.pk else bertil.pk
    day = record.made_at.date()
    mine, theirs = str(game_id), str(other.pk)
    hash_ = record.rules.hash
    for query, expected in {
        f"player={aino.pk}": {mine},
        "player=900": {theirs},
        f"player={first}&place=1": {mine},
        f"player={last}&place=1": set(),
        "competition=77": {theirs},
        "competition=78": set(),
        "preset=table": {theirs},
        f"rules={hash_}": {mine},
        f"ending={record.ending}": {mine} if record.ending != "over" else {mine, theirs},
        f"since={day}T00:00:00Z": {mine, theirs},
        f"until={day}T00:00:00Z": set(),
        "": {mine, theirs},
    }.items():
        assert {row["id"] for row in listed("?" + query)} == expected, query


def test_a_thousand_games_of_one_moment_are_each_listed_once_while_more_come_in() -> None:
    card = rules_cards.stored(PRESETS["table"])
    base = first_at(datetime(2026, 11, 1, tzinfo=UTC)).int
    made = [stored(card, 1, UUID(int=base + 7919 * n)) for n in range(1000)]
    GameRecord.objects.bulk_create(made)
    seen: list[str] = []
    api, path = Api(), "/games/finished?limit=37"
    while path:
        page = api.get(path)
        seen += [row["id"] for row in page["results"]]
        # Between any two that are there, and after them.
        more = [UUID(int=base + 7919 * len(seen) + 1), uuid7()]
        GameRecord.objects.bulk_create(stored(card, 1, key) for key in more)
        path = (page["next"] or "").removeprefix("/api/v1")
    assert len(seen) == len(set(seen))
    assert {str(row.pk) for row in made} <= set(seen)


def test_a_page_takes_few_statements_however_long() -> None:
    card = rules_cards.stored(PRESETS["table"])
    counts = []
    for _ in range(2):
        GameRecord.objects.bulk_create(stored(card, n) for n in range(1, 20))
        with CaptureQueriesContext(connection) as caught:
            Api().get("/games/finished")
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 3


def test_an_export_has_a_line_for_every_game_and_replays() -> None:
    game_id, _ = played()
    (line,) = exported("records=true")
    game = replay(parse_record(line["record"]))
    assert (line["id"], line["ending"]) == (str(game_id), str(game.ending))
    assert [seat["place"] for seat in line["seats"]] == list(
        bytes(GameRecord.objects.get(pk=game_id).places)
    )


def test_an_export_reads_in_parts_and_goes_on_at_the_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "READ_AT_ONCE", 7)
    card = rules_cards.stored(PRESETS["table"])
    made = GameRecord.objects.bulk_create(stored(card, 1) for _ in range(30))
    first = [line["id"] for line in exported("limit=20")]
    rest = [line["id"] for line in exported(f"cursor={first[-1]}")]
    assert (len(first), len(rest)) == (20, 10)
    assert {*first, *rest} == {str(row.pk) for row in made}


def test_no_card_of_a_deck_in_play_is_exported() -> None:
    played()
    Deck.objects.update(state=Deck.State.DEALT)
    assert exported("records=true")[0]["record"] is None


HOSTILE = [
    "player=%00",
    "player=" + "9" * 30,
    "player=1e999",
    "player=NaN",
    "player=-1",
    "player=1&player=2",
    "place=1",
    "place=0&player=1",
    "competition=9223372036854775808",
    "cursor=9223372036854775808",
    "cursor=%ED%A0%80",
    "offset=9223372036854775808",
    "preset=%00",
    "preset=%ED%A0%80",
    "preset=table&rules=000000000000",
    "rules=%00%00%00%00%00%00%00%00%00%00%00%00",
    "ending=%F0%9F",
    "since=Infinity",
    "since=9999-12-31T23:59:59-14:00",
    "until=0001-01-01T00:00:00%2B14:00",
    "since=-1",
    "limit=0",
    "limit=1e3",
    "order_by=password",
    "q=%00",
]


@pytest.mark.parametrize("path", ["/games/finished", "/games/finished.ndjson", "/games"])
def test_hostile_parameters_are_refused(path: str) -> None:
    api = Api()
    for query in HOSTILE:
        api.answer = api.client.get(f"/api/v1{path}?{query}")
        assert api.status == 400, (path, query, api.answer.content)
        assert api.answer["Content-Type"] == "application/problem+json"


def test_fifty_filters_and_long_values_are_refused() -> None:
    api = Api()
    many = urlencode([(f"f{n}", "x") for n in range(50)])
    for query in (many, "player=" + "9" * 5000, "preset=" + quote("ä" * 2000)):
        assert api.get(f"/games/finished?{query}")["status"] == 400
