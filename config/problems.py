"""Errors as `application/problem+json` (RFC 9457): the only table from class to status.

Owns status, title and hint of every refusal, whichever layer it comes from, and the answers
that Django itself would give as HTML. `code` is for machines and is never translated; the rest is
what `config/locale` has for it in the reader's language (decision 056).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from drf_standardized_errors.formatter import flatten_errors
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api import errors as bots
from config.kit import etag, names, params, rates, receipts, throttle
from config.kit.errors import ForbiddenError, InvalidError, NotFoundError, ServiceError
from config.kit.request_id import request_id_of
from config.kit.wire import BodyTooLargeError, dumps
from games import errors as games
from games.engine import errors as engine
from league import errors as league

log = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
MACHINES: Final = ("/api/", "/healthz", "/readyz", "/metrics")


class Row(NamedTuple):
    """How a class of errors is told over HTTP."""

    status: int
    title: str
    hint: str


BAD_REQUEST: Final = Row(400, "Bad request", "Check host, headers and size.")
TABLE: Final[Mapping[type[Exception], Row]] = {
    ServiceError: Row(409, "Not possible now", "Read the object again and see what has changed."),
    NotFoundError: Row(404, "Not found", "Check the address."),
    ForbiddenError: Row(403, "Not allowed", "Use a token of somebody who may do this."),
    InvalidError: Row(422, "A value can't be accepted", "Change the named field."),
    # Kit
    names.BadNameError: Row(
        422, "The name can't be used", "Choose a plain name of 2 to 40 letters."
    ),
    params.UnknownParameterError: Row(
        400, "Unknown query parameter", "Leave it out; `known` lists those there are."
    ),
    etag.ChangedError: Row(
        412, "Changed meanwhile", "Read it again and send your change with its `ETag`."
    ),
    throttle.TooManyTriesError: Row(
        429, "Too many tries", "Wait `retry_after_s` seconds, then try again."
    ),
    rates.RateLimitError: Row(429, "Too many requests", "Wait `retry_after_s` seconds."),
    receipts.KeyReusedError: Row(
        422, "Idempotency-Key used before", "Use a new key for a new request."
    ),
    receipts.StillRunningError: Row(
        409, "Still running", "Wait a second and send the same request again."
    ),
    # Games
    games.GameNotFoundError: Row(404, "No such game", "Check the id, or sit down first."),
    games.NotYourSeatError: Row(403, "No seat here", "Join the game before it is dealt."),
    games.StaleMoveError: Row(
        409, "Decision already taken", "Get the game and use its `move_number`."
    ),
    games.EarlyMoveError: Row(
        409, "Not your decision yet", "Wait until `to_act` has your seat; use its `move_number`."
    ),
    games.GameOverError: Row(409, "The game is over", "Read `places`, or get the record."),
    games.NotPlayingError: Row(409, "Not in play", "Get the game and look at its `state`."),
    games.NotFormingError: Row(409, "Already dealt", "Look for another open game."),
    games.GameFullError: Row(409, "No free seat", "Choose one of `free`, or another game."),
    games.TableSeatError: Row(409, "A competition's seat", "Leave the competition itself."),
    games.AlreadyReadyError: Row(409, "Ready before", "Nothing to do: the first entropy counts."),
    games.NotInvitableError: Row(422, "Can't be invited", "Give the id of a person."),
    games.NotResignableError: Row(409, "Can't be given up", "Play on, or let the clock run."),
    games.ResignedError: Row(409, "You have resigned", "Watch, or ask for a rematch at the end."),
    games.NoRematchError: Row(409, "No rematch", "Wait until the game is over, or make a new one."),
    games.BadHolidayError: Row(422, "These days can't be taken", "Give days from today on."),
    games.NoDaysLeftError: Row(409, "No days left", "Take at most `days_left` in that year."),
    games.HolidayNotFoundError: Row(404, "No such holiday", "GET /api/v1/me/holidays."),
    games.HolidayOverError: Row(409, "That holiday is over", "Nothing to do."),
    games.UnknownPhraseError: Row(422, "No such phrase", "Choose one of `phrases`."),
    games.TooManyPhrasesError: Row(429, "Too many phrases", "`limit` says how often."),
    games.TooManyStreamsError: Row(
        429, "Too many streams", "Close some, or follow several games by polling: see `limit`."
    ),
    games.BadSeatsError: Row(
        422, "These seats make no game", "Give 2 to 6 seats, one of them open."
    ),
    games.EntropyTooLongError: Row(422, "Too much entropy", "Send at most 64 bytes of text."),
    games.UnknownHouseRuleError: Row(
        422, "Unknown house rule", "GET /api/v1/rules/presets lists them."
    ),
    games.FirstNeedsPeopleError: Row(
        422, "Speed counts only among people", "Use `challenge_mode: sealed`, or seat people only."
    ),
    games.DeckInPlayError: Row(
        409, "The deck is in play", "Ask again when every game from this deck is over."
    ),
    games.BadTokenError: Row(401, "Token not accepted", "Check it, or make a new one."),
    games.NoSuchTokenError: Row(404, "No such token", "GET /api/v1/me/tokens lists yours."),
    games.NotAPersonError: Row(403, "People only", "Use a token of the bot's owner."),
    games.ScopeNotHeldError: Row(
        403, "More than you may", "Leave out what `missing` lists, or ask with another token."
    ),
    games.TokenLimitError: Row(409, "Too many tokens", "End one that is not needed."),
    games.BadTicketError: Row(
        401, "Ticket not accepted", "POST /api/v1/stream-tickets makes a new one."
    ),
    games.BadTicketPathError: Row(
        422, "No stream there", "Give the path of a stream, as /api/v1/games/ID/events."
    ),
    games.EventsGoneError: Row(410, "No such event", "Get `snapshot`, then read on after `last`."),
    games.UnknownRulesError: Row(404, "No such rules card", "Check the hash."),
    # League
    league.ClubNotFoundError: Row(404, "No such club", "Check the address."),
    league.CompetitionNotFoundError: Row(404, "No such competition", "Check the id."),
    league.TableNotFoundError: Row(404, "No such table", "Get the rounds and choose one there."),
    league.PlayerNotFoundError: Row(404, "No such player", "Check the id of the player."),
    league.NotOrganiserError: Row(403, "Not an organiser", "Ask an organiser of the club."),
    league.NotOwnerError: Row(403, "Not an owner", "Ask an owner of the club."),
    league.NotMemberError: Row(404, "No such member", "List the members of the club."),
    league.AlreadyMemberError: Row(409, "A member already", "PATCH the member to change the role."),
    league.LastOwnerError: Row(409, "The last owner", "Make somebody else an owner first."),
    league.LinkNotFoundError: Row(404, "No such link", "Ask an organiser for the new link."),
    league.RecoveryNotFoundError: Row(
        404, "No such recovery code", "Type it as it is printed; each is used once."
    ),
    league.PlaceNotFoundError: Row(404, "No such place", "Scan the code again."),
    league.NobodySitsError: Row(409, "Nobody sits here now", "Wait for the next round."),
    league.OtherDeviceError: Row(
        409, "One device, one seat", "Let somebody else of the table confirm on another phone."
    ),
    league.NotReportedError: Row(409, "Nothing to take back", "Ask an organiser to correct it."),
    league.BadClaimCodeError: Row(422, "No such code", "Ask an organiser for a new code."),
    league.NotAGuestError: Row(409, "Not a guest", "Choose a guest of the club."),
    league.SeatedTogetherError: Row(
        409, "Two people", "Look at `deals`: both were seated there, so they are not one."
    ),
    league.BothEnteredError: Row(
        409, "Both have entered", "Withdraw one of the two entries, or leave both as they are."
    ),
    league.MergeNotFoundError: Row(404, "No such merge", "Look at the club's merges."),
    league.MergedSinceError: Row(
        409, "Can't be told apart any more", "Add a new guest for what comes from now on."
    ),
    league.TooManyNamesError: Row(422, "Too many names", "Add them in two steps."),
    league.NotYourPlayerError: Row(403, "Not your player", "Enter yourself or your own bots."),
    league.BadSettingError: Row(422, "A setting can't be", "Change the setting `field`."),
    league.BadTimetableError: Row(422, "No slot ever comes", "Check the cron line and the zone."),
    league.ScheduleNotFoundError: Row(404, "No such schedule", "List the schedules."),
    league.SlugTakenError: Row(409, "Address taken", "Choose another slug."),
    league.EntriesClosedError: Row(409, "Entries are closed", "Look for the next competition."),
    league.AlreadyEnteredError: Row(409, "Entered already", "Nothing to do."),
    league.NotEnteredError: Row(409, "No entry", "Enter first."),
    league.CheckinClosedError: Row(409, "No check-in now", "Wait for `opens_at`, if it is told."),
    league.PeopleOnlyError: Row(422, "People only", "Enter a person."),
    league.BotsOnlyError: Row(422, "Bots only", "Register a bot and enter it."),
    league.OwnerLimitError: Row(409, "Too many of one owner", "Withdraw another one of yours."),
    league.PresetNotDeclaredError: Row(
        409, "Preset not declared", "PATCH the bot's `presets` if it can play `preset`."
    ),
    league.CheckRequiredError: Row(
        409, "Check required", "POST to `check`, wait for its report, then enter again."
    ),
    league.TooFewEntriesError: Row(409, "Too few entries", "Enter two at least."),
    league.NotRunningError: Row(409, "Not running", "Look at the competition's `state`."),
    league.NoDealError: Row(409, "No such deal", "Look at the table and its deals."),
    league.NotAtTableError: Row(403, "Not at this table", "Ask who sits there, or an organiser."),
    league.BadResultError: Row(422, "Not a result", "Name everybody who played once."),
    league.ResultChangedError: Row(
        409, "Another result stands there", "Look at both; send `seen` with its version to go on."
    ),
    league.RoundBegunError: Row(409, "The next round has begun", "Correct without `redraw`."),
    league.SeatLeftOutError: Row(422, "A seat left out", "Name `missing` too, the absent last."),
    league.ResultVoidError: Row(409, "The result is void", "Bring it back first, by undo."),
    league.ResultDecidesError: Row(409, "The result has decided", "Correct it instead."),
    league.BadNoteError: Row(422, "Not a note", "One line of 2 to 500 characters."),
    league.NoteNotFoundError: Row(404, "No such note", "List the notes."),
    league.BadChipsError: Row(422, "Not a number of chips", "From -20 to 20, none below 0."),
    league.ChipsNotFoundError: Row(404, "No such chips", "Look into the ledger for `chip`."),
    league.RevokedError: Row(409, "Revoked already", "Nothing to do."),
    league.NotARehearsalError: Row(409, "Not a rehearsal", "Call it off instead: what was stays."),
    league.BadSubstituteError: Row(409, "Not a substitute", "See `why`, and name somebody else."),
    league.NotOpenError: Row(409, "Over", "Open a new competition."),
    league.BadWebhookError: Row(422, "Not a webhook", "Give an https URL and events that exist."),
    league.WebhookLimitError: Row(409, "Too many webhooks", "Delete one that is not needed."),
    league.WebhookNotFoundError: Row(404, "No such webhook", "List the webhooks."),
    league.BadDocumentError: Row(422, "The document does not check", "Export it again, unchanged."),
    league.SheetRefusedError: Row(
        422, "The sheet can't be taken", "Change the cells that `faults` names, and try again."
    ),
    league.SheetOutdatedError: Row(
        409, "The sheet was tried on an older ledger", "Check it again, then enter it."
    ),
    league.ExportNotFoundError: Row(404, "No such export", "Choose one of `known`."),
    # Bots
    bots.BotNotFoundError: Row(404, "No such bot", "GET /api/v1/bots lists them."),
    bots.NotYourBotError: Row(403, "Not your bot", "Use a token of the bot's owner."),
    bots.NotAnOwnerError: Row(403, "Bots own no bots", "Use a token of a person."),
    bots.NameTakenError: Row(409, "Name taken", "Choose a name that looks like no other bot's."),
    bots.BadUrlError: Row(
        422, "This URL is not called", "Give a public https URL without query or user name."
    ),
    bots.BadBotError: Row(422, "A setting can't be", "Change the setting `field`."),
    bots.QuotaError: Row(429, "Quota reached", "Wait until `ends_at`."),
    bots.BotLimitError: Row(409, "Too many bots", "Retire one of yours first."),
    bots.BotStateError: Row(409, "Not in this state", "Get the bot and look at its `state`."),
    bots.CheckRunningError: Row(409, "A check is running", "Wait for its report."),
    bots.CheckLimitError: Row(429, "Too many checks", "Wait until `ends_at`."),
    bots.OpenChecksError: Row(429, "Too many checks at once", "Wait for one of their reports."),
    bots.SparringLimitError: Row(429, "Too many sparring games", "Wait until `ends_at`."),
    bots.NotAcceptingError: Row(
        409, "The bot does not play with you now", "`reason` says why; read its `accepts`."
    ),
    bots.LastSecretError: Row(409, "The only secret", "Make a new one, then end this one."),
    bots.SecretNotFoundError: Row(404, "No such secret", "GET the bot's secrets."),
    bots.TokenNotFoundError: Row(404, "No such token", "GET the bot's tokens."),
    bots.FaultNotFoundError: Row(404, "No such fault", "GET the bot's faults."),
    bots.VersionNotFoundError: Row(404, "No such version", "GET the bot's versions."),
    bots.SparringNotFoundError: Row(404, "No such sparring game", "GET the bot's sparring."),
    bots.CheckNotFoundError: Row(404, "No such check", "GET the bot's checks."),
    bots.MessageNotFoundError: Row(404, "No such message", "Use the `request_id` of a message."),
    bots.TooLateError: Row(409, "Too late", "Nothing to do: go on with the next message."),
    bots.WrongDoorError: Row(422, "Answered elsewhere", "Send it to the message's `reply_to`."),
    bots.BadReplyError: Row(422, "A reply of the wrong shape", "Read docs/bots.md."),
    bots.NotABotError: Row(403, "Bots only", "Use the bot's own token, `hlb_...`."),
    # Engine
    engine.EngineError: Row(422, "Against the rules", "Read the rules page of this rule set."),
    engine.IllegalAction: Row(422, "Illegal action", "Choose one of `legal`."),
    engine.RulesError: Row(422, "These rules can't be", "Change the named option."),
    engine.MalformedRecord: Row(422, "No readable record", "`detail` names the first fault."),
    # Transport
    BodyTooLargeError: Row(413, "Body too large", "Send less."),
    exceptions.ValidationError: Row(400, "The request is not right", "`errors` says where."),
    exceptions.ParseError: Row(400, "Unreadable body", "Send one plain UTF-8 JSON object."),
    exceptions.AuthenticationFailed: Row(401, "Not accepted", "Check the token."),
    exceptions.NotAuthenticated: Row(
        401, "Who are you?", "Send `Authorization: Bearer TOKEN`; POST /api/v1/players makes one."
    ),
    exceptions.PermissionDenied: Row(403, "Not allowed", "Use a token with the scope it needs."),
    exceptions.NotFound: Row(404, "Not found", "Check the address; /api/docs/ lists them."),
    exceptions.MethodNotAllowed: Row(405, "Method not allowed", "`Allow` lists those there are."),
    exceptions.UnsupportedMediaType: Row(
        415, "Unsupported media type", "Send `Content-Type: application/json`."
    ),
    exceptions.Throttled: Row(429, "Too many requests", "Wait `Retry-After` seconds."),
    SuspiciousOperation: BAD_REQUEST,
    OperationalError: Row(503, "The database does not answer", "Try again in a few seconds."),
    InterfaceError: Row(503, "The database does not answer", "Try again in a few seconds."),
}
_CODES: Final[Mapping[type[Exception], str]] = {
    exceptions.ValidationError: "invalid_request",
    exceptions.ParseError: "bad_json",
    SuspiciousOperation: "bad_request",
    OperationalError: "database_unavailable",
    InterfaceError: "database_unavailable",
}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's hook: a known error as a problem; None lets an unknown one become a logged 500."""
    error = _as_api_error(error)
    row = row_of(type(error))
    if row is None:
        return None
    request: Request = context["request"]
    response = Response(
        problem(row, code_of(error), _detail(error), request_id_of(request._request), _data(error)),
        status=row.status,
        content_type=MEDIA_TYPE,
    )
    for name, value in _headers(error, row).items():
        response[name] = value
    return response


