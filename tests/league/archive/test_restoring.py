"""A competition moved to an emptied installation is the same there but for ids and dates."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from games.models import GameRecord, Player
from league.errors import BadDocumentError
from league.formats.registry import FORMATS
from league.models import Competition, LedgerRow, Membership, Table
from league.queries.fingerprint import fingerprint
from league.services import conduct, corrections, ledger, restoring, tallies
from league.services.corrections import Correction
from tests.league import cast
from tests.league.archive.cast import document, played

pytestmark = pytest.mark.django_db(transaction=True)
_IDS = {"id", "slug", "competition", "created_at", "club", "above"}


def _plain(value: Any) -> Any:
    """The same without ids and dates."""
    if isinstance(value, dict):
        return {
            key: _plain(item)
            for key, item in value.items()
            if key not in _IDS and not key.endswith("_at") and key != "at"
        }
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _emptied() -> None:
    """As another installation: nothing of the games or the league is there."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE games_player, games_rulescard, games_deck, league_club CASCADE")


def _moved(wire: dict[str, Any]) -> Competition:
    _emptied()
    return restoring.restore(cast.club("uusi").pk, json.dumps(wire))


@pytest.mark.parametrize("format", FORMATS)
def test_moved_it_is_the_same(format: str) -> None:
    first = played(format, 7)
    wire, print_ = document(first), fingerprint(first)
    again = _moved(wire)
    assert _plain(document(again)) == _plain(wire)
    assert fingerprint(again) == print_
    assert ledger.first_broken(again) is None
    assert tallies.recompute(again.pk, write=False) == []
    assert GameRecord.objects.filter(competition_ref=again.pk).count() == len(wire["records"]) > 0


def test_moved_twice_it_checks_every_time_and_goes_on_to_be_corrected() -> None:
    wire = document(played("knockout", 9))
    again = _moved(document(_moved(wire)))
    body = LedgerRow.objects.filter(competition=again, kind="result.confirmed")[0].body
    turned = [list(reversed(deal)) for deal in body["deals"]]
    where = (again.pk, body["round"], body["table"])
    corrections.amend(Correction(*where, turned, "upside down", 1), "test")
    again.refresh_from_db()
    assert ledger.first_broken(again) is None
    assert tallies.recompute(again.pk, write=False) == []
    assert Table.objects.filter(round__competition=again).count() == 4


def test_bots_of_one_owner_stay_apart_in_the_draws_that_are_checked() -> None:
    owner = cast.person()
    cup = cast.cup([*cast.bots(3, owner), *cast.house_bots(6)], {"table_size": 3})
    from league.services import competitions  # noqa: PLC0415

    competitions.start(cup.pk)
    conduct.void(cup.pk, "test")
    again = _moved(document(cup))
    wire = document(again)
    assert [entry["owner"] for entry in wire["entries"]][:4] == [1, 1, 1, None]
    assert Player.objects.filter(kind="guest").count() == 3
    _moved(wire)


def test_members_of_the_club_are_found_again_by_name_and_nobody_else_is() -> None:
    aino, bertil = cast.person("Aino"), cast.person("Bertil")
    cup = cast.cup([aino, bertil], {"results": "typed", "entrants": "all"})
    conduct.void(cup.pk, "test")
    club = cast.club("uusi")
    Membership.objects.create(club=club, player=aino)
    again = restoring.restore(club.pk, json.dumps(document(cup)))
    found = [entry.player for entry in again.entries.order_by("number")]
    assert found[0] == aino
    assert (found[1].kind, found[1].name) == ("guest", "Bertil") and found[1] != bertil


def test_what_does_not_check_makes_nothing() -> None:
    wire = document(played("strikes", 5))
    wire["tallies"][0]["chips"] += 1
    with pytest.raises(BadDocumentError) as refused:
        _moved(wire)
    assert refused.value.data["parts"][0]["part"] == "tallies"  # type: ignore[index]
    with pytest.raises(BadDocumentError):
        restoring.restore(1, "{}")
    assert not Competition.objects.exists()


def test_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document(played("rounds", 6, rounds=2))))
    call_command("verify", str(file))
    assert all(json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines())
    _emptied()
    cast.club("uusi")
    call_command("restore_competition", str(file), "--club", "uusi")
    assert re.fullmatch(r"/c/event-[0-9a-f]{8}/\n", capsys.readouterr().out)
    wire = json.loads(file.read_text())
    wire["tallies"][0]["chips"] += 1
    file.write_text(json.dumps(wire))
    with pytest.raises(SystemExit):
        call_command("verify", str(file))
    assert '"part":"tallies","ok":false' in capsys.readouterr().out
