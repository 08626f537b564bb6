"""Open a competition and start it. The rounds then go on by themselves."""

import hashlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models.functions import Now
from django.utils.text import slugify

from config.kit import clock, names, receipts
from games.engine import Rules, competition_seed, packs_needed, rules_from
from games.engine.rules import ChallengeMode
from games.errors import FirstNeedsPeopleError
from games.services import rules_cards
from league.errors import (
    BadSettingError,
    NotOpenError,
    TooFewEntriesError,
)
from league.formats.lots import seeding
from league.formats.settings import (
    BIGGEST,
    Entrants,
    Results,
    SettingError,
    Settings,
    read,
)
from league.models import Competition, Entry, Format, LedgerRow, Stage
from league.queries.locks import lock_competition
from league.services import checkin, entrants, entries, ledger, rounds
from league.services.due import Due, each

log = structlog.get_logger(__name__)

State = Competition.State
MAX_ENTRIES = 5000
LONGEST_NAME = 120
# Time for a move and bank, in ms.
BOTS_CLOCKS = (1000, 30_000)
PEOPLES_CLOCKS = (60_000, 300_000)


@dataclass(frozen=True)
class NewCompetition:
    """What a competition is opened with. A chosen `secret` makes it reproducible and unrated.

    Without clocks of its own it has those of bots, or of people if they may enter.
    """

    name: str
    preset: str = "table"
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    kind: Competition.Kind = Competition.Kind.TOURNAMENT
    format: Format = Format.KNOCKOUT
    move_ms: int | None = None
    bank_ms: int | None = None
    starts_at: datetime | None = None
    secret: bytes | None = None
    rehearsal: bool = False
    # A card that is known, in place of preset and options.
    rules: Rules | None = None


