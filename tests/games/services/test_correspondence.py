"""Days for a move: deadlines, holidays, letters, and games that take longer than a restart."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.db.models import F
from django.db.models.functions import Now

from config.kit import clock
from games import tasks
from games.engine import rules_from, verify_lines
from games.errors import BadHolidayError, HolidayOverError, NoDaysLeftError
from games.models import By, Game, Holiday, Player, Seat
from games.queries import evented_due, to_mail
from games.queries.clocks import Away, deadline_ms
from games.services import holidays, letters, lobby, moves, resigning
from games.services.lobby import Plan
from tests.games import cast
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)


def account(name: str, language: str = "") -> Player:
    """A person with an account and an address."""
    player = cast.person(name)
    user = get_user_model().objects.create_user(name.lower(), f"{name.lower()}@example.org")
    Player.objects.filter(pk=player.pk).update(user=user, language=language)
    return player


def slow(*people: Player, preset: str = "classic", **options: object) -> UUID:
    """A dealt game by correspondence."""
    plan = Plan(rules_from(preset, options), [""] * len(people), move_days=2)
    game_id = lobby.create_game(people[0], plan).game_id
    for player in people[1:]:
        lobby.join(game_id, player)
    for player in people:
        lobby.ready(game_id, player, "x")
    return game_id


def two(preset: str = "classic", **options: object) -> tuple[UUID, list[Player]]:
    people = [account("Aino"), account("Bertil", "fi")]
    return slow(*people, preset=preset, **options), people


def on_turn(game_id: UUID) -> int:
    return cast.engine_game(game_id).to_act()[0]


def back(game_id: UUID, by: timedelta) -> None:
    """As if so much time had passed since the last move."""
    Game.objects.filter(pk=game_id).update(
        started_at=F("started_at") - by,
        turn_at=F("turn_at") - by,
        deadline_at=F("deadline_at") - by,
    )


def write_letters() -> list[Any]:
    """Do what the task does for every game; the letters that went out by it."""
    mail.outbox.clear()
    for game_id in to_mail():
        tasks.write_letters(str(game_id))
    return list(mail.outbox)


# Clocks


def test_a_move_has_its_days_and_no_bank() -> None:
    game_id, _ = two()
    row = cast.row(game_id)
    assert (row.move_days, row.move_ms, row.bank_ms) == (2, 2 * 24 * 3600 * 1000, 0)
    assert row.started_at is not None and row.deadline_at is not None
    assert timedelta(0) <= row.deadline_at - row.started_at - 2 * DAY < timedelta(seconds=1)


def test_the_sweep_finds_a_move_whose_days_are_over_and_the_default_is_played() -> None:
    game_id, _ = two()
    back(game_id, 3 * DAY)
    assert game_id in evented_due()
    moves.expire(game_id)
    row = cast.row(game_id)
    assert (row.ply, bytes(row.by)[:1]) == (1, bytes([By.DEFAULT]))


def test_a_game_longer_than_49_days_keeps_its_times_and_its_deadlines() -> None:
    game_id, people = two(max_plies=100)
    back(game_id, timedelta(days=100))
    # 100 days ago it was dealt; the turn began just now.
    Game.objects.filter(pk=game_id).update(turn_at=Now(), deadline_at=Now() + 2 * DAY)
    cast.play_default(game_id)
    row = cast.row(game_id)
    assert len(bytes(row.at_ms)) == 8 * row.ply
    assert int.from_bytes(bytes(row.at_ms)[:8], "big") > 99 * 24 * 3600 * 1000
    assert row.deadline_at is not None and row.deadline_at > clock.now() + DAY
    back(game_id, 3 * DAY)
    assert moves.expire(game_id) is not None
    assert cast.row(game_id).ply > row.ply
    cast.play_out(game_id)
    api = Api(people[0])
    proof = api.get(f"/games/{game_id}/proof")
    assert proof["at_ms"] == sorted(proof["at_ms"]) and proof["at_ms"][0] > 2**32
    (verdict,) = verify_lines(json.dumps(proof))
    assert verdict["ok"], verdict


def test_nobody_answers_for_a_year_and_the_game_ends_all_the_same() -> None:
    game_id, _ = two(max_plies=100)
    for _ in range(110):
        if cast.row(game_id).state != Game.State.PLAYING:
            break
        back(game_id, 15 * DAY)
        (due,) = evented_due()
        moves.expire(due)
    row = cast.row(game_id)
    assert row.state == Game.State.OVER
    assert set(bytes(row.by)) == {By.DEFAULT}


# Holidays

AT_MS = 24 * 3600 * 1000


@pytest.mark.parametrize(
    ("away", "days"),
    [
        ([], 2),
        ([(-5, -1)], 2),
        ([(-5, 1)], 3),
        ([(1, 4)], 5),
        ([(2, 4)], 2),
        ([(1, 2), (2, 5)], 6),
        ([(1, 2), (30, 40)], 3),
    ],
)
def test_a_clock_stands_still_while_its_player_is_away(
    away: list[tuple[int, int]], days: int
) -> None:
    start = datetime(2026, 11, 30, tzinfo=UTC)
    game = Game(started_at=start, turn_at=start, move_ms=2 * AT_MS)
    gone = [Away(start + begins * DAY, start + ends * DAY) for begins, ends in away]
    assert deadline_ms(game, Seat(bank_ms=0), gone) == days * AT_MS


def test_who_is_away_is_not_played_for_and_the_other_is() -> None:
    game_id, people = two()
    seat = on_turn(game_id)
    before = cast.row(game_id).deadline_at
    today = clock.now().astimezone(UTC).date()
    holidays.take(people[seat], today, today + 6 * DAY)
    moved = cast.row(game_id).deadline_at
    assert before is not None and moved is not None and moved - before > 5 * DAY
    assert Api(people[1 - seat]).get(f"/games/{game_id}")["deadline_at"][:19] == (
        f"{moved:%Y-%m-%dT%H:%M:%S}"
    )
    # A deadline that a row from before still has is put right, and nothing is played.
    Game.objects.filter(pk=game_id).update(deadline_at=Now() - DAY)
    moves.expire(game_id)
    row = cast.row(game_id)
    assert (row.ply, row.deadline_at) == (0, moved)


def test_there_are_28_days_a_year_and_each_is_taken_once() -> None:
    aino = cast.person("Aino")
    today = clock.now().astimezone(UTC).date()
    first = date(today.year + 1, 3, 1) if today.month > 6 else date(today.year, 9, 1)
    holidays.take(aino, first, first + 19 * DAY)
    with pytest.raises(BadHolidayError):
        holidays.take(aino, first + 19 * DAY, first + 21 * DAY)
    with pytest.raises(NoDaysLeftError) as refused:
        holidays.take(aino, first + 30 * DAY, first + 38 * DAY)
    assert refused.value.data["days_left"] == 8
    holidays.take(aino, first + 30 * DAY, first + 37 * DAY)


def test_a_holiday_begins_today_at_the_earliest_and_ends_by_being_called_off() -> None:
    aino = cast.person("Aino")
    today = clock.now().astimezone(UTC).date()
    for first, last in ((today - DAY, today), (today + DAY, today), (today, today + 400 * DAY)):
        with pytest.raises(BadHolidayError):
            holidays.take(aino, first, last)
    running = holidays.take(aino, today, today + 3 * DAY)
    coming = holidays.take(aino, today + 9 * DAY, today + 9 * DAY)
    assert running is not None and coming is not None
    holidays.end(aino, running.pk)
    holidays.end(aino, coming.pk)
    assert list(Holiday.objects.values_list("first", "last")) == [(today, today)]
    Holiday.objects.update(first=today - 2 * DAY, last=today - DAY)
    with pytest.raises(HolidayOverError):
        holidays.end(aino, running.pk)


# Letters


def test_who_is_on_turn_gets_one_letter_a_decision() -> None:
    game_id, people = two()
    (letter,) = write_letters()
    first = on_turn(game_id)
    assert letter.to == [_mail(people[first])]
    assert f"/g/{game_id}/" in letter.body
    assert write_letters() == []
    tasks.write_letters(str(game_id))
    assert mail.outbox == []
    cast.play_default(game_id)
    told = write_letters()
    assert [one.to for one in told] == [[_mail(people[on_turn(game_id)])]]


def test_a_letter_speaks_the_language_of_its_reader() -> None:
    people = [account("Aino", "fi"), account("Bertil", "fi")]
    game_id = slow(*people)
    (letter,) = write_letters()
    deadline = cast.row(game_id).deadline_at
    assert deadline is not None
    months = ["tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo"]
    months += ["syys", "loka", "marras", "joulu"]
    assert months[deadline.month - 1] + "kuuta" in letter.body


def test_a_sealed_decision_is_written_to_all_who_owe_it() -> None:
    _, people = two("table")
    assert sorted(one.to[0] for one in write_letters()) == sorted(map(_mail, people))


def test_who_plays_again_himself_is_not_told_what_he_knows() -> None:
    game_id, _ = two()
    write_letters()
    seat = on_turn(game_id)
    game = cast.engine_game(game_id)
    # As after a pile that fell: the same one is on turn, having just moved.
    Game.objects.filter(pk=game_id).update(mailed_ply=-1)
    Seat.objects.filter(game=game_id).update(mailed_number=0)
    moves.act_seat(game_id, seat, 1, game.default_action(seat), moves.How())
    if on_turn(game_id) == seat:
        assert write_letters() == []
    else:
        assert len(write_letters()) == 1


def test_nobody_is_written_to_without_an_address_against_his_wish_or_after_he_resigned() -> None:
    aino, bertil, cecilia = account("Aino"), account("Bertil"), cast.person("Cecilia")
    game_id = slow(aino, bertil, cecilia, preset="table")
    Player.objects.filter(pk=bertil.pk).update(mails_turns=False)
    resigning.resign(game_id, aino)
    assert write_letters() == []


def test_quick_games_send_no_letters() -> None:
    people = [account("Aino"), account("Bertil")]
    game_id = lobby.create_game(people[0], Plan(rules_from("classic"), ["", ""])).game_id
    lobby.join(game_id, people[1])
    for player in people:
        lobby.ready(game_id, player)
    assert to_mail() == [] and letters.due(game_id) == []


def test_a_mail_server_that_fails_costs_no_move_and_sends_nothing_twice(settings: Any) -> None:
    game_id, _ = two()
    settings.EMAIL_BACKEND = "tests.no.such.backend"
    tasks.write_letters(str(game_id))
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert write_letters() == []


def _mail(player: Player) -> str:
    return f"{player.name.lower()}@example.org"


def test_settings_and_holidays_over_the_api() -> None:
    api = Api(cast.person("Aino"))
    assert api.get("/me/settings") == {"language": "", "mute_phrases": False, "mail_turns": True}
    today = clock.now().astimezone(UTC).date()
    body = {"first": f"{today}", "last": f"{today}"}
    made = api.post("/me/holidays", body, **{"Idempotency-Key": "h"})
    assert (api.status, made["days_left"]) == (201, 27)
    assert api.post("/me/holidays", body, **{"Idempotency-Key": "h"}) == made
    assert api.post("/me/holidays", body)["code"] == "bad_holiday"
    gone = api.client.delete(
        f"/api/v1/me/holidays/{made['holidays'][0]['id'] + 1}", headers=api.headers
    )
    assert gone.status_code == 404
