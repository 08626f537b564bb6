"""Accounts on pages: made, used, left; tokens shown once; a language that stays."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils.http import urlencode

from games.models import Player, Token
from games.services import players, tokens
from league.models import Club
from league.services import clubs

pytestmark = pytest.mark.django_db

PASSWORD = "vihreä hevonen 7"


def signed_up(name: str = "aino", client: Client | None = None) -> Client:
    client = client or Client()
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/account/sign-up/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/account/"), answer.content
    return client


def logged_in(name: str, password: str = PASSWORD) -> Client | None:
    client = Client()
    answer = client.post("/account/log-in/", {"login": name, "password": password})
    return client if answer.status_code == 302 else None


def whose(client: Client) -> str | None:
    """The name on the account page."""
    answer = client.get("/account/")
    found = re.search(r"<h1>(.*)</h1>", answer.content.decode())
    return found[1] if answer.status_code == 200 and found else None


def test_somebody_signs_up_logs_out_and_in_again() -> None:
    client = signed_up()
    assert whose(client) == "aino"
    assert client.post("/account/log-out/").status_code == 302
    assert whose(client) is None
    again = logged_in("AINO")
    assert again is not None
    assert whose(again) == "aino"
    player = Player.objects.get(user__username="aino")
    assert player.kind == Player.Kind.PERSON
    assert logged_in("aino", "vihreä hevonen 8") is None


def test_a_guest_who_signs_up_stays_the_same_player() -> None:
    guest, client = players.create("Bertil").player, Client()
    session = client.session
    session["player"] = guest.pk
    session.save()
    signed_up("bertil", client)
    guest.refresh_from_db()
    assert (guest.kind, guest.user is not None) == (Player.Kind.PERSON, True)
    assert whose(client) == "Bertil"


def test_a_log_in_takes_nobody_elses_player_along() -> None:
    signed_up("aino")
    guest, client = players.create("Bertil").player, Client()
    session = client.session
    session["player"] = guest.pk
    session.save()
    client.post("/account/log-in/", {"login": "aino", "password": PASSWORD})
    assert whose(client) == "aino"
    guest.refresh_from_db()
    assert guest.user is None


def test_a_new_password_ends_the_other_sessions() -> None:
    here = signed_up()
    elsewhere = logged_in("aino")
    assert elsewhere is not None
    assert elsewhere.get("/api/v1/me").status_code == 200
    new = "punainen hevonen 8"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post("/account/password/", form).status_code == 302
    assert whose(here) == "aino"
    assert whose(elsewhere) is None
    assert elsewhere.get("/api/v1/me").status_code == 401
    assert logged_in("aino") is None
    assert logged_in("aino", new) is not None


def test_weak_passwords_and_impossible_names_are_refused() -> None:
    for name, password in (("aino", "12345678"), ("aino", "aino"), ("a", PASSWORD)):
        form = {"username": name, "password1": password, "password2": password}
        assert Client().post("/account/sign-up/", form).status_code == 200
    assert not User.objects.exists()


def test_a_token_is_shown_once_and_may_do_what_was_chosen() -> None:
    client = signed_up()
    form = {"scopes": ["read", "nonsense"], "label": "laptop", "once": "abc"}
    answer = client.post("/account/tokens", form)
    assert "no-store" in answer["Cache-Control"]
    (text,) = re.findall(r"hlp_\w{46}", answer.content.decode())
    assert tokens.find(text).scopes == ["read"]
    again = client.post("/account/tokens", form)
    assert "hlp_" + text[4:] not in again.content.decode()
    assert "shown before" in again.content.decode()
    assert text not in client.get("/account/").content.decode()
    assert Token.objects.filter(player__name="aino").count() == 1


def test_a_token_is_replaced_and_ended() -> None:
    client = signed_up()
    client.post("/account/tokens", {"scopes": ["play"], "once": "1"})
    old = Token.objects.get(player__name="aino")
    answer = client.post(f"/account/tokens/{old.pk}/rotate", {"once": "2"})
    (text,) = re.findall(r"hlp_\w{46}", answer.content.decode())
    old.refresh_from_db()
    assert old.expires_at is not None
    new = tokens.find(text).pk
    client.post(f"/account/tokens/{new}/end")
    assert Token.objects.get(pk=new).revoked_at is not None
    other = signed_up("bertil")
    other.post(f"/account/tokens/{old.pk}/end")
    old.refresh_from_db()
    assert old.revoked_at is None


def test_the_language_stays_with_the_player() -> None:
    client = signed_up()
    client.post("/account/language", {"language": "fi"})
    assert client.cookies["django_language"].value == "fi"
    assert 'lang="fi"' in client.get("/account/").content.decode()
    again = logged_in("aino")
    assert again is not None
    assert again.cookies["django_language"].value == "fi"
    client.post("/account/language", {"language": "xx"})
    assert Player.objects.get(name="aino").language == "fi"


def test_forms_need_their_csrf_token_and_lead_nowhere_else() -> None:
    assert Client(enforce_csrf_checks=True).post("/account/log-in/").status_code == 403
    signed_up()
    for there in ("https://evil.example/", "//evil.example/"):
        answer = Client().post(
            f"/account/log-in/?{urlencode({'next': there})}",
            {"login": "aino", "password": PASSWORD, "next": there},
        )
        assert answer["Location"] == "/account/"


def first_link() -> str:
    said = StringIO()
    call_command("first_account", stdout=said)
    return "".join(re.findall(r"https?://[^/]+(/account/first/\S+)", said.getvalue()))


def test_the_first_organiser_gets_in_by_a_link_that_works_once() -> None:
    owner = players.create("Oskari", Player.Kind.PERSON).player
    clubs.create("kulma", "Kahvila Kulma", owner.pk)
    client, link = Client(), first_link()
    page = client.get(link, follow=True)
    form = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(page.redirect_chain[-1][0], form).status_code == 302
    entered = logged_in("organiser")
    assert entered is not None
    assert whose(entered) == "Oskari"
    assert first_link() == ""
    assert "too old" in Client().get(link).content.decode()
    assert Club.objects.get().memberships.get().player.user is not None


def test_pages_of_accounts_load_nothing_inline() -> None:
    client = signed_up()
    pages = ("/account/", "/account/password/", "/account/log-out/")
    texts = [client.get(page).content.decode() for page in pages]
    texts += [
        Client().get(page).content.decode() for page in ("/account/log-in/", "/account/sign-up/")
    ]
    for text in texts:
        assert "<main" in text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=", text)
