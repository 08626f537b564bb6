"""The pages of games: the hall with its open games, and the table."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from config.kit.errors import ServiceError
from games import queries
from games.authentication import SESSION_KEY, session_player
from games.engine import PRESETS, EngineError
from games.errors import GameNotFoundError
from games.looking import look
from games.models import Game, Player
from games.pages import shown
from games.pages.choices import action_of
from games.players import HOUSE
from games.queries.objects import game_wire, game_wire_at, listed
from games.queries.played import DECIDED, Played
from games.queries.rules_tables import presets_wire
from games.services import lobby, moves, players
from games.services.lobby import Plan
from games.services.progress import Progress
from games.tasks import follow_up

SHOWN_GAMES = 50
Refusal = (ServiceError, EngineError)


@require_safe
def hall(request: HttpRequest) -> HttpResponse:
    """`/games/`: open games, one's own, and a form for a new one."""
    player = session_player(request)
    mine = queries.by_player(player.pk)[:SHOWN_GAMES] if player else []
    context = {
        "player": player,
        "open": [_listed(row) for row in queries.open_games()[:SHOWN_GAMES]],
        "mine": [_listed(row) for row in mine],
        "presets": list(PRESETS),
        "bots": sorted(HOUSE),
        "seats": range(2, 7),
    }
    return render(request, "games/hall.html", context)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """`/rules/`: presets and house rules side by side."""
    return render(request, "games/rules.html", shown.rules(presets_wire()))


@require_POST
def new_game(request: HttpRequest) -> HttpResponseRedirect:
    """Make a game from the form of the hall."""
    try:
        player = _player(request)
        placed = lobby.create_game(player, _plan(request))
    except Refusal as error:
        return _refused(request, error, "/games/")
    return redirect("game", placed.game_id)


@require_safe
def table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """`/g/<id>/`: play, watch, or with `?ply=` step through a finished game."""
    player = session_player(request)
    played = _current(game_id, player)
    seat = played.seat_of(player.pk if player else None)
    ply = _ply(request, played, seat)
    wire = game_wire(played, seat) if ply is None else game_wire_at(played, seat, ply)
    return render(request, "games/table.html", shown.table(played, wire, seat, player, ply))


@require_POST
def sit(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Take the first free seat."""
    return _acted(request, game_id, lambda: lobby.join(game_id, _player(request)).progress)


@require_POST
def stand_up(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Leave before the deal."""
    return _acted(request, game_id, lambda: lobby.leave(game_id, _player(request)).progress)


@require_POST
def be_ready(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Say ready, with what was typed as entropy."""
    entropy = request.POST.get("entropy", "")
    return _acted(
        request, game_id, lambda: lobby.ready(game_id, _player(request), entropy).progress
    )


@require_POST
def move(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Make the move that the form says."""
    number = request.POST.get("move_number", "")
    if not number.isdecimal() or len(number) > 9:
        raise Http404
    action = action_of(request.POST)
    return _acted(
        request,
        game_id,
        lambda: moves.act(game_id, _player(request).pk, int(number), action).progress,
    )


def _current(game_id: UUID, player: Player | None) -> Played:
    """The game as it stands; a clock that has run out is played first. 404 for outsiders."""
    viewer = player.pk if player else None
    try:
        return look(game_id, viewer)
    except GameNotFoundError:
        raise Http404 from None


def _player(request: HttpRequest) -> Player:
    """Who uses this browser; a guest is made from the nickname of the form when it is new."""
    player = session_player(request)
    if player is None:
        player = players.create(request.POST.get("name", "")).player
        request.session[SESSION_KEY] = player.pk
    return player


def _plan(request: HttpRequest) -> Plan:
    form = request.POST
    seats = form.get("seats", "2")
    count = int(seats) if seats in ("2", "3", "4", "5", "6") else 2
    bot = form.get("bot", "")
    machines = [f"house:{bot}"] * (count - 1) if bot else [""] * (count - 1)
    return Plan(lobby.rules_for(form.get("preset", "table"), {}), ["", *machines])


def _acted(request: HttpRequest, game_id: UUID, act: Any) -> HttpResponseRedirect:
    """Do it and show the table again; a refusal is said there."""
    address = f"/g/{game_id}/"
    try:
        progress: Progress = act()
    except Refusal as error:
        return _refused(request, error, address)
    follow_up(progress)
    return redirect(address)


def _refused(request: HttpRequest, error: Exception, address: str) -> HttpResponseRedirect:
    text = str(error) if isinstance(error, ServiceError) else f"The rules refuse that: {error}."
    messages.error(request, text)
    return redirect(address)


def _ply(request: HttpRequest, played: Played, seat: int | None) -> int | None:
    """The asked-for ply of a finished game, no later than this viewer may see."""
    asked, game = request.GET.get("ply", ""), played.shown(seat)
    if game is None or played.row.state not in DECIDED or not asked.isdecimal() or len(asked) > 9:
        return None
    return min(int(asked), game.ply)


def _listed(row: Game) -> dict[str, Any]:
    return listed(row, sorted(row.seats.all(), key=lambda seat: seat.index))
