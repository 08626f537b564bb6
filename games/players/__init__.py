"""Who can play a seat inside the process: the agent protocol, the house bots, whole games in memory.

Pure: an agent is a function of what its seat may know and of a seed; no state, no clock, no memory.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.players.agent import Agent
from games.players.lowest import Lowest
from games.players.playing import decision_seed, play_out
from games.players.randomly import Random

HOUSE: Final[Mapping[str, Agent]] = MappingProxyType({"random": Random(), "lowest": Lowest()})
"""The house bots by name, the weakest first."""

__all__ = ["HOUSE", "Agent", "decision_seed", "play_out"]
