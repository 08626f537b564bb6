"""API errors in the reader's language: whole where we say so, codes never; account pages too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override
from rest_framework import serializers

from config import problems, streams
from config.dispatch import TOO_SLOW
from config.kit.catalogues import read_po, write_mo
from tests.games import cast
from tests.games.api.client import Api
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

# Languages whose catalogues have everything; the others say what they have, and English.
COMPLETE = ("fi", "sv")
CATALOGUES = {
    code: settings.LOCALE_PATHS[0] / code / "LC_MESSAGES" / "django.po" for code in COMPLETE
}
ROWS = [*problems.TABLE.values(), problems.BAD_REQUEST, TOO_SLOW, streams._OUR_FAULT]
FIELDS = ("CharField", "IntegerField", "FloatField", "BooleanField", "ChoiceField", "ListField")
MORE_FIELDS = ("DictField", "DateField", "DateTimeField", "UUIDField", "JSONField", "SlugField")


def untranslated(language: str, sentences: set[str]) -> list[str]:
    with override(language):
        return sorted(each for each in sentences if gettext(each) == each)


@pytest.mark.parametrize("language", COMPLETE)
def test_every_problem_has_its_title_and_hint_in_the_language(language: str) -> None:
    """A new row of config/problems.py needs its sentences in config/locale, then
    `manage.py catalogues`."""
    assert untranslated(language, {part for row in ROWS for part in (row.title, row.hint)}) == []


@pytest.mark.parametrize("language", COMPLETE)
def test_every_text_of_the_framework_is_in_the_language(language: str) -> None:
    fields = [getattr(serializers, name) for name in (*FIELDS, *MORE_FIELDS)]
    texts = {
        text._proxy____args[0] if hasattr(text, "_proxy____args") else str(text)
        for field in fields
        for kind in field.__mro__
        for text in getattr(kind, "default_error_messages", {}).values()
    }
    unused = {
        'Enter a valid "slug" consisting of Unicode letters, numbers, underscores, or hyphens.'
    }
    assert untranslated(language, texts - unused) == []


@pytest.mark.parametrize("language", COMPLETE)
def test_every_sentence_of_the_account_pages_is_in_the_language(language: str) -> None:
    pages = Path(settings.BASE_DIR, "config", "templates", "account").glob("*.html")
    texts = "".join(page.read_text() for page in pages)
    found = set(re.findall(r'\{% translate "([^"]+)"', texts))
    assert len(found) > 20
    assert untranslated(language, found) == []


@pytest.mark.parametrize("path", CATALOGUES.values(), ids=CATALOGUES.keys())
def test_what_is_compiled_is_what_was_written(path: Path) -> None:
    entries = read_po(path.read_text())
    assert path.with_suffix(".mo").read_bytes() == write_mo(entries), "`manage.py catalogues`"
    assert all(entries.values()), "a sentence without a translation"
    assert [key for key in entries if places(key) != places(entries[key]) and key] == []


def places(sentence: str) -> list[str]:
    """What is put into a sentence, and what of it is code."""
    return sorted(re.findall(r"%\(\w+\)\w|\{[^}]*\}", sentence))


def refused(language: str) -> Iterator[dict[str, Any]]:
    """Errors of every layer, as somebody who reads this language gets them."""
    game_id, people = cast.dealt(2)
    api, nobody = Api(people[cast.engine_game(game_id).to_act()[0]]), Api()
    for one in (api, nobody):
        one.headers["accept-language"] = language
    yield nobody.get("/me")
    yield api.get("/nothing")
    yield api.get(f"/games/{uuid4()}")
    yield api.get("/games?zzz=1")
    yield api.get("/games?limit=1000")
    yield api.get(f"/games/{game_id}/record")
    yield api.move(game_id, 1, "nonsense")
    yield api.move(game_id, 999, "U")
    yield api.post(f"/games/{game_id}/join", {"seat": "x", "more": 1})
    yield api.post("/players", {"name": ""})
    yield api.post("/players", {"name": "\u200b\u200b\u200b"})
    yield api.post("/players", {})
    yield api.raw("/players", b"[")
    yield api.raw("/players", b"{}", "text/plain")
    yield api.post("/games", {"seats": [1] * 50, "move_ms": -1, "visibility": "x"})
    yield api.post("/players", {"name": "Aino"}, **{"idempotency-key": "\x01"})
    yield Api(None, **{"authorization": "Bearer x", "accept-language": language}).get("/me")


def sentences(problem: dict[str, Any]) -> set[str]:
    told = {problem["title"], problem["detail"], problem["hint"]}
    return told | {error["detail"] for error in problem.get("errors", [])}


@pytest.mark.parametrize("language", COMPLETE)
def test_no_english_is_left_in_errors_and_codes_stay(language: str) -> None:
    for english, own in zip(refused("en"), refused(f"{language}, en;q=0.5"), strict=True):
        assert own["code"] == english["code"]
        assert [e["code"] for e in own.get("errors", [])] == [
            e["code"] for e in english.get("errors", [])
        ]
        assert sentences(own) & sentences(english) == set(), own


def test_a_language_without_a_catalogue_gets_english_sentences() -> None:
    told = Api(None, **{"accept-language": "ja"}).get("/games?zzz=1")
    assert told["detail"] == "There is no such query parameter."


def test_the_cookie_comes_before_what_the_browser_asks_for() -> None:
    client = Client(headers={"accept-language": "sv"})
    client.cookies["django_language"] = "fi"
    assert client.get("/api/v1/nothing").json()["title"] == "Ei löydy"
    assert client.get("/api/v1/nothing")["Content-Language"] == "fi"


def test_a_stream_that_is_refused_says_so_in_the_language() -> None:
    headers = {"Accept": "text/event-stream", "Accept-Language": "fi"}
    with serving() as address, pytest.raises(HTTPError) as refusal:
        urlopen(Request(f"{address}/api/v1/games/{uuid4()}/events", headers=headers), timeout=30)
    with refusal.value as answer:
        assert "Peliä ei ole" in answer.read().decode()


def test_pages_for_people_say_what_went_wrong_in_their_language() -> None:
    answer = Client(headers={"accept-language": "sv"}).get("/nowhere/")
    assert "Finns inte" in answer.content.decode()
    login = Client(headers={"accept-language": "fi"}).get("/account/log-in/").content.decode()
    assert "Kirjaudu" in login and "Password" not in login
