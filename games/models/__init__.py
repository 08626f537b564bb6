"""The tables of what is played, one module per noun. Columns and what must never be; no rules."""

from games.models.decks import Deck, RulesCard
from games.models.games import By, Game, Phrase, Seat
from games.models.players import Holiday, Player, Token
from games.models.records import GameRecord
from games.models.tickets import StreamTicket

__all__ = [
    "By",
    "Deck",
    "Game",
    "GameRecord",
    "Holiday",
    "Phrase",
    "Player",
    "RulesCard",
    "Seat",
    "StreamTicket",
    "Token",
]
