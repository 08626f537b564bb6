"""How much of a game's course somebody without a seat may see by now: the one place that says so.

Pages, API, streams and exports ask here. Seats see their own game as it stands; everybody else
gets the public view, late where a watcher could help a bot, and not at all while the same deck
is still in play at another table.
"""

from __future__ import annotations

from games.engine import Game as EngineGame
from games.engine.events import Kind
from games.engine.history import narrated
from games.models import Game

ENDED = (Game.State.OVER, Game.State.VOID)


def public_ply(row: Game, game: EngineGame) -> int | None:
    """The ply up to which everybody may see the game; None: not even the deal.

    `game` is the row's game as it stands, `row.deck` should be selected along.
    """
    if row.state in ENDED and row.deck.gate_open:
        return game.ply
    if row.deck.games_planned > 1:
        return None
    return one_lap_ago(game) if is_delayed(row) else game.ply


def is_delayed(row: Game) -> bool:
    """Whether watchers see the game late: rated games in which no person sits."""
    return row.rated and row.kind == Game.Kind.DRIVEN and row.state not in ENDED


def one_lap_ago(game: EngineGame) -> int:
    """The last ply that lies at least as many actions back as seats were still in after it.

    The seats are counted at the ply that is shown, so that the delay itself tells nothing newer.
    It never goes back while the game goes on.
    """
    out = [event.ply for event in narrated(game) if event.kind is Kind.OUT]
    for ply in range(game.ply, 0, -1):
        still_in = game.players - sum(at <= ply for at in out)
        if ply + still_in <= game.ply:
            return ply
    return 0
