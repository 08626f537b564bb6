"""The tables of what is remembered, one module per noun."""

from league.models.clubs import Club, Membership
from league.models.competitions import Competition, Entry, Format, Stage, Stint
from league.models.former_names import FormerName
from league.models.ledger import LedgerRow
from league.models.letters import Letter, MailChoice, MailCursor
from league.models.links import ClubLink
from league.models.merges import Claim, Merge
from league.models.notes import Note
from league.models.places import Place, TableDevice
from league.models.results import DealResult
from league.models.rounds import Round, Table, TableSeat
from league.models.schedules import Schedule, Slot
from league.models.tallies import PenaltyTally
from league.models.webhooks import Delivery, Webhook

__all__ = [
    "Claim",
    "Club",
    "ClubLink",
    "Competition",
    "DealResult",
    "Delivery",
    "Entry",
    "Format",
    "FormerName",
    "LedgerRow",
    "Letter",
    "MailChoice",
    "MailCursor",
    "Membership",
    "Merge",
    "Note",
    "PenaltyTally",
    "Place",
    "Round",
    "Schedule",
    "Slot",
    "Stage",
    "Stint",
    "Table",
    "TableDevice",
    "TableSeat",
    "Webhook",
]
