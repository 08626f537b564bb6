"""Events and actions as sentences. Names come from the seats, cards from the viewer's events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.templatetags.cards import RANK_NAMES, short

EVENTS: Final[Mapping[str, str]] = {
    "deal": "The cards are dealt.",
    "swap": "{name} swaps {count}.",
    "play": "{name} lays {cards}.",
    "claim": "{name} lays {count} and says {rank}.",
    "blind": "{name} turns over {cards}.",
    "blind_failed": "{name} turns over {cards}, which does not fit, and takes the pile.",
    "chance": "{name} tries the stock: {cards}.",
    "chance_failed": "{name} tries the stock, {cards} does not fit, and takes the pile.",
    "draw_first": "{name} draws first.",
    "pick_up": "{name} picks up {count}.",
    "pass": "{name} passes.",
    "accept": "{name} accepts.",
    "challenge": "{name} challenges.",
    "claim_stands": "The claim stands.",
    "lie": "It was a lie: {name} takes {count}.",
    "truth": "It was the truth: {name} takes {count}.",
    "fall": "The pile falls.",
    "fed": "{name} is fed {count}.",
    "drew": "{name} draws {count}.",
    "out": "{name} is out.",
    "resign": "{name} gives up; the stand-in plays on.",
    "over": "The game is over.",
    "stalemate": "Nobody gets anywhere: a stalemate.",
    "ply_cap": "The game has gone on too long and ends.",
}
PHRASES: Final[Mapping[str, str]] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "well_played": "Well played.",
    "nice_one": "Nice one!",
    "oops": "Oops.",
    "thanks": "Thanks.",
    "sorry": "Sorry.",
    "take_your_time": "Take your time.",
    "one_moment": "One moment, please.",
    "good_game": "Good game!",
    "goodbye": "Goodbye.",
}
_ACTIONS: Final[Mapping[str, str]] = {
    "U": "Pick up the pile",
    "X": "Try the stock",
    "D": "Draw first",
    "-": "Pass",
    "!": "Challenge",
    ".": "Accept",
}


def for_script() -> str:
    """The sentences as JSON, for the page's script to write what happens by."""
    words = {"events": dict(EVENTS), "actions": dict(_ACTIONS), "phrases": dict(PHRASES)}
    return json.dumps(words)


def event_text(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence."""
    cards = " ".join(short(card) for card in event.get("cards", []))
    count = event.get("count", 0)
    return EVENTS[event["event"]].format(
        name=names[event["seat"]] if "seat" in event else "",
        cards=cards,
        count="1 card" if count == 1 else f"{count} cards",
        rank=rank_text(event.get("rank", "")),
    )


def action_text(entry: str) -> str:
    """One legal action, as listed, on its button."""
    if entry.startswith("P:"):
        rank, _, count = entry[2:].partition("x")
        return f"Lay {count} × {rank_text(rank)}"
    if entry.startswith("B:"):
        return f"Turn over card {int(entry[2:]) + 1}"
    return _ACTIONS[entry]


def rank_text(rank: str) -> str:
    """A rank by its name."""
    return "joker" if rank == "*" else RANK_NAMES.get(rank, rank)
