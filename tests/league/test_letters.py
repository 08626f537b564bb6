"""Letters of a league: each goes out once, in its reader's language; one click declines them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client

from games.models import Player
from league import letters as written
from league.models import Club, Competition, Entry, Letter, TableSeat
from league.services import letters, rounds, typed
from league.services.typed_tables import By, Where
from league.tasks import send_letters
from tests.league import cast, nights
from tests.league.test_api import _api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def league() -> Competition:
    """A night of four with accounts and addresses, whose ledger is read to its end."""
    made = nights.night(4)
    for player in Player.objects.filter(entries__competition=made):
        account(player, f"p{player.pk}@example.org")
    send_letters()
    return made


def account(player: Player, address: str) -> None:
    player.user = get_user_model().objects.create(username=address, email=address)
    player.save()


def tell(league: Competition, by: Entry, last: Entry) -> None:
    others = [n for n in range(1, 5) if n != last.number]
    where = Where(league.pk, 1, 1, 1)
    typed.enter(where, [others, [last.number]], By(by.player_id, organiser=False))


def entries(league: Competition) -> list[Entry]:
    return list(Entry.objects.filter(competition=league).order_by("number"))


def told() -> list[tuple[str, str]]:
    return sorted((message.to[0], str(message.subject)) for message in mail.outbox)


def test_a_league_that_was_there_before_begins_with_what_comes_next(league: Competition) -> None:
    assert told() == []
    assert not letters.due()


def test_who_is_to_confirm_is_told_once_and_who_told_it_too(league: Competition) -> None:
    one, two, *_ = entries(league)
    tell(league, one, two)
    assert letters.due()
    send_letters()
    send_letters()
    assert {subject for _, subject in told()} == {"Monday: a result needs to be confirmed"}
    assert len(told()) == len(set(told())) == 3
    assert f"p{one.player_id}@example.org" not in [address for address, _ in told()]


def test_a_dispute_a_correction_and_the_end_are_told(league: Competition) -> None:
    one, two, three, _ = entries(league)
    tell(league, one, two)
    where = Where(league.pk, 1, 1, 1)
    with_other = [[1, 2, 4], [three.number]]
    typed.enter(where, with_other, By(two.player_id, organiser=False), 1)
    oskari = cast.person("Oskari")
    typed.enter(where, with_other, By(oskari.pk, organiser=True), 1)
    send_letters()
    kinds = Letter.objects.values_list("event", flat=True)
    assert set(kinds) == {"confirm", "disputed", "corrected"}
    assert set(Letter.objects.values_list("state", flat=True)) == {"sent"}


def test_the_next_round_tells_where_one_sits_in_ones_own_language(league: Competition) -> None:
    one = entries(league)[0]
    Player.objects.filter(pk=one.player_id).update(language="fi")
    for deal in (1, 2):
        places = [[1, 2, 3], [4]]
        by = By(cast.person(f"Oskari {deal}").pk, organiser=True)
        typed.enter(Where(league.pk, 1, 1, deal), places, by)
    rounds.open(league.pk)
    send_letters()
    mine = [m for m in mail.outbox if m.to == [f"p{one.player_id}@example.org"]]
    assert [m.subject for m in mine] == ["Monday: istut pöydässä 1"]
    assert "Player 2" in mine[0].body
    others = {m.subject for m in mail.outbox} - {mine[0].subject}
    assert others == {"Monday: you sit at table 1"}
    assert TableSeat.objects.filter(round__number=2).count() == 4


def test_one_click_declines_a_kind_without_a_form_and_a_look_does_not(league: Competition) -> None:
    one, two, *_ = entries(league)
    tell(league, one, two)
    send_letters()
    (message,) = [m for m in mail.outbox if m.to == [f"p{two.player_id}@example.org"]]
    headers = message.extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    (address,) = re.findall(r"<.*?(/mail/[^>]+/)>", headers["List-Unsubscribe"])
    assert address in message.body
    client = Client(enforce_csrf_checks=True)
    assert client.get(address).status_code == 200
    assert letters.declined(two.player_id) == []
    answer = client.post(address, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert letters.declined(two.player_id) == ["confirm"]
    assert client.post(f"{address[:-3]}x/").status_code == 404
    assert client.get("/mail/nothing/").status_code == 404


def test_what_is_declined_after_it_was_written_is_not_sent(league: Competition) -> None:
    one, two, *_ = entries(league)
    tell(league, one, two)
    letters.write_due()
    letters.choose(two.player_id, ["confirm"])
    send_letters()
    assert f"p{two.player_id}@example.org" not in [address for address, _ in told()]


def test_what_the_server_refuses_is_tried_again_and_then_given_up(
    league: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, *_ = entries(league)
    tell(league, one, two)

    def refuse(self: Any, *args: Any, **kwargs: Any) -> int:
        raise OSError("no")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    for _ in range(letters.MOST_TRIES):
        Letter.objects.update(due_at="2020-01-01T00:00:00Z")
        send_letters()
    assert set(Letter.objects.values_list("state", "tries")) == {("failed", 5)}
    assert not letters.due()


def test_names_of_a_polite_club_stay_inert_in_a_letter(league: Competition) -> None:
    Club.objects.update(polite=True)
    Competition.objects.update(name="Paskahousu\r\nBcc: all@example.org")
    one, two, *_ = entries(league)
    tell(league, one, two)
    send_letters()
    assert {m.subject for m in mail.outbox} == {
        "Hönö Bcc: all@example.org: a result needs to be confirmed"
    }
    assert all(m.recipients() == m.to for m in mail.outbox)


def test_over_the_api_one_chooses(league: Competition) -> None:
    api, _ = _api("Aino")
    assert api.get("me/mail").json() == {"declined": []}
    answer = api._client.put(
        "/api/v1/me/mail",
        {"declined": ["seated"]},
        content_type="application/json",
        headers=api._headers,
    )
    assert answer.json() == {"declined": ["seated"]}
    assert api.get("me/mail").json() == {"declined": ["seated"]}


def test_an_address_that_is_not_ours_means_nothing() -> None:
    assert written.meant("x") is None
