"""The tables of remote bots: registration, versions, secrets, mail, checks, faults, stalls."""

from bots_api.models.bots import Bot, BotVersion, Secret
from bots_api.models.checks import CheckReport
from bots_api.models.faults import Fault, Stall
from bots_api.models.mail import OpenTurn

__all__ = ["Bot", "BotVersion", "CheckReport", "Fault", "OpenTurn", "Secret", "Stall"]
