"""Malformed requests: refused at once with a code, never a 5xx, whatever they carry."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

BODIES = {
    "empty": b"",
    "no json": b"nope",
    "NaN": b'{"name": NaN}',
    "infinity": b'{"name": 1e999}',
    "a huge number": b'{"name": 1' + b"0" * 400 + b"}",
    "a number that python would refuse": b'{"name": ' + b"9" * 5000 + b"}",
    "duplicate keys": b'{"name": "Aino", "name": "Bertil"}',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "closed deep lists": b"[" * 50_000 + b"]" * 50_000,
    "half a surrogate pair": b'{"name": "\\ud800"}',
    "NUL": b'{"name": "a\\u0000b"}',
    "raw NUL": b'{"name": "a\x00b"}',
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "Aino"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a megabyte": b'{"name": "' + b"a" * 2**20 + b'"}',
    "a list": b"[]",
    "a number": b"5",
    "a string": b'"Aino"',
    "null": b"null",
    "wrong types": b'{"name": {"first": "Aino"}}',
    "a list for a name": b'{"name": ["Aino"]}',
    "a boolean for a name": b'{"name": true}',
    "bidi": '{"name": "a\u202eb"}'.encode(),
    "two documents": b"{}{}",
    "trailing comma": b'{"name": "Aino",}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_malformed_body_is_refused_quickly(body: bytes) -> None:
    api, began = Api(), time.process_time()
    told = api.raw("/players", body)
    assert 400 <= api.status < 500, told
    assert (told["status"], bool(told["code"])) == (api.status, True)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/xml",
        "application/json; charset=utf-16",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "",
        "application/json; charset=\x7f",
    ],
)
def test_another_content_type_is_refused(kind: str) -> None:
    api = Api()
    api.raw("/players", b'{"name": "Aino"}', kind)
    assert api.status == 415


@pytest.mark.parametrize(
    "query",
    [
        "after=-2",
        "after=9223372036854775808",
        "after=" + "9" * 400,
        "after=1.5",
        "after=NaN",
        "after=%00",
        "after=",
        "limit=0",
        "%00=1",
        "after=1&" * 60 + "after=1",
    ],
)
def test_a_malformed_query_is_refused(query: str) -> None:
    game_id, _ = cast.forming(2)
    api = Api()
    api.get(f"/games/{game_id}/events?{query}")
    assert api.status == 400


@pytest.mark.parametrize(
    "body",
    [
        {"move_number": 0, "action": "U"},
        {"move_number": 10**30, "action": "U"},
        {"move_number": -1, "action": "U"},
        {"move_number": 1.5, "action": "U"},
        {"move_number": True, "action": "U"},
        {"move_number": [1], "action": "U"},
        {"move_number": None, "action": "U"},
        {"move_number": 1},
        {"action": "U"},
        {"move_number": 1, "action": None},
        {"move_number": 1, "action": ""},
        {"move_number": 1, "action": "U" * 401},
        {"move_number": 1, "action": {"P": "7C"}},
        {"move_number": 1, "action": "U", "seat": 1},
    ],
)
def test_a_malformed_move_is_refused_by_its_shape(body: dict[str, object]) -> None:
    game_id, people = cast.dealt(2, "classic")
    api = Api(people[0])
    told = api.post(f"/games/{game_id}/moves", body)
    assert api.status == 400
    assert told["code"] in ("invalid_request", "bad_json")


@pytest.mark.parametrize(
    "action",
    [
        "P:",
        "P:7",
        "p:7C",
        "P:7C 7D",
        " U",
        "U ",
        "P:7C7C7C",
        "C:7C=J",
        "S:/",
        "B:01",
        "P:9x0",
        "P:9x99",
        "P:*9",
        "X",
        "\u2028",
        "P:７C",
        "P:1x1",
    ],
)
def test_nonsense_for_an_action_has_a_code_of_the_rules(action: str) -> None:
    game_id, people = cast.dealt(2, "classic")
    (seat,) = cast.engine_game(game_id).to_act()
    api = Api(people[seat])
    told = api.move(game_id, 1, action)
    assert (api.status, told["rule"]) == (422, told["code"])
    assert cast.row(game_id).ply == 0


def test_names_and_entropy_have_limits() -> None:
    api = Api()
    for name in ("", " ", "a", "a" * 41, "a\u200bb", "a\tb", "\u0301\u0301"):
        api.post("/players", {"name": name})
        assert api.status in (400, 422), name
    game_id, people = cast.forming(2)
    api = Api(people[0])
    told = api.post(f"/games/{game_id}/ready", {"entropy": "ä" * 40})
    assert (api.status, told["code"]) == (422, "entropy_too_long")


def test_an_unknown_game_is_a_404_everywhere() -> None:
    api, nowhere = Api(cast.person("Aino")), uuid4()
    for path in ("", "/legal", "/events", "/record", "/proof"):
        assert api.get(f"/games/{nowhere}{path}")["code"] == "game_not_found"
    for path in ("join", "leave", "ready"):
        assert api.post(f"/games/{nowhere}/{path}", {})["code"] == "game_not_found"
    assert api.move(nowhere, 1, "U")["code"] == "game_not_found"


def addresses(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    """Every address of the service, with NUL for each of its parameters."""
    for one in patterns:
        path = before + re.sub("<[^>]*>", "%00", str(one.pattern))
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, path)
        elif "%00" in path:
            yield path


def test_no_address_has_a_nul_in_it() -> None:
    client = Client(raise_request_exception=False)
    found = list(addresses(get_resolver().url_patterns))
    assert len(found) > 20
    assert {path: client.get(path).status_code for path in found} == dict.fromkeys(found, 404)


@pytest.mark.parametrize("method", ["TRACE", "PUT", "PROPFIND"])
def test_another_method_is_refused_whatever_is_asked(method: str) -> None:
    answer = Client(raise_request_exception=False).generic(method, "/api/v1/games?limit=3&x=1")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer["Allow"]
