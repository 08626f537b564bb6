"""Who plays a seat inside the process: the agent protocol, the house bots, whole games in memory.

Pure: an agent is a function of what its seat may know and of a seed; no state, no clock, no memory.
"""

from games.players.agent import Agent
from games.players.house import HOUSE, house_agent
from games.players.playing import Seen, decision_seed, play_out

__all__ = ["HOUSE", "Agent", "Seen", "decision_seed", "house_agent", "play_out"]
