"""The engine: what is played. Pure rules, no Django, no clock, no I/O, no chance but the shuffle.

The names other packages may use; how the pieces fit stands in game.py.
"""

from games.engine.brief import lengthened, shortened
from games.engine.cards import card_text, parse_card
from games.engine.codec import (
    count_actions,
    decode_actions,
    encode_action,
    encode_log,
    iter_actions,
)
from games.engine.errors import (
    Code,
    EngineError,
    IllegalAction,
    MalformedRecord,
    RulesCode,
    RulesError,
)
from games.engine.fairness import (
    chain,
    commitment,
    competition_seed,
    deal_seed,
    deck_id,
    next_link,
    salt,
)
from games.engine.game import NOBODY, Game
from games.engine.history import EventDict, History, events_since, history, recent_events
from games.engine.phases import Ending, Phase
from games.engine.presets import HOUSE_RULES, PRESETS, rules_from
from games.engine.record import Record, parse_record, replay
from games.engine.resigning import final_places
from games.engine.rules import Rules, packs_needed, rules_from_card
from games.engine.shuffle import shuffled_deck
from games.engine.trace import trace_lines
from games.engine.verify import verify_lines
from games.engine.view import View, ViewDict, view

__all__ = [
    "HOUSE_RULES",
    "NOBODY",
    "PRESETS",
    "Code",
    "Ending",
    "EngineError",
    "EventDict",
    "Game",
    "History",
    "IllegalAction",
    "MalformedRecord",
    "Phase",
    "Record",
    "Rules",
    "RulesCode",
    "RulesError",
    "View",
    "ViewDict",
    "card_text",
    "chain",
    "commitment",
    "competition_seed",
    "count_actions",
    "deal_seed",
    "deck_id",
    "decode_actions",
    "encode_action",
    "encode_log",
    "events_since",
    "final_places",
    "history",
    "iter_actions",
    "lengthened",
    "next_link",
    "packs_needed",
    "parse_card",
    "parse_record",
    "recent_events",
    "replay",
    "rules_from",
    "rules_from_card",
    "salt",
    "shortened",
    "shuffled_deck",
    "trace_lines",
    "verify_lines",
    "view",
]
