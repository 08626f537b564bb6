"""Rules cards: one row for each full option set, kept once."""

from games.engine import Rules
from games.models import RulesCard


def stored(rules: Rules) -> RulesCard:
    """The row of this rule set, made if it is new; safe beside others that make it."""
    card, _ = RulesCard.objects.get_or_create(hash=rules.hash, defaults={"card": rules.card()})
    return card
