"""R15: exactly the limit of wrong passwords is tried, and an unknown name costs as much work."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from config.kit import throttle
from config.kit.models import Tries
from config.kit.throttle import Limit, TooManyTriesError
from tests.league.cast import at_once

pytestmark = pytest.mark.django_db(transaction=True)

# 200 tries: as many at once as the database has connections for, five of each.
PARALLEL, EACH = 40, 5


class CountedHasher(MD5PasswordHasher):
    """How often a password is hashed: the work that tells a known name from an unknown one."""

    algorithm = "counted"
    encoded: list[str] = []  # noqa: RUF012 - shared by all that count
    lock = threading.Lock()

    def encode(self, password: str, salt: Any) -> str:
        with self.lock:
            self.encoded.append(password)
        return super().encode(password, salt)


@pytest.fixture(autouse=True)
def counted(settings: Settings) -> list[str]:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountedHasher"]
    User.objects.create_user("aino", password="right")
    CountedHasher.encoded.clear()
    return CountedHasher.encoded


def log_in(name: str, password: str, address: str = "192.0.2.1") -> tuple[int, str]:
    answer = Client(REMOTE_ADDR=address).post(
        "/account/log-in/", {"login": name, "password": password}
    )
    return answer.status_code, answer.content.decode()


def test_of_200_wrong_passwords_at_once_exactly_the_limit_is_tried(counted: list[str]) -> None:
    said = at_once(lambda: [log_in("aino", "wrong") for _ in range(EACH)], PARALLEL)
    assert not [each for each in said if isinstance(each, Exception)]
    assert len(counted) == 10
    texts = [text for each in said for _, text in each]
    assert sum("Too many tries" in text for text in texts) == PARALLEL * EACH - 10
    assert "Too many tries" in log_in("aino", "right")[1]
    assert len(counted) == 10


def test_of_200_wrong_passwords_for_nobody_exactly_the_limit_is_tried(counted: list[str]) -> None:
    at_once(lambda: [log_in("nobody", "wrong") for _ in range(EACH)], PARALLEL)
    assert len(counted) == 10


def test_an_unknown_name_takes_the_same_work_and_is_answered_the_same(counted: list[str]) -> None:
    pages = []
    for name in ("aino", "nobody"):
        counted.clear()
        status, text = log_in(name, "wrong")
        pages.append((len(counted), status, text.split("<form")[0]))
        assert counted == ["wrong"]
    assert pages[0] == pages[1]


def test_a_locked_name_is_open_from_elsewhere_until_its_own_limit() -> None:
    for _ in range(10):
        log_in("aino", "wrong")
    assert log_in("aino", "right")[0] == 200
    assert log_in("aino", "right", "198.51.100.9")[0] == 302


def test_a_name_has_a_limit_from_all_addresses_together(settings: Settings) -> None:
    settings.TRIES = {**settings.TRIES, "log_in_name": (3, 60)}
    for number in range(3):
        log_in("aino", "wrong", f"192.0.2.{number}")
    assert log_in("aino", "right", "192.0.2.77")[0] == 200


def test_a_right_password_gives_the_tries_back_to_its_own_address_only() -> None:
    for _ in range(5):
        log_in("aino", "wrong", "192.0.2.7")
        log_in("aino", "wrong")
    assert log_in("aino", "right")[0] == 302
    for _ in range(9):
        log_in("aino", "wrong")
    assert log_in("aino", "right")[0] == 302
    for _ in range(5):
        log_in("aino", "wrong", "192.0.2.7")
    assert log_in("aino", "right", "192.0.2.7")[0] == 200


def test_tries_end_with_their_time() -> None:
    limit = [Limit("test", "aino", 2, 60)]
    for _ in range(2):
        throttle.count(limit)
    with pytest.raises(TooManyTriesError) as refused:
        throttle.count(limit)
    assert 0 < refused.value.wait <= 60
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kit_tries SET ends_at = ends_at - make_interval(secs => 61)")
    throttle.count(limit)
    assert Tries.objects.get().count == 1


def test_names_that_were_tried_are_kept_as_hashes() -> None:
    log_in("hunter2 typed as a name", "x")
    assert not any(b"hunter2" in bytes(row.digest) for row in Tries.objects.all())


def test_accounts_from_one_address_and_guesses_of_ones_own_password_are_limited(
    settings: Settings,
) -> None:
    settings.TRIES = {**settings.TRIES, "sign_up": (1, 60), "own_password": (1, 60)}
    form = {"password1": "vihreä hevonen 7", "password2": "vihreä hevonen 7"}
    clients = [Client(), Client()]
    made = [
        c.post("/account/sign-up/", {"username": f"uusi{n}", **form}) for n, c in enumerate(clients)
    ]
    assert [answer.status_code for answer in made] == [302, 200]
    change = {
        "oldpassword": "wrong",
        "password1": "punainen 8 talo",
        "password2": "punainen 8 talo",
    }
    texts = [clients[0].post("/account/password/", change).content.decode() for _ in range(2)]
    assert ["Too many tries" in text for text in texts] == [False, True]
