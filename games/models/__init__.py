"""The tables of what is played, one module per noun. Columns and what must never be; no rules."""

from games.models.decks import Deck, RulesCard
from games.models.games import By, Game, Seat
from games.models.players import Player, Token
from games.models.records import GameRecord
from games.models.tickets import StreamTicket

__all__ = [
    "By",
    "Deck",
    "Game",
    "GameRecord",
    "Player",
    "RulesCard",
    "Seat",
    "StreamTicket",
    "Token",
]
