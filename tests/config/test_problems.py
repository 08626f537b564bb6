"""Every refusal has a row, and every answer that is no success is a problem, whoever gives it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import OperationalError, connections
from django.test import Client
from django.utils.module_loading import autodiscover_modules

from config.kit.errors import ServiceError
from config.problems import TABLE, problem
from games.engine.errors import EngineError
from games.models import Player
from games.services.tokens import checksum
from tests.games.api.client import Api


def subclasses(kind: type[Exception]) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from subclasses(child)


def test_every_error_of_services_and_engine_has_a_row_of_its_own() -> None:
    autodiscover_modules("errors", "services", "engine")
    assert apps.ready
    ours = [*subclasses(ServiceError), *subclasses(EngineError)]
    missing = [
        k.__qualname__ for k in ours if k not in TABLE and not k.__module__.startswith("tests")
    ]
    assert missing == []


def test_no_two_services_share_a_code() -> None:
    autodiscover_modules("errors", "services")
    codes = [kind.__dict__.get("code") for kind in subclasses(ServiceError)]
    assert None not in codes
    assert len(set(codes)) == len(codes)


def test_data_can_not_shadow_what_a_problem_says_of_itself() -> None:
    told = problem(TABLE[ServiceError], "refused", "No.", "r1", {"status": 200, "more": 1})
    assert (told["status"], told["more"]) == (409, 1)


def is_problem(answer: Any, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    told = json.loads(answer.content)
    assert {"type", "title", "status", "detail", "code", "hint", "request_id"} <= told.keys()
    assert (told["status"], told["code"]) == (status, code)
    assert told["request_id"] == answer["X-Request-ID"] != ""


@pytest.mark.django_db(transaction=True)
class TestDjangosOwn:
    client = Client(raise_request_exception=False)

    def test_an_unknown_address(self) -> None:
        is_problem(self.client.get("/api/v1/nothing"), 404, "not_found")

    def test_an_id_that_is_none(self) -> None:
        is_problem(self.client.get("/api/v1/games/7"), 404, "not_found")

    def test_a_wrong_method(self) -> None:
        answer = self.client.delete("/api/v1/games")
        is_problem(answer, 405, "method_not_allowed")
        assert "GET" in answer["Allow"] and "POST" in answer["Allow"]

    def test_a_wrong_type(self) -> None:
        answer = self.client.post("/api/v1/players", "<name/>", content_type="text/xml")
        is_problem(answer, 415, "unsupported_media_type")

    def test_a_wrong_host(self) -> None:
        answer = self.client.get("/api/v1/games", headers={"host": "evil.example"})
        is_problem(answer, 400, "bad_request")

    def test_a_token_that_is_none(self) -> None:
        for token in ("Bearer nonsense", "Basic YTpi", "Bearer hlp_" + "a" * 46, "Bearer"):
            answer = self.client.get("/api/v1/me", headers={"authorization": token})
            is_problem(answer, 401, "bad_token")
            assert answer["WWW-Authenticate"].startswith("Bearer")

    def test_a_session_without_its_csrf_token(self) -> None:
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        client.get("/games/")
        session = client.session
        session["player"] = Player.objects.create(kind="guest", name="Aino", name_key="aino").pk
        session.save()
        answer = client.post("/api/v1/games", "{}", content_type="application/json")
        is_problem(answer, 403, "permission_denied")
        page = client.post("/games/new", {"name": "Aino"})
        assert (page.status_code, page["Content-Type"]) == (403, "text/html; charset=utf-8")

    def test_a_fault_of_ours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken() -> object:
            raise ZeroDivisionError("secret of the house")

        monkeypatch.setattr("games.api.rules.presets_wire", broken)
        answer = self.client.get("/api/v1/rules/presets")
        is_problem(answer, 500, "server_error")
        assert b"secret" not in answer.content

    def test_a_request_id_is_taken_over_only_if_it_is_plain(self) -> None:
        kept = self.client.get("/healthz", headers={"x-request-id": "abc-123"})
        made = self.client.get("/healthz", headers={"x-request-id": "a b\nc"})
        assert kept["X-Request-ID"] == "abc-123"
        assert len(made["X-Request-ID"]) == 32


@pytest.mark.django_db(transaction=True)
def test_without_the_database_the_api_says_so_and_the_process_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def out(*args: object, **kwargs: object) -> None:
        raise OperationalError("could not connect to server at 10.0.0.7")

    monkeypatch.setattr(type(connections["default"]), "cursor", out)
    client = Client(raise_request_exception=False)
    for path in ("/api/v1/games", "/api/v1/me", "/readyz"):
        headers = {"authorization": "Bearer " + _well_formed()}
        answer = client.get(path, headers=headers)
        is_problem(answer, 503, "database_unavailable")
        assert b"10.0.0.7" not in answer.content
    assert client.get("/healthz").status_code == 200
    assert client.get("/games/").status_code == 503


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_out_is_shown_and_changes_nothing() -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 200
    assert json.loads(answer.content)["checks"]["database"] == "ok"


@pytest.mark.django_db(transaction=True)
def test_unknown_parameters_and_fields_are_named() -> None:
    api = Api()
    told = api.get("/games?limitt=3")
    assert (api.status, told["code"], told["parameter"]) == (400, "unknown_parameter", "limitt")
    told = api.get("/games?limit=3&limit=4")
    assert (api.status, told["parameter"]) == (400, "limit")
    told = api.post("/players", {"name": "Aino", "admin": True})
    assert (api.status, told["errors"][0]["field"]) == (400, "admin")
    assert told["errors"][0]["code"] == "unknown_field"


def _well_formed() -> str:
    body = "hlp_" + "a" * 40
    return body + checksum(body)
