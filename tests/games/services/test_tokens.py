"""Tokens: shown once, kept as a hash, refused when mistyped, expired or revoked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic, sleep

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from games.errors import BadTokenError
from games.models import Player, Token
from games.services import tokens
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_token_is_found_by_its_text_alone() -> None:
    aino = cast.person("Aino")
    issued = tokens.issue(aino, [Token.Scope.PLAY])
    assert issued.text.startswith("hlp_")
    assert tokens.find(issued.text).player == aino
    assert issued.text.encode() not in bytes(issued.token.digest)


def test_a_bots_token_has_its_own_prefix() -> None:
    owner = cast.person("Aino")
    bot = Player.objects.create(kind="bot", name="Robo", name_key="robo", owner=owner)
    assert tokens.issue(bot, [Token.Scope.BOT]).text.startswith("hlb_")


def test_a_mistyped_token_is_refused_without_the_database() -> None:
    text = tokens.issue(cast.person("Aino"), [Token.Scope.PLAY]).text
    wrong = text[:10] + ("a" if text[10] != "a" else "b") + text[11:]
    with CaptureQueriesContext(connection) as asked, pytest.raises(BadTokenError):
        tokens.find(wrong)
    assert len(asked) == 0


def test_a_revoked_or_expired_token_is_refused() -> None:
    aino = cast.person("Aino")
    past = datetime.now(UTC) - timedelta(seconds=1)
    expired = tokens.issue(aino, [Token.Scope.PLAY], expires_at=past)
    revoked = tokens.issue(aino, [Token.Scope.PLAY])
    assert tokens.revoke(revoked.token.pk, aino.pk)
    assert not tokens.revoke(revoked.token.pk, aino.pk)
    for text in (expired.text, revoked.text):
        with pytest.raises(BadTokenError):
            tokens.find(text)


def test_use_is_noted_once_a_minute() -> None:
    issued = tokens.issue(cast.person("Aino"), [Token.Scope.PLAY])
    tokens.find(issued.text)
    first = Token.objects.get(pk=issued.token.pk).last_used_at
    tokens.find(issued.text)
    assert first is not None and Token.objects.get(pk=issued.token.pk).last_used_at == first


def test_a_token_that_was_found_is_held_for_moments_and_ends_with_its_revocation() -> None:
    aino = cast.person("Aino")
    issued = tokens.issue(aino, [Token.Scope.PLAY])
    tokens.find(issued.text)
    with CaptureQueriesContext(connection) as asked:
        assert tokens.find(issued.text).player == aino
    assert len(asked) == 0
    assert tokens.revoke(issued.token.pk, aino.pk)
    with pytest.raises(BadTokenError):
        tokens.find(issued.text)


def test_a_token_revoked_elsewhere_lives_no_longer_than_it_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    issued = tokens.issue(cast.person("Aino"), [Token.Scope.PLAY])
    tokens.find(issued.text)
    Token.objects.filter(pk=issued.token.pk).update(revoked_at=Now())
    assert tokens.find(issued.text).pk == issued.token.pk
    monkeypatch.setattr(tokens, "monotonic", lambda: monotonic() + tokens.HELD_S)
    with pytest.raises(BadTokenError):
        tokens.find(issued.text)


def test_a_held_token_expires_in_time() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=2)
    issued = tokens.issue(cast.person("Aino"), [Token.Scope.PLAY], expires_at=soon)
    tokens.find(issued.text)
    while datetime.now(UTC) < soon:
        sleep(0.05)
    with pytest.raises(BadTokenError):
        tokens.find(issued.text)
