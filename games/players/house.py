"""The house bots by name, and their variants: `counter?lies=never`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl

from games.players.agent import Agent
from games.players.cautious import Cautious
from games.players.counter import Counter
from games.players.lowest import Lowest
from games.players.randomly import Random
from games.players.search import Search

HOUSE: Final[Mapping[str, Agent]] = MappingProxyType(
    {
        "random": Random(),
        "lowest": Lowest(),
        "cautious": Cautious(),
        "counter": Counter(),
        "search": Search(),
    }
)
"""The house bots, the weakest first."""


def house_agent(text: str) -> Agent:
    """A house bot or a variant of one; raises `KeyError` for a name, `ValueError` for a setting."""
    name, _, settings = text.partition("?")
    if name not in HOUSE:
        raise KeyError(f"no house bot of that name; there are {', '.join(HOUSE)}")
    agent = HOUSE[name]
    if settings:
        agent = _varied(agent, dict(parse_qsl(settings, strict_parsing=True)))
    return agent


def _varied(agent: Agent, settings: Mapping[str, str]) -> Agent:
    vary = getattr(agent, "varied", None)
    if vary is None:
        raise ValueError("this bot has no settings")
    varied: Agent = vary(settings)
    return varied
