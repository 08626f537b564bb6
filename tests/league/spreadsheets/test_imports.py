"""Ten spreadsheets of clubs: each is imported, or refused with the cell and why."""

from __future__ import annotations

import base64
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.models import Player
from league.errors import SheetOutdatedError, SheetRefusedError
from league.models import Competition, DealResult, Entry, LedgerRow, Membership, PenaltyTally
from league.queries import sheets
from league.services import sheet_imports, tallies
from league.services.sheet_plans import Taken, What
from league.services.typed_tables import By
from tests.league import cast, nights
from tests.league.club.browser import phone
from tests.league.spreadsheets import files
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def league() -> Competition:
    """Eight people at two tables of round 1; Aino, Bertil ... in order of their entry."""
    made = nights.night(8)
    for number, name in enumerate(NAMES, start=1):
        Player.objects.filter(entries__competition=made, entries__number=number).update(
            name=name, name_key=name.lower()
        )
    return made


NAMES = ("Aino", "Bertil", "Cecilia", "Daavid", "Eeva", "Frans", "Greta", "Hännu")
KEEPER = By(0, organiser=True)


def seats(league: Competition, table: int) -> list[str]:
    rows = Entry.objects.filter(seats__table__number=table, seats__round__competition=league)
    return list(rows.order_by("seats__index").values_list("player__name", flat=True))


def take(league: Competition, data: bytes, taken: Taken = Taken.AUTO) -> sheet_imports.Imported:
    tried = sheet_imports.check(league.pk, data, _keeper(league), taken)
    return sheet_imports.enter(league.pk, data, _keeper(league), tried.ledger_seq, taken)


def _keeper(league: Competition) -> By:
    owner, _ = Player.objects.get_or_create(kind="person", name="Oskari", name_key="oskari")
    Membership.objects.get_or_create(club=league.club, player=owner, role="owner")
    return By(owner.pk, organiser=True)


def faults(league: Competition, data: bytes, taken: Taken = Taken.AUTO) -> dict[str, str]:
    before = LedgerRow.objects.count()
    with pytest.raises(SheetRefusedError) as refused:
        sheet_imports.check(league.pk, data, _keeper(league), taken)
    assert LedgerRow.objects.count() == before
    told: Any = refused.value.data["faults"]
    return {fault["cell"]: fault["code"] for fault in told}


def chips(league: Competition) -> dict[str, int]:
    rows = PenaltyTally.objects.filter(competition=league, chips__gt=0)
    return dict(rows.values_list("player__name", "chips"))


def whole(league: Competition) -> bool:
    return tallies.recompute(league.pk, write=False) == []


def test_1_a_grid_with_nights_as_columns_and_a_total_row_and_column(league: Competition) -> None:
    rows: list[list[Any]] = [
        ["Maanantailiiga 2026"],
        [],
        ["Nimi", "Ilta 1", "Ilta 2", "Yhteensä"],
        ["Aino", 1, 2, "=B4+C4"],
        ["Bertil", 0, "-", 0],
        ["Hännu", 3, None, 3],
        ["Yhteensä", "=SUM(B4:B6)", 2, 6],
    ]
    data = files.book(rows, merged=["A1:D1"])
    done = take(league, data)
    assert (done.changed, chips(league)) == (3, {"Aino": 3, "Hännu": 3})
    assert take(league, data).changed == 0
    rows[3][2] = 0
    assert take(league, files.book(rows)).changed == 1
    assert chips(league) == {"Aino": 1, "Hännu": 3}
    assert whole(league)
    given = LedgerRow.objects.filter(competition=league, body__source="import")
    assert {row.kind for row in given} == {"chip", "adjustment"}


def test_2_a_line_a_deal_with_semicolons(league: Competition) -> None:
    one, two = seats(league, 1)[2], seats(league, 2)[0]
    text = f"Kierros;Pöytä;Jako;Paskahousu\n1;1;1;{one}\n1;1;2;{one}\n1;2;1;{two}\n"
    assert take(league, text.encode()).changed == 3
    assert chips(league) == {one: 2, two: 1}
    assert DealResult.objects.filter(state="confirmed").count() == 3
    row = LedgerRow.objects.filter(competition=league, kind="result.confirmed").first()
    assert row is not None
    assert row.body["source"] == "import"
    assert take(league, text.encode()).changed == 0
    assert whole(league)


def test_3_latin_1_with_windows_line_ends_and_places_as_columns(league: Competition) -> None:
    at = seats(league, 1)
    line = ",".join(at)
    text = f"Round,Table,1.,2.,3.,4.\r\n1,1,{line}\r\n1,1,{at[3]},{at[2]},{at[1]},{at[0]}\r\n"
    assert take(league, text.encode("latin-1")).changed == 2
    assert chips(league) == {at[3]: 1, at[0]: 1}


def test_4_a_mark_first_dates_of_the_north_and_no_table(league: Competition) -> None:
    when = Competition.objects.get().rounds.get().created_at
    local = when.astimezone(ZoneInfo(league.club.zone))
    one, two = seats(league, 1)[0], seats(league, 2)[1]
    told = f"{local.day}.{local.month}.{local.year}"
    text = f"Päivä;Häviäjä\n{told};{one}\n{told};{two}\n{told};{one}\n"
    assert take(league, b"\xef\xbb\xbf" + text.encode()).changed == 3
    assert chips(league) == {one: 2, two: 1}


def test_5_dates_that_can_be_two_days_or_none(league: Competition) -> None:
    text = "Date,Loser\n03/04/2026,Aino\n32.1.2026,Aino\nsoon,Aino\n"
    assert faults(league, text.encode()) == {
        "A2": "ambiguous_day",
        "A3": "not_a_day",
        "A4": "not_a_day",
    }
    text = "Date,Loser\n2026-01-05,Aino\n"
    assert faults(league, text.encode()) == {"A2": "no_round"}


def test_6_nights_played_elsewhere_a_line_a_deal(league: Competition) -> None:
    rows: list[list[Any]] = [
        ["Date", "Loser"],
        [files.day("2026-01-05"), "Aino"],
        ["5.1.2026", "aino"],
        ["2026-01-12", "Bertil"],
    ]
    assert take(league, files.book(rows), Taken.CHIPS).changed == 2
    assert chips(league) == {"Aino": 2, "Bertil": 1}
    grid = "Name,5.1.2026,12.1.2026\nAino,2,0\nBertil,0,1\n"
    assert take(league, grid.encode()).changed == 0


def test_7_a_night_over_two_columns_is_refused(league: Competition) -> None:
    rows: list[list[Any]] = [
        ["", "Ilta 1", None, "Ilta 2", None],
        ["Nimi", "jaot", "chipit", "jaot ", "chipit "],
        ["Aino", 4, 1, 4, 0],
    ]
    assert faults(league, files.book(rows, ["B1:C1", "D1:E1"])) == {"B1": "joined_head"}


def test_8_empty_lines_strangers_and_who_only_looks_like_somebody(league: Competition) -> None:
    text = "Nimi,1,2\n\n\nAino,1,x\nАino,1,1\nNobody,0,1\n,1,1\nBertil,-2,1.5\nAino,1,0\n"
    assert faults(league, text.encode()) == {
        "C4": "not_a_number",
        "A5": "looks_like",
        "A6": "no_such_player",
        "B7": "no_name",
        "B8": "not_a_number",
        "C8": "not_a_number",
        "A9": "name_twice",
    }


def test_9_formulas_where_numbers_are_due(league: Competition) -> None:
    rows: list[list[Any]] = [["Nimi", "Ilta 1"], ["Aino", "=1+1"], ["=HYPERLINK(1)", 1]]
    assert faults(league, files.book(rows)) == {"B2": "formula", "A3": "no_such_player"}


def test_10_two_tell_the_same_deal_and_one_sits_elsewhere(league: Competition) -> None:
    one, two = seats(league, 1)[0], seats(league, 2)[0]
    rows = ["1,1,1", "1,1,1", f"1,1,2,{two}", "1,9,1", "2,1,1", "1,1,9"]
    lines = [row if row.count(",") > 2 else f"{row},{one}" for row in rows]
    text = "\n".join(["round,table,deal,last", *lines])
    assert faults(league, text.encode()) == {
        "A3": "deal_twice",
        "A4": "bad_result",
        "A5": "no_table",
        "A6": "no_round",
        "A7": "no_deal",
    }


def test_two_of_one_name_are_told_by_their_entry(league: Competition) -> None:
    Player.objects.filter(name="Bertil").update(name="Aino")
    text = "name,night 1\nAino,1\n"
    assert faults(league, text.encode()) == {"A2": "several_players"}
    assert take(league, b"entry,night 1\n2,1\n").changed == 1


def test_our_own_export_comes_in_again(league: Competition) -> None:
    at = seats(league, 1)
    take(league, f"round,table,deal,last\n1,1,1,{at[0]}\n".encode())
    lines = [",".join(map(str, row)) for row in sheets.rows("results", league)]
    tried = sheet_imports.check(league.pk, "\n".join(lines).encode(), _keeper(league))
    assert [one.what for one in tried.plan.results] == [What.SAME]


def test_a_changed_result_is_shown_beside_what_stands(league: Competition) -> None:
    at = seats(league, 1)
    take(league, f"round,table,deal,last\n1,1,1,{at[0]}\n".encode())
    text = f"round,table,deal,last\n1,1,1,{at[1]}\n".encode()
    tried = sheet_imports.check(league.pk, text, _keeper(league))
    (one,) = tried.plan.results
    assert (one.cell, one.what) == ("A2", What.CHANGED)
    assert {change.entry for change in tried.changes}
    assert chips(league) == {at[0]: 1}
    with pytest.raises(SheetOutdatedError):
        sheet_imports.enter(league.pk, text, _keeper(league), tried.ledger_seq - 1)
    assert take(league, text).changed == 1
    assert chips(league) == {at[1]: 1}
    assert LedgerRow.objects.filter(kind="result.amended", body__source="import").exists()


def test_over_the_api_it_is_tried_and_entered_once(league: Competition) -> None:
    api, oskari = _api("Oskari")
    Membership.objects.create(club=league.club, player=oskari, role="owner")
    one = seats(league, 1)[0]
    file = base64.b64encode(f"round,table,deal,last\n1,1,1,{one}\n".encode()).decode()
    address = f"competitions/{league.pk}/sheets"
    tried = api.post(f"{address}/check", {"file": file}).json()
    assert tried["results"][0]["what"] == "new"
    assert not DealResult.objects.exists()
    body = {"file": file, "seen": tried["ledger_seq"]}
    key = {"Idempotency-Key": "sheet-1"}
    assert api.post(address, body, **key).json() == {"changed": 1, "same": 0}
    assert api.post(address, body, **key).json() == {"changed": 1, "same": 0}
    assert api.post(address, body).json() == {"changed": 0, "same": 1}
    wrong = base64.b64encode(b"round,table,deal,last\n1,1,1,Nobody\n").decode()
    answer = api.post(f"{address}/check", {"file": wrong})
    assert (answer.status_code, answer.json()["code"]) == (422, "sheet_refused")
    assert answer.json()["faults"][0]["cell"] == "D2"
    assert api.post(address, {"file": "no base64!", "seen": 1}).status_code == 400
    stranger, _ = _api("Vieras")
    assert stranger.post(f"{address}/check", {"file": file}).status_code == 403


def test_on_the_page_it_is_looked_at_then_entered(league: Competition) -> None:
    keeper = _keeper(league)
    client = phone(Player.objects.get(pk=keeper.player_id))
    address = f"/l/{league.slug}/sheet/"
    bad = SimpleUploadedFile("x.csv", b"name,night 1\n<script>alert(1)</script>,1\n")
    page = client.post(address, {"file": bad})
    assert page.status_code == 422
    assert "<strong>A2</strong>" in page.content.decode()
    assert "<script>alert" not in page.content.decode()
    data = b"name,night 1\nAino,1\n"
    page = client.post(address, {"file": SimpleUploadedFile("x.csv", data)})
    assert "1 of 1 cells would be entered" in page.content.decode()
    assert chips(league) == {}
    kept = base64.b64encode(data).decode()
    form = {"kept": kept, "taken_as": "auto", "seen": Competition.objects.get().ledger_seq}
    assert client.post(address, form).status_code == 302
    assert chips(league) == {"Aino": 1}
    assert phone().get(address).status_code == 404


def test_a_list_of_names_adds_who_is_new() -> None:
    api, oskari = _api("Oskari")
    club = cast.club("uusi")
    Membership.objects.create(club=club, player=oskari, role="owner")
    file = base64.b64encode(files.book([["Nimi"], ["Aino"], ["Oskari"], ["Аino"]])).decode()
    said = api.post("clubs/uusi/name-lists", {"file": file, "dry_run": True}).json()
    assert said == {"added": ["Aino", "Аino"], "known": ["Oskari"], "looks_like": {"Аino": "Aino"}}
    assert Membership.objects.count() == 1
    assert api.post("clubs/uusi/name-lists", {"file": file}).status_code == 200
    assert Membership.objects.count() == 3
    wrong = base64.b64encode("Aino\nx\nAino\nAi\u202eno\n".encode()).decode()
    answer = api.post("clubs/uusi/name-lists", {"file": wrong}).json()
    assert [fault["cell"] for fault in answer["faults"]] == ["A2", "A3", "A4"]
