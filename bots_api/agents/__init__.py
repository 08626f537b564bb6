"""Remote bots as agents of seats, whichever way they are reached."""

from bots_api.agents.bot import BotAgent

__all__ = ["BotAgent"]
