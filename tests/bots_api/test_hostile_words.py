"""What a bot says of itself, or instead of an answer, is words on pages and in files, not code."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from html.parser import HTMLParser

import pytest

from bots_api.models import BotVersion, CheckReport, Fault
from bots_api.reproduce import test_file as exported
from bots_api.services import heard
from bots_api.services.heard import AskedTurn
from config.kit import clock
from config.kit.ids import uuid7
from games.models import Player
from tests.bots_api.cast import owner, robo
from tests.bots_api.test_pages import browser, shown

pytestmark = pytest.mark.django_db(transaction=True)

CALM = "calm"
WORDS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</code></pre></option></select><script>alert(1)</script>",
    "javascript:alert(1)//",
    "{{ 7*7 }}{% load static %}",
    "'); __import__('os').system('id') #",
    '"""\n__import__("os").system("id")\n"""',
    "\\'); raise SystemExit #\\",
    "CASE: dict[str, Any] = {}",
    "\u2028\u2029\x1b[31m\x7f\x85",
    "%(x)s %n $(id) `id`",
)


class Structure(HTMLParser):
    """Elements and the names of their attributes, in order: what is markup, and no word of it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[object] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        self.parts.append((tag, [name for name, _ in attrs]))

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(tag)


def pages(oskari: Player, word: str) -> list[str]:
    """The pages of a bot that says this word wherever it may."""
    bot = robo("https://robo.example.org", of=oskari)
    bot.description = word
    bot.save()
    heard.handshake(bot.pk, {"version": word[:60], "author": word, "presets": [word]})
    step = {"step": word, "verdict": word, "detail": word, "ms": 1.0, "asked": word}
    CheckReport.objects.create(
        bot=bot,
        version=BotVersion.objects.get(bot=bot),
        state="failed",
        steps=[step],
        finished_at=clock.now(),
    )
    evidence = {
        "detail": word,
        "code": word,
        "body": word,
        "status": word,
        "action": word,
        "legal": [word],
        "asked": {"type": "turn", "legal": [word], "view": {"hand": [word]}},
    }
    asked = AskedTurn(uuid7(), 0, 1)
    heard.fault(bot.pk, asked, Fault.Kind.ILLEGAL_ACTION, heard.storable(evidence))
    client = browser(oskari)
    read = [shown(client, path) for path in (f"/b/{bot.player.name}/", f"/bots/{bot.pk}/faults/")]
    Fault.objects.all().delete()
    bot.player.name, bot.player.name_key = f"Old {bot.pk}", f"old {bot.pk}"
    bot.player.save()
    return read


def test_no_word_of_a_bot_is_markup_on_its_pages() -> None:
    oskari = owner()
    calm = [Structure(page).parts for page in pages(oskari, CALM)]
    for word in WORDS:
        read = pages(oskari, word)
        assert [Structure(page).parts for page in read] == calm, word


@pytest.mark.parametrize("kind", [Fault.Kind.ILLEGAL_ACTION, Fault.Kind.VERSION_CHANGED])
def test_no_word_of_a_bot_is_code_in_the_test_that_is_downloaded(kind: Fault.Kind) -> None:
    bot = robo("https://robo.example.org")

    def written(word: str) -> tuple[str, dict[str, object]]:
        """The program without its case, and the case."""
        evidence = {
            "detail": word,
            "code": word,
            "body": word,
            "frozen": word,
            "version": word,
            "asked": {"type": "turn", word: [word]},
        }
        fault = Fault(pk=7, bot=bot, kind=kind, evidence=heard.storable(evidence))
        program = ast.parse(exported(fault, f"https://robo.example.org/{word}"))
        (case,) = (node for node in program.body if isinstance(node, ast.AnnAssign))
        call = case.value
        assert isinstance(call, ast.Call) and ast.unparse(call.func) == "json.loads"
        (text,) = call.args
        assert isinstance(text, ast.Constant) and isinstance(text.value, str)
        program.body.remove(case)
        return ast.dump(program), json.loads(text.value)

    calm, _ = written(CALM)
    for word in WORDS:
        program, case = written(word)
        assert program == calm, word
        then, message = case["then"], case["message"]
        assert isinstance(then, dict) and isinstance(message, dict)
        assert then["detail"] == heard.storable(word) and message[heard.storable(word)]