def create(club_id: int, new: NewCompetition, receipt: receipts.Draft | None = None) -> Competition:
    """Open a competition for entries.

    Raises `RulesError` for rules or a deal that can't be, `FirstNeedsPeopleError`,
    `BadSettingError` with its `field`, `BadNameError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Competition.objects.get(pk=outcome["competition"])
        competition = create_inside(club_id, new)
        receipts.keep(receipt, {"competition": competition.pk})
        return competition


def create_inside(club_id: int, new: NewCompetition) -> Competition:
    """`create` for a service that has a transaction open."""
    _check(new)
    name = names.checked(new.name, LONGEST_NAME)
    rules = new.rules or rules_from(new.preset, new.options)
    if rules.challenge_mode is ChallengeMode.FIRST:
        raise FirstNeedsPeopleError("The first to challenge counts only among people.")
    settings = checked_settings(new.settings, new.format)
    for size in range(2, biggest_table(settings, new.format) + 1):
        packs_needed(rules, size)
    clocks = BOTS_CLOCKS if settings.entrants == Entrants.BOTS else PEOPLES_CLOCKS
    secret = new.secret if new.secret is not None else os.urandom(32)
    competition = Competition.objects.create(
        club_id=club_id,
        slug=f"{slugify(name)[:60] or 'competition'}-{secrets.token_hex(4)}",
        name=name,
        kind=new.kind,
        format=new.format,
        state=State.OPEN,
        rules=rules_cards.stored(rules),
        settings=settings.to_json(),
        move_ms=clocks[0] if new.move_ms is None else new.move_ms,
        bank_ms=clocks[1] if new.bank_ms is None else new.bank_ms,
        secret=secret,
        commitment=hashlib.sha256(secret).digest(),
        reproducible=new.secret is not None,
        rehearsal=new.rehearsal,
        starts_at=new.starts_at,
    )
    Stage.objects.create(competition=competition, number=1, format=new.format)
    opened = {
        "state": State.OPEN,
        "rules": rules.hash,
        "commitment": bytes(competition.commitment).hex(),
        "reproducible": competition.reproducible,
    }
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, opened)])
    return competition


def start(competition_id: int) -> Due:
    """Close the entries, seed them and draw the first round; again does nothing.

    Raises `TooFewEntriesError`, and `NotOpenError` for one that is over.
    """
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if competition.state in (State.RUNNING, State.PAUSED):
            return Due()
        if competition.state != State.OPEN:
            raise NotOpenError("The competition is over.", state=competition.state)
        checkin.withdraw_absent(competition)
        entries.admit_waiting(competition, last=True)
        if entries.entered(competition).count() < 2:
            raise TooFewEntriesError("Two entries are needed at least.")
        return _start(competition)


def start_overdue() -> Due:
    """Start what should have started; with fewer than two entries it is void.

    Each in a transaction of its own, so that one that fails keeps no other from starting.
    """
    waiting = Competition.objects.filter(state=State.OPEN, starts_at__lte=Now())
    overdue = waiting.order_by("starts_at").values_list("pk", flat=True)[:100]
    return each(_start_or_void, overdue)


def template(given: Mapping[str, Any]) -> NewCompetition:
    """A competition from a schedule's template; `starts_in_s` counts from now.

    Raises `BadSettingError` for a key that is unknown or of the wrong type.
    """
    values = dict(given)
    if "starts_at" in values:
        raise BadSettingError(
            "A slot starts at its own time: use `starts_in_s`.", field="starts_at"
        )
    if "rules" in values:
        raise BadSettingError("Use `preset` and `options`.", field="rules")
    starts_in_s = values.pop("starts_in_s", 0)
    if type(starts_in_s) is not int or not 0 <= starts_in_s <= 7 * 86400:
        raise BadSettingError("Seconds, from 0 to a week.", field="starts_in_s")
    secret = values.pop("secret", None)
    try:
        values["secret"] = None if secret is None else bytes.fromhex(secret)
        new = NewCompetition(**values)
    except (TypeError, ValueError) as error:
        raise BadSettingError(f"Not a competition: {error}", field="template") from error
    starts_at = clock.now() + timedelta(seconds=starts_in_s)
    return NewCompetition(**{**values, "name": new.name, "starts_at": starts_at})


def biggest_table(settings: Settings, format: str) -> int:
    """Seats of the biggest table that a draw may make: other numbers than the ideal too."""
    if format == Format.KNOCKOUT or settings.results == Results.TYPED:
        return settings.table_size
    return BIGGEST


def _check(new: NewCompetition) -> None:
    wrong = {
        "name": not isinstance(new.name, str),
        "preset": not isinstance(new.preset, str),
        "options": not isinstance(new.options, Mapping),
        "settings": not isinstance(new.settings, Mapping),
        "kind": new.kind not in Competition.Kind.values,
        "format": new.format not in Format.values,
        "move_ms": not _is_clock(new.move_ms, 50, 600_000),
        "bank_ms": not _is_clock(new.bank_ms, 0, 3_600_000),
        "rehearsal": type(new.rehearsal) is not bool,
        "secret": new.secret is not None and not 16 <= len(new.secret) <= 32,
    }
    for name, is_wrong in wrong.items():
        if is_wrong:
            raise BadSettingError("Not a value of this setting.", field=name)


def _is_clock(given: object, least: int, most: int) -> bool:
    return given is None or (type(given) is int and least <= given <= most)


def checked_settings(given: Mapping[str, Any], format: str) -> Settings:
    """Settings as they come from outside, complete. Raises `BadSettingError` with its `field`."""
    try:
        return read(given, format)
    except SettingError as error:
        raise BadSettingError(error.sentence, field=error.name) from error


def _start(competition: Competition) -> Due:
    entered = list(entries.entered(competition).select_related("player"))
    entrants.freeze(competition, entered)
    seed = competition_seed(bytes(competition.secret), "seeding")
    order = seeding({entry.number: None for entry in entered}, seed)
    for entry in entered:
        entry.seed = order.index(entry.number) + 1
    Entry.objects.bulk_update(entered, ["seed", "version"])
    competition.state = State.RUNNING
    competition.started_at = clock.now()
    competition.save(update_fields=["state", "started_at"])
    running = {"state": State.RUNNING, "seeds": list(order)}
    ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, running)])
    return rounds.open_inside(competition)


def _start_or_void(competition_id: int) -> Due:
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if competition.state != State.OPEN:
            return Due()
        checkin.withdraw_absent(competition)
        entries.admit_waiting(competition, last=True)
        if entries.entered(competition).count() >= 2:
            return _start(competition)
        competition.state = State.VOID
        competition.save(update_fields=["state"])
        void = {"state": State.VOID, "reason": TooFewEntriesError.code}
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, void)])
        return Due()