def row_of(kind: type[Exception]) -> Row | None:
    """The row of a class: its own, or for what the table does not know that of a base."""
    return next((TABLE[base] for base in kind.__mro__ if base in TABLE), None)


def code_of(error: Exception) -> str:
    """The machine's name of an error."""
    if isinstance(error, ServiceError | engine.EngineError):
        return error.code
    known = next((_CODES[base] for base in type(error).__mro__ if base in _CODES), None)
    return known or str(getattr(error, "default_code", "error"))


def problem(
    row: Row, code: str, detail: str, request_id: str, data: Mapping[str, Any]
) -> dict[str, Any]:
    """The problem object; data can't shadow the fixed members."""
    return {
        **data,
        "type": f"/api/docs/#problem-{code}",
        "title": gettext(row.title),
        "status": row.status,
        "detail": _in_language(detail, row),
        "code": code,
        "hint": gettext(row.hint),
        "request_id": request_id,
    }


def _in_language(detail: str, row: Row) -> str:
    """The sentence; the title in its place where only that is there in the reader's language."""
    translated = gettext(detail) if detail else ""
    title = gettext(row.title)
    untold = translated == detail and title != row.title
    return f"{title}." if untold else translated


# What Django itself answers


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler400`: bad hosts and what else is suspicious."""
    return _plain(request, BAD_REQUEST, "bad_request")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler403`."""
    return _plain(request, TABLE[exceptions.PermissionDenied], "permission_denied")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """`CSRF_FAILURE_VIEW`."""
    row = Row(403, "The form has expired", "Load the page again and send the form once more.")
    return _plain(request, row, "csrf_failed")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler404`."""
    return _plain(request, TABLE[exceptions.NotFound], "not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    """`handler500`; a database that is out is said honestly, as 503."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return _plain(request, TABLE[OperationalError], "database_unavailable")
    row = Row(500, "Our fault", "Tell us the request_id; trying again may help.")
    return _plain(request, row, "server_error")


def _plain(request: HttpRequest, row: Row, code: str) -> HttpResponse:
    """A problem for machines, a page for people."""
    if not request.path.startswith(MACHINES):
        # Without the request's context: it may need the session, and so the database.
        told = row._replace(title=gettext(row.title), hint=gettext(row.hint))
        page = render_to_string("problem.html", {"row": told, "code": code})
        return HttpResponse(page, status=row.status)
    body = problem(row, code, row.title + ".", request_id_of(request), {})
    response = HttpResponse(dumps(body), content_type=MEDIA_TYPE, status=row.status)
    if row.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = "5"
    return response


def _as_api_error(error: Exception) -> Exception:
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, OperationalError | InterfaceError):
        log.error("database_unavailable", error=str(error))
    return error


def _detail(error: Exception) -> str:
    if isinstance(error, ServiceError):
        return error.detail or (type(error).__doc__ or "").partition("\n")[0]
    if isinstance(error, engine.EngineError):
        return (type(error).__doc__ or "").partition("\n")[0]
    if isinstance(error, exceptions.ValidationError):
        return "Some fields are not as they must be."
    if isinstance(error, exceptions.APIException):
        return str(error.detail)
    # What a driver says may name hosts and statements.
    return "Nothing was changed."


def _data(error: Exception) -> dict[str, Any]:
    if isinstance(error, engine.IllegalAction):
        return {"rule": error.code, **error.data}
    if isinstance(error, ServiceError | engine.EngineError):
        return dict(error.data)
    if isinstance(error, exceptions.ValidationError):
        found = flatten_errors(error.detail)
        told = [{"field": e.attr, "code": e.code, "detail": gettext(e.detail)} for e in found]
        return {"errors": told}
    return {}


def _headers(error: Exception, row: Row) -> dict[str, str]:
    headers: dict[str, str] = {}
    if row.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="housuliiga"'
    if row.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = "5"
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers
