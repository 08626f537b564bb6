"""Chips by hand are rows with a reason and can be revoked; notes can be erased, the chain holds."""

import hashlib
from typing import Any

import pytest
from django.db import transaction

from league.errors import (
    BadChipsError,
    BadNoteError,
    ChipsNotFoundError,
    NotEnteredError,
    NotRunningError,
    RevokedError,
)
from league.models import Competition, Entry, LedgerRow, Note, PenaltyTally
from league.services import chips, ledger, notes, rounds, tallies, typed
from league.services.chips import ByHand
from league.services.notes import Prose
from league.services.typed_tables import By, Where
from tests.league import cast
from tests.league.archive.cast import document
from tests.league.archive.test_checking import _bad
from tests.league.nights import night, people
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


def _give(competition: Competition, number: int, many: int, text: str = "") -> LedgerRow:
    player = Entry.objects.get(competition=competition, number=number).player_id
    given = ByHand(player, many, "late", Prose(text))
    return chips.give(competition.pk, given, "player:1")


def _chips(competition: Competition) -> list[int]:
    assert tallies.recompute(competition.pk, write=False) == []
    rows = PenaltyTally.objects.filter(competition=competition).order_by("entry__number")
    return list(rows.values_list("chips", flat=True))


def test_a_chip_by_hand_is_a_row_with_a_reason_and_counts() -> None:
    monday = night()
    row = _give(monday, 2, 3)
    assert (row.kind, row.body) == (
        "chip",
        {"entry": 2, "chips": 3, "round": 1, "reason": "late"},
    )
    assert _chips(monday) == [0, 3, 0, 0]


def test_what_was_given_is_revoked_once_and_that_can_be_revoked_too() -> None:
    monday = night()
    given = _give(monday, 2, 3)
    back = chips.revoke(monday.pk, given.seq, "player:1")
    assert (back.kind, back.body["revokes"], back.body["chips"]) == ("adjustment", given.seq, -3)
    assert _chips(monday) == [0, 0, 0, 0]
    with pytest.raises(RevokedError) as refused:
        chips.revoke(monday.pk, given.seq, "player:1")
    assert refused.value.data["by"] == back.seq
    chips.revoke(monday.pk, back.seq, "player:1")
    assert _chips(monday) == [0, 3, 0, 0]


def test_chips_are_taken_but_never_below_none() -> None:
    monday = night()
    _give(monday, 2, 3)
    assert _give(monday, 2, -2).kind == "adjustment"
    rows = LedgerRow.objects.filter(competition=monday).count()
    with pytest.raises(BadChipsError):
        _give(monday, 2, -2)
    with pytest.raises(BadChipsError):
        _give(monday, 2, 0)
    assert LedgerRow.objects.filter(competition=monday).count() == rows
    assert _chips(monday) == [0, 1, 0, 0]


def test_only_chips_by_hand_are_revoked_and_only_while_it_runs() -> None:
    monday = night()
    with pytest.raises(ChipsNotFoundError):
        chips.revoke(monday.pk, 1, "player:1")
    with pytest.raises(NotEnteredError):
        chips.give(monday.pk, ByHand(10**9, 1, "late"), "player:1")
    Competition.objects.filter(pk=monday.pk).update(state="finished")
    with pytest.raises(NotRunningError):
        _give(monday, 1, 1)


@pytest.mark.parametrize("before", [True, False])
def test_who_is_put_out_by_hand_takes_no_more_whatever_came_first(before: bool) -> None:
    monday = night(limit=2, rounds=3, deals_per_table=1)
    oskari = By(cast.person().pk, organiser=True)
    if before:
        _give(monday, 4, 2)
    typed.enter(Where(monday.pk, 1, 1, 1), [[1, 2, 3], [4]], oskari)
    if not before:
        _give(monday, 4, 2)
    rounds.open(monday.pk)
    typed.enter(Where(monday.pk, 2, 1, 1), [[1, 2, 3], [4]], oskari)
    assert max(_chips(monday)) <= 3
    assert _bad(document(monday)) == []


def test_bots_tables_count_on_from_chips_by_hand() -> None:
    from league.services import competitions, entries  # noqa: PLC0415

    new = competitions.NewCompetition(
        name="Bots",
        format="rounds",  # type: ignore[arg-type]
        settings={"deals_per_table": 2, "rounds": 4, "limit": 4, "next_round": "by_hand"},
        secret=cast.SECRET,
    )
    event = competitions.create(cast.club("bots").pk, new)
    for player in cast.house_bots(8):
        entries.enter(event.pk, player.pk)
    competitions.start(event.pk)
    for number in (1, 2, 3):
        _give(event, number, 3)
        cast.play_all()
        _give(event, number + 3, 1)
        assert tallies.recompute(event.pk, write=False) == []
        rounds.open(event.pk)
    cast.play_all()
    assert _bad(document(Competition.objects.get(pk=event.pk))) == []


def test_a_note_is_erased_and_the_chain_still_holds() -> None:
    monday = night()
    row = _give(monday, 2, 1, "Came after the first deal.")
    note = Note.objects.get()
    salted = bytes(note.salt) + note.text.encode()
    assert row.body["note"] == hashlib.sha256(salted).hexdigest() == bytes(note.hash).hex()
    assert "first deal" not in str(list(LedgerRow.objects.values_list("body", flat=True)))
    notes.erase(monday.pk, note.pk, "player:1")
    notes.erase(monday.pk, note.pk, "player:1")
    note.refresh_from_db()
    assert (note.text, bytes(note.salt)) == ("", b"")
    monday.refresh_from_db()
    assert ledger.first_broken(monday) is None
    assert "first deal" not in str(document(monday))


def test_what_was_written_about_a_player_goes_with_his_name() -> None:
    monday = night()
    _give(monday, 2, 1, "Came late.")
    _give(monday, 3, 1, "Left early.")
    player = Entry.objects.get(competition=monday, number=2).player_id
    with transaction.atomic():
        assert notes.erase_about(player, "player:1") == 1
    assert list(Note.objects.filter(erased_at=None).values_list("text", flat=True)) == [
        "Left early."
    ]
    with transaction.atomic():
        assert notes.erase_about(player, "player:1") == 0


@pytest.mark.parametrize("text", ["x", "two\nlines", "\u202egnp.exe", "\u200b\u200b", "a" * 501])
def test_a_note_is_one_honest_line(text: str) -> None:
    monday = night()
    with pytest.raises(BadNoteError):
        _give(monday, 2, 1, text)
    assert _chips(monday) == [0, 0, 0, 0]


def test_over_the_api_organisers_give_revoke_read_and_erase_and_nobody_else() -> None:
    oskari, _ = _api("Oskari")
    oskari.post("clubs", {"slug": "kulma", "name": "Kulma"})
    settings = {"entrants": "people", "results": "typed", "next_round": "by_hand"}
    body = {"club": "kulma", "name": "Monday", "format": "rounds", "settings": settings}
    one = f"competitions/{oskari.post('competitions', body).json()['id']}"
    guests = people(3)
    for player in guests:
        oskari.post(f"{one}/entries", {"player": player.pk})
    oskari.post(f"{one}/start", {})
    wanted: dict[str, Any] = {"chips": 1, "reason": "late", "note": "Came at nine."}
    path = f"{one}/entries/{guests[0].pk}/chips"
    given = oskari.post(path, wanted, **{"Idempotency-Key": "c1"})
    assert given.status_code == 201
    assert oskari.post(path, wanted, **{"Idempotency-Key": "c1"}).json() == given.json()
    aino, _ = _api("Aino")
    assert aino.post(path, wanted).status_code == 403
    assert aino.get(f"{one}/notes").status_code == 403
    (note,) = oskari.get(f"{one}/notes").json()["results"]
    assert (note["text"], note["about"]["id"]) == ("Came at nine.", guests[0].pk)
    assert given.json()["body"]["note"] == note["hash"]
    assert oskari.delete(f"{one}/notes/{note['id']}").status_code == 204
    assert oskari.get(f"{one}/notes").json()["results"][0]["text"] is None
    seq = given.json()["ledger_seq"]
    assert oskari.post(f"{one}/ledger/{seq}/revoke", {}).status_code == 201
    assert oskari.post(f"{one}/ledger/{seq}/revoke", {}).json()["code"] == "revoked"
    verbs = [act["verb"] for act in oskari.get(f"{one}/acts").json()["results"]]
    assert verbs == ["adjustment.revoked", "note.erased", "chip.given"]
