"""The referee's page: the form alone answers as its table does."""

import json
import re

import pytest
from django.test import Client

from games.engine import PRESETS, rules_from
from games.queries.rulings import referee
from games.services.rules_cards import stored
from tests.games import cast

pytestmark = pytest.mark.django_db(transaction=True)


def page(rules_hash: str, **asked: str) -> str:
    answer = Client().get(f"/rules/{rules_hash}/ask/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_form_answers_without_a_script() -> None:
    rules = PRESETS["table"].hash
    assert "Tap what lies there" in page(rules)
    assert "Courts may be laid on a 7 or higher." in page(rules, top="9", card="K")
    assert 'class="verdict no"' in page(rules, top="3", card="K")
    assert "The pile falls" in page(rules, top="9", run="3", card="9", count="1")
    assert "turned over alone" in page(rules, top="9", card="9", **{"from": "down"})


def test_what_makes_no_sense_is_as_at_first() -> None:
    rules = PRESETS["classic"].hash
    for asked in ({"top": "x", "card": "9"}, {"top": "9", "card": "<b>"}):
        assert "Tap what lies there" in page(rules, **asked)
    page(rules, top="9", card="9", run="99", count="-1", threes="٣", stock="?", **{"from": "?"})


def test_the_table_goes_with_the_page() -> None:
    rules = rules_from("table", {"invisible_threes": True, "jokers": 4, "seven_stop": True})
    stored(rules)
    text = page(rules.hash)
    (table,) = re.findall(r'<script id="rulings" type="application/json">(.*?)</script>', text)
    assert json.loads(table) == json.loads(json.dumps(referee(rules)))
    assert len(text) < 120_000


def test_a_card_that_nobody_knows_is_not_there() -> None:
    assert Client().get("/rules/000000000000/ask/").status_code == 404


def test_the_table_of_a_game_links_to_its_referee() -> None:
    game_id, _ = cast.dealt(2, "classic")
    shown = Client().get(f"/g/{game_id}/").content.decode()
    assert f"/rules/{PRESETS['classic'].hash}/ask/" in shown
