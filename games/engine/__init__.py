"""The engine: what is played. Pure rules, no Django, no clock, no I/O, no chance but the shuffle.

The names other packages may use; how the pieces fit stands in game.py.
"""

from games.engine.cards import card_text, parse_card
from games.engine.errors import (
    Code,
    EngineError,
    IllegalAction,
    MalformedRecord,
    RulesCode,
    RulesError,
)
from games.engine.game import NOBODY, Game
from games.engine.phases import Ending, Phase
from games.engine.presets import HOUSE_RULES, PRESETS, rules_from
from games.engine.record import Record, parse_record, replay
from games.engine.rules import Rules, packs_needed, rules_from_card
from games.engine.shuffle import shuffled_deck

__all__ = [
    "HOUSE_RULES",
    "NOBODY",
    "PRESETS",
    "Code",
    "EngineError",
    "Ending",
    "Game",
    "IllegalAction",
    "MalformedRecord",
    "Phase",
    "Record",
    "Rules",
    "RulesCode",
    "RulesError",
    "card_text",
    "packs_needed",
    "parse_card",
    "parse_record",
    "replay",
    "rules_from",
    "rules_from_card",
    "shuffled_deck",
]
