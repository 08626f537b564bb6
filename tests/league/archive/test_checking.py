"""An export proves itself: chain, draws, tallies, standings, records; any change is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from league.archive import check, is_document
from league.formats.registry import FORMATS
from league.models import Competition, LedgerRow, Table
from league.services import competitions, conduct, corrections, entries
from league.services.corrections import Correction
from tests.league import cast
from tests.league.archive.cast import document, played

pytestmark = pytest.mark.django_db(transaction=True)
Change = Callable[[dict[str, Any]], object]


def _bad(wire: dict[str, Any]) -> list[dict[str, Any]]:
    return [verdict for verdict in check(json.dumps(wire)) if not verdict["ok"]]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("entries", [2, 7, 13])
def test_a_competition_of_every_format_checks_and_every_round_is_drawn_again(
    format: str, entries: int
) -> None:
    wire = document(played(format, entries))
    verdicts = {verdict["part"]: verdict for verdict in check(json.dumps(wire))}
    assert [v for v in verdicts.values() if not v["ok"]] == []
    assert verdicts["rounds"]["rounds"] == len(wire["rounds"]) > 0
    assert verdicts["records"]["records"] >= 2


@pytest.mark.parametrize("seating", ["standings", "random", "fixed", "balanced"])
def test_every_seating_is_drawn_again(seating: str) -> None:
    assert _bad(document(played("rounds", 9, rounds=4, seating=seating, limit=3))) == []


def test_a_running_competition_checks_without_its_secret() -> None:
    cup = cast.cup(cast.house_bots(5))
    competitions.start(cup.pk)
    wire = document(cup)
    assert wire["competition"]["secret"] is None and wire["records"] == []
    assert _bad(wire) == []


def test_drops_withdrawals_and_corrections_are_considered() -> None:
    cup = cast.cup(cast.house_bots(11), {"table_size": 3})
    entries.withdraw(cup.pk, cup.entries.get(number=4).player_id)
    competitions.start(cup.pk)
    conduct.drop(cup.pk, cup.entries.get(number=7).player_id, "test")
    cast.play_all()
    cup.refresh_from_db()
    table = Table.objects.get(round__competition=cup, round__number=1, number=1)
    body = LedgerRow.objects.get(table_ref=table.pk, kind="result.confirmed").body
    turned = [list(reversed(deal)) for deal in body["deals"]]
    corrections.amend(Correction(cup.pk, 1, 1, turned, "upside down", 1), "test")
    assert _bad(document(cup)) == []


def test_a_round_that_was_drawn_anew_is_drawn_again_both_times() -> None:
    cup = played("rounds", 8, rounds=3, next_round="by_hand", seating="standings")
    from league.services import rounds  # noqa: PLC0415

    rounds.open(cup.pk)
    body = LedgerRow.objects.filter(competition=cup, kind="result.confirmed")[0].body
    turned = [list(reversed(deal)) for deal in body["deals"]]
    corrections.amend(
        Correction(cup.pk, 1, body["table"], turned, "upside down", 1, redraw=True), "test"
    )
    for _ in range(4):
        cast.play_all()
        rounds.open(cup.pk)
    wire = document(Competition.objects.get(pk=cup.pk))
    assert wire["competition"]["state"] == "finished"
    assert "void" in [row["state"] for row in wire["rounds"]]
    assert _bad(wire) == []


def _swap(wire: dict[str, Any]) -> None:
    one, two = wire["standings"][:2]
    wire["standings"][:2] = [two, one]


CHANGES: dict[str, tuple[str, Change]] = {
    "a result": ("ledger", lambda w: _row(w, "result.confirmed")["body"]["deals"][0].reverse()),
    "a row gone": ("ledger", lambda w: w["ledger"].pop(3)),
    "a row's parent": ("ledger", lambda w: w["ledger"][1].update(entry=9)),
    "another secret": ("secret", lambda w: w["competition"].update(secret="00" * 32)),
    "another seed": ("secret", lambda w: w["entries"][0].update(seed=99)),
    "seats": ("rounds", lambda w: w["rounds"][0]["tables"][0]["seats"].reverse()),
    "an advance": ("rounds", lambda w: w["rounds"][0]["tables"][0].update(advance=0)),
    "a table's order": ("tables", lambda w: w["rounds"][0]["tables"][0]["places"].reverse()),
    "a chip": ("tallies", lambda w: w["tallies"][2].update(chips=77)),
    "a tally gone": ("tallies", lambda w: w["tallies"].pop()),
    "the winner": ("places", lambda w: [e.update(place=2) for e in w["entries"]]),
    "a chip that is shown": ("standings", lambda w: w["standings"][3].update(chips=9)),
    "the order": ("standings", _swap),
    "a record's action": (
        "records",
        lambda w: w["records"][0]["proof"]["record"]["actions"].pop(1),
    ),
    "a record gone": ("records", lambda w: w["records"].pop()),
    "who sat where": ("records", lambda w: w["records"][0]["entries"].reverse()),
}


@pytest.fixture(scope="module")
def told(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    with django_db_blocker.unblock():
        return document(played("knockout", 9))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_where_it_was_made(told: dict[str, Any], change: str) -> None:
    part, make = CHANGES[change]
    wire = copy.deepcopy(told)
    make(wire)
    assert part in [verdict["part"] for verdict in _bad(wire)]


def test_a_dishonest_draw_with_a_new_chain_is_found_by_drawing_again(told: dict[str, Any]) -> None:
    from league.archive.chain import link  # noqa: PLC0415

    wire = copy.deepcopy(told)
    drawn = _row(wire, "round.drawn")["body"]["tables"]
    drawn[0][0], drawn[1][0] = drawn[1][0], drawn[0][0]
    head = b""
    for row in wire["ledger"]:
        head = link(head, row["id"], row["event"], row["body"])
        row["hash"] = head.hex()
    bad = {verdict["part"]: verdict for verdict in _bad(wire)}
    assert "ledger" not in bad
    assert bad["rounds"]["differences"][0]["round"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        "null",
        "3",
        '{"format":"housuliiga-competition"}',
        '{"format":"housuliiga-competition","competition":3,"ledger":{},"records":[[]]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_document_is_refused_without_a_crash(text: str) -> None:
    assert all(not verdict["ok"] for verdict in check(text))


def test_a_document_is_told_from_a_record() -> None:
    assert is_document(' {"format":"housuliiga-competition"}')
    assert not is_document('{"format":"paskahousu-proof"}')


def _row(wire: dict[str, Any], event: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in wire["ledger"] if row["event"] == event)
    return found
