"""The API's description: valid OpenAPI 3.1, no warnings, every operation named and exemplified."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from bots_api.protocol.calls import Sent, sent
from bots_api.protocol.schemas import TURN_SCHEMA
from config.describe import schema

METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", found[method])
        for path, found in schema()["paths"].items()
        for method in METHODS
        if method in found
    ]


def has_content(operation: dict[str, Any]) -> bool:
    """Whether anything is sent or answered that an example could show."""
    answers = [answer for code, answer in operation["responses"].items() if code != "default"]
    return "requestBody" in operation or any("content" in answer for answer in answers)


def test_the_description_is_valid_and_without_warnings() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO())
    assert schema()["openapi"].startswith("3.1")


def test_every_operation_has_a_summary_that_names_a_task_and_an_example() -> None:
    for name, operation in operations():
        assert re.fullmatch(r"[A-Z][a-z]+ .*[^.]", operation.get("summary", "")), name
        if has_content(operation):
            assert "example" in json.dumps(operation), name


def test_every_operation_tells_its_problems() -> None:
    for name, operation in operations():
        assert "application/problem+json" in operation["responses"]["default"]["content"], name


def test_what_the_service_sends_to_bots_is_described() -> None:
    described = schema()["webhooks"]
    told = {"handshake", "nonce", "game_start", "turn", "game_end"}
    assert set(described) == {*told, "ledger_row"}
    assert set(described["handshake"]) == {"get"}
    body = described["turn"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"view", "legal", "move_number"} <= set(body["required"])
    assert body["required"] == TURN_SCHEMA["required"]


def test_what_a_competition_s_webhook_is_sent_is_the_row_of_stream_and_list() -> None:
    described = schema()
    operation = described["webhooks"]["ledger_row"]["post"]
    content = operation["requestBody"]["content"]["application/json"]
    row = content["schema"]["properties"]["data"]["$ref"].rsplit("/", 1)[1]
    wanted = described["components"]["schemas"][row]["required"]
    assert set(wanted) == set(content["examples"]["example"]["value"]["data"])


@pytest.mark.parametrize("call", sent(), ids=lambda call: call.name)
def test_the_examples_of_what_is_sent_fit_their_schemas(call: Sent) -> None:
    Draft202012Validator.check_schema(call.reply)
    Draft202012Validator(call.reply).validate(call.answer)
    if call.message is not None:
        Draft202012Validator(call.message).validate(call.example)


@pytest.mark.django_db
def test_the_description_is_served_in_both_forms_with_a_tag() -> None:
    client = Client()
    answer = client.get("/api/openapi.json")
    assert json.loads(answer.content) == schema()
    assert client.get("/api/openapi.yaml").content.startswith(b"openapi: 3.1")
    again = client.get("/api/openapi.json", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/docs/", "/api/try/"])
def test_the_readers_load_nothing_from_elsewhere(path: str) -> None:
    answer = Client().get(path)
    text = answer.content.decode()
    assert not re.search(r"(src|href)=\"(https?:)?//", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style", text)
    assert "script-src" not in answer["Content-Security-Policy"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]


@pytest.mark.django_db
def test_what_llms_txt_names_is_there() -> None:
    text = Client().get("/llms.txt").content.decode()
    links = re.findall(r"\]\(https?://[^/]+(/[^)]*)\)", text)
    assert len(links) > 4
    assert {link: Client().get(link).status_code for link in links} == dict.fromkeys(links, 200)
    paths = set(re.findall(r"`(?:GET|POST) (/api/v1/[^` ]+)`", text))
    known = {path.replace("{game_id}", "ID") for path in schema()["paths"]}
    assert paths and paths <= known
