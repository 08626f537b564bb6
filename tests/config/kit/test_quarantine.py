"""What was given up after three attempts is said, and can be tried again."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from config.kit import leases
from games.models import Game
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def given_up() -> Game:
    """A game that three owners have claimed and lost."""
    game_id, _ = cast.dealt(2, "classic")
    rows = Game.objects.filter(pk=game_id)
    rows.update(due_at="2020-01-01T00:00Z")
    for owner in "abcd":
        leases.claim(rows, owner, 1)
        rows.update(lease_until="2020-01-01T00:00Z")
    return rows.get()


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("quarantine", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_lists_what_stands_still_and_releases_it() -> None:
    game = given_up()
    assert game.quarantine_reason == "attempts"
    assert told() == f"game {game.pk}: attempts, due since 2020-01-01 00:00\n"

    assert "1 released" in told("--release")

    assert told() == "Nothing is quarantined.\n"
    (lease,) = leases.claim(Game.objects.filter(pk=game.pk), "e", 1)
    assert lease.pk == game.pk
