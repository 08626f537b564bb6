"""Exports over the API: every file, inert cells, one moment, nothing of a private club."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from games.engine import verify_lines
from games.models import Player
from league.api.exports import FILES
from league.archive import check
from league.models import Club
from league.services import conduct
from tests.league import cast
from tests.league.archive.cast import played

pytestmark = pytest.mark.django_db(transaction=True)


def _get(competition_id: int, file: str, **headers: str) -> Any:
    address = f"/api/v1/competitions/{competition_id}/exports/{file}"
    return Client().get(address, headers=headers)


def _body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize("file", FILES)
def test_every_file_comes_with_its_type_name_and_tag(file: str) -> None:
    cup = played("knockout", 5)
    answer = _get(cup.pk, file)
    assert answer.status_code == 200
    assert answer["Content-Type"] == FILES[file].media_type
    assert f"{cup.slug}-{file}" in answer["Content-Disposition"]
    assert _body(answer)
    if not file.endswith("xlsx"):
        assert _get(cup.pk, file, **{"If-None-Match": answer["ETag"]}).status_code == 304


def test_the_files_prove_themselves() -> None:
    cup = played("rounds", 7, rounds=2)
    assert all(v["ok"] for v in check(_body(_get(cup.pk, "competition.json")).decode()))
    for file in ("records.ndjson", "proofs.ndjson"):
        verdicts = list(verify_lines(_body(_get(cup.pk, file)).decode()))
        assert len(verdicts) == 8 and all(verdict["ok"] for verdict in verdicts)
    rows = [json.loads(line) for line in _body(_get(cup.pk, "ledger.ndjson")).splitlines()]
    listed = Client().get(f"/api/v1/competitions/{cup.pk}/events?limit=100").json()["results"]
    assert rows == listed


HOT = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]


@pytest.mark.parametrize("name", HOT)
def test_cells_that_a_spreadsheet_would_carry_out_are_inert(name: str) -> None:
    players = cast.house_bots(2)
    Player.objects.filter(pk=players[0].pk).update(name=name)
    cup = cast.cup(players)
    conduct.void(cup.pk, "test")
    text = _body(_get(cup.pk, "entries.csv")).decode()
    cells = [row[2] for row in csv.reader(io.StringIO(text, newline=""))]
    assert cells[1] == f"'{name}"
    book = load_workbook(io.BytesIO(_body(_get(cup.pk, "competition.xlsx"))))
    cell = book["entries"].cell(2, 3)
    assert cell.data_type == "s" and str(cell.value).startswith("'")


def test_results_are_told_by_seat_and_add_up() -> None:
    cup = played("rounds", 7, rounds=2)
    rows = list(csv.DictReader(io.StringIO(_body(_get(cup.pk, "results.csv")).decode())))
    assert len(rows) == 2 * 2 * 7
    assert {row["place"] for row in rows} == {"1", "2", "3", "4"}


def test_unknown_files_and_private_clubs_are_not_found() -> None:
    cup = cast.cup(cast.house_bots(2))
    answer = _get(cup.pk, "secret.json")
    assert (answer.status_code, answer.json()["code"]) == (404, "export_not_found")
    Club.objects.filter(pk=cup.club_id).update(private=True)
    for file in FILES:
        assert _get(cup.pk, file).json()["code"] == "competition_not_found"
