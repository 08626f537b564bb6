"""The tables of remote bots: registration, versions, secrets, mail, checks, faults, outings,
traffic."""

from bots_api.models.bots import Bot, BotVersion, Secret
from bots_api.models.checks import CheckReport
from bots_api.models.faults import Fault, Stall
from bots_api.models.mail import OpenTurn
from bots_api.models.outings import Notice, Outing, Pace, Sparring
from bots_api.models.traffic import Traffic

__all__ = [
    "Bot",
    "BotVersion",
    "CheckReport",
    "Fault",
    "Notice",
    "OpenTurn",
    "Outing",
    "Pace",
    "Secret",
    "Sparring",
    "Stall",
    "Traffic",
]
