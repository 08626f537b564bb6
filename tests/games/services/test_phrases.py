"""Phrases: ready-made, not too often, for who may look, and no events of the game."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db.models import F

from games.errors import (
    GameNotFoundError,
    NotYourSeatError,
    TooManyPhrasesError,
    UnknownPhraseError,
)
from games.models import Game, Phrase, Player, Seat
from games.pages.words import PHRASES as TEXTS
from games.queries.phrases import PHRASES, SHOWN, phrases
from games.services.phrases import MOST_A_GAME, say
from tests.games import cast
from tests.games.api.client import Api
from tests.games.stream.watcher import token_of, watching
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)


def breathe(game_id: UUID) -> None:
    """As if the pause was over."""
    Seat.objects.filter(game=game_id).update(said_at=None)


def test_every_phrase_has_its_words() -> None:
    assert set(PHRASES) == set(TEXTS)


def test_a_seat_says_a_phrase_and_everybody_who_may_look_reads_it() -> None:
    game_id, people = cast.dealt(2)
    told = Api(people[0]).post(f"/games/{game_id}/phrases", {"phrase": "hello"})
    assert (told["seat"], told["phrase"]) == (0, "hello")
    assert Api().get(f"/games/{game_id}/phrases")["results"] == [told]
    assert Api().get(f"/games/{game_id}/phrases?after={told['id']}")["results"] == []


def test_free_text_outsiders_and_who_only_watches_are_refused() -> None:
    game_id, people = cast.dealt(2)
    with pytest.raises(UnknownPhraseError):
        say(game_id, people[0], "you are slow")
    with pytest.raises(NotYourSeatError):
        say(game_id, cast.person("Cecilia"), "hello")
    Game.objects.filter(pk=game_id).update(visibility="private")
    with pytest.raises(GameNotFoundError):
        say(game_id, Player.objects.get(name="Cecilia"), "hello")


def test_one_in_three_seconds_and_fifty_a_game() -> None:
    game_id, people = cast.dealt(2)
    say(game_id, people[0], "hello")
    say(game_id, people[1], "hello")
    answer = Api(people[0])
    told = answer.post(f"/games/{game_id}/phrases", {"phrase": "oops"})
    assert (answer.status, told["code"], told["limit"]) == (429, "too_many_phrases", "one in 3 s")
    assert answer.answer["Retry-After"] == "3"
    Phrase.objects.bulk_create(
        Phrase(game_id=game_id, seat=0, code="oops") for _ in range(MOST_A_GAME)
    )
    breathe(game_id)
    with pytest.raises(TooManyPhrasesError):
        say(game_id, people[0], "oops")
    assert len(phrases(game_id)) == SHOWN


def test_a_phrase_changes_no_view_no_tag_and_no_event_number() -> None:
    game_id, people = cast.dealt(2)
    watcher = Api()
    before, tag = watcher.get(f"/games/{game_id}"), watcher.answer["ETag"]
    events = watcher.get(f"/games/{game_id}/events")
    say(game_id, people[0], "hello")
    assert watcher.get(f"/games/{game_id}") == before
    watcher.get(f"/games/{game_id}", **{"If-None-Match": tag})
    assert watcher.status == 304
    assert watcher.get(f"/games/{game_id}/events") == events


def test_a_stream_tells_phrases_without_a_number_but_not_to_who_mutes_them() -> None:
    game_id, people = cast.dealt(2)
    say(game_id, people[0], "hello")
    Player.objects.filter(pk=people[1].pk).update(mutes_phrases=F("mails_turns"))
    with (
        serving() as web,
        watching(web, game_id) as public,
        watching(web, game_id, token=token_of(people[1])) as muted,
    ):
        assert public.until("phrase").data["phrase"] == "hello"
        for watcher in (public, muted):
            watcher.until("view")
        breathe(game_id)
        say(game_id, people[0], "oops")
        frame = public.until("phrase")
        assert (frame.id, frame.data["phrase"]) == (None, "oops")
        cast.play_default(game_id)
        for watcher in (public, muted):
            watcher.until_ply(1)
            assert watcher.numbers() == list(range(len(watcher.numbers())))
        assert public.numbers() == muted.numbers()
        assert "phrase" not in {frame.kind for frame in muted.seen}
        assert [f.data["phrase"] for f in public.seen if f.kind == "phrase"] == ["hello", "oops"]
