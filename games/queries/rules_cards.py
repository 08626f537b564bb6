"""Rule sets in words: the preset that is nearest, and what differs from it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from games.engine import PRESETS, Rules
from games.errors import UnknownRulesError
from games.models import RulesCard


class Named(NamedTuple):
    """A rule set as records and turns name it."""

    preset: str
    options: dict[str, Any]


def named(rules: Rules) -> Named:
    """The preset with the fewest differing options (the first of several), and those options."""
    preset, options = _nearest(rules)
    return Named(preset, dict(options))


def rules_wire(rules: Rules) -> dict[str, Any]:
    """`{"preset", "options", "hash"}` as every game and turn carries it."""
    preset, options = named(rules)
    return {"preset": preset, "options": options, "hash": rules.hash}


def card_of(rules_hash: str) -> RulesCard:
    """The stored card of that hash, or that of a preset. Raises `UnknownRulesError`."""
    stored = RulesCard.objects.filter(hash=rules_hash).first()
    if stored is not None:
        return stored
    for rules in PRESETS.values():
        if rules.hash == rules_hash:
            return RulesCard(hash=rules.hash, card=rules.card())
    raise UnknownRulesError("No rules card has that hash.")


@lru_cache(maxsize=1024)
def card_by_id(card_id: int) -> RulesCard:
    """A stored card by its key. A card never changes, so each is read once a process."""
    return RulesCard.objects.get(pk=card_id)


@lru_cache(maxsize=256)
def _nearest(rules: Rules) -> tuple[str, dict[str, Any]]:
    options = rules.options()
    found = []
    for preset, known in PRESETS.items():
        usual = known.options()
        found.append((preset, {k: v for k, v in options.items() if v != usual[k]}))
    return min(found, key=lambda pair: len(pair[1]))
