"""The pages of games: the hall with its open games, and the table."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from config.kit import codes
from config.kit.errors import ServiceError
from games import queries
from games.authentication import SESSION_KEY, session_player
from games.engine import PRESETS, EngineError
from games.errors import DeckInPlayError, GameNotFoundError
from games.looking import look
from games.models import Game, Player
from games.pages import forms, shown
from games.pages.choices import action_of
from games.players import HOUSE
from games.queries.objects import game_wire, game_wire_at, listed
from games.queries.played import DECIDED, Played
from games.queries.proofs import proof_wire, verdict
from games.queries.rules_tables import presets_wire
from games.services import invitations, lobby, moves, phrases, players, quick, rematch, resigning
from games.services.progress import Progress
from games.tasks import follow_up

SHOWN_GAMES = 50
LONGEST_NUMBER = 18
Refusal = (ServiceError, EngineError)


@require_safe
def hall(request: HttpRequest) -> HttpResponse:
    """`/games/`: open games, one's own, and a form for a new one."""
    player = session_player(request)
    mine = queries.by_player(player.pk)[:SHOWN_GAMES] if player else []
    wanted = forms.wanted(request.GET)
    context = {
        "player": player,
        "open": [_listed(row) for row in queries.open_games(wanted)[:SHOWN_GAMES]],
        "asked": request.GET,
        "mine": [_listed(row) for row in mine],
        "presets": list(PRESETS),
        "bots": sorted(HOUSE),
        "seats": range(2, 7),
        "days": forms.DAYS,
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
        placed = lobby.create_game(player, forms.plan(request.POST))
    except Refusal as error:
        return _refused(request, error, "/games/")
    return redirect("game", placed.game_id)


@require_POST
def quick_game(request: HttpRequest) -> HttpResponseRedirect:
    """Sit down at once with whoever wants the same."""
    try:
        player = _player(request)
        plan = forms.quick_plan(request.POST)
        placed = quick.quick_game(player, plan, request.POST.get("entropy", ""))
    except Refusal as error:
        return _refused(request, error, "/games/")
    follow_up(placed.progress)
    return redirect("game", placed.game_id)


@require_safe
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """`/j/<code>/`: who has this address may sit down, at a private table too."""
    row = _by_code(code)
    player = session_player(request)
    if row.state != Game.State.FORMING or _sits(row, player):
        return redirect("game", row.pk)
    context = {"game": _listed(row), "player": player, "code": code}
    return render(request, "games/invitation.html", context)


@require_POST
def accept(request: HttpRequest, code: str) -> HttpResponseRedirect:
    """Sit down by the code."""
    row = _by_code(code)
    try:
        lobby.join(row.pk, _player(request), code=code)
    except Refusal as error:
        return _refused(request, error, "/games/")
    return redirect("game", row.pk)


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
def invite(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Keep a free seat for the player of that number."""
    number = request.POST.get("player", "").strip()
    if not number.isdecimal() or len(number) > LONGEST_NUMBER:
        messages.error(request, "Give the number of a player.")
        return redirect("game", game_id)
    return _acted(
        request,
        game_id,
        lambda: invitations.invite(game_id, _player(request), int(number)).progress,
    )


@require_POST
def give_up(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Resign; the box says that one means it."""
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box if you want to give the game up.")
        return redirect("game", game_id)
    return _acted(request, game_id, lambda: resigning.resign(game_id, _player(request)).progress)


@require_POST
def again(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Sit down for the rematch."""
    try:
        placed = rematch.rematch(game_id, _player(request))
    except Refusal as error:
        return _refused(request, error, f"/g/{game_id}/")
    return redirect("game", placed.game_id)


@require_POST
def speak(request: HttpRequest, game_id: UUID) -> HttpResponseRedirect:
    """Say a phrase."""

    def said() -> Progress:
        phrases.say(game_id, _player(request), request.POST.get("phrase", ""))
        return Progress()

    return _acted(request, game_id, said)


@require_safe
def verify(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Run the verifier here, for browsers that run nothing; the page's script does it there."""
    played = _current(game_id, session_player(request))
    try:
        proof, told = proof_wire(played), verdict(played)
    except DeckInPlayError as error:
        return _refused(request, error, f"/g/{game_id}/")
    context = {"game": game_wire(played, None), "verdict": told, "proof": proof}
    return render(request, "games/verdict.html", context)


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


def _by_code(code: str) -> Game:
    """The game with this code, with all that a row of a list shows."""
    meant = (code, codes.meant(code))
    row = queries.with_seats(Game.objects.filter(join_code__in=meant)).first() if code else None
    if row is None:
        raise Http404
    return row


def _sits(row: Game, player: Player | None) -> bool:
    return player is not None and any(s.player_id == player.pk for s in row.seats.all())


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
