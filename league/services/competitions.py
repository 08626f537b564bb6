"""Open a competition, take its entries, start it. The rounds then go on by themselves."""

import hashlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.text import slugify

from config.kit import clock, names, receipts
from config.kit.errors import ServiceError
from games.engine import competition_seed, packs_needed, rules_from
from games.engine.rules import ChallengeMode
from games.errors import FirstNeedsPeopleError
from games.models import Player
from games.services import rules_cards
from league.errors import (
    AlreadyEnteredError,
    BadSettingError,
    BotsOnlyError,
    EntriesClosedError,
    NotEnteredError,
    NotOpenError,
    PeopleOnlyError,
    PlayerNotFoundError,
    TooFewEntriesError,
)
from league.formats.lots import seeding
from league.formats.settings import (
    BIGGEST,
    Entrants,
    Late,
    Results,
    SettingError,
    Settings,
    read,
    stored,
)
from league.formats.tallying import Sums
from league.models import Competition, Entry, Format, LedgerRow, PenaltyTally, Stage
from league.queries.locks import lock_competition
from league.services import entrants, house_players, ledger, rounds, tallies
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
    rules = rules_from(new.preset, new.options)
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


def enter(competition_id: int, who: int | str, receipt: receipts.Draft | None = None) -> Entry:
    """Enter a player by id, or the next free player of a house bot as "house:lowest".

    Who has withdrawn comes back under the old number. Raises `EntriesClosedError`,
    `AlreadyEnteredError`, `BotsOnlyError`, `PlayerNotFoundError`, `BadSeatsError`,
    `OwnerLimitError`, and for a bot `PresetNotDeclaredError`, `CheckRequiredError`.
    """
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Entry.objects.get(pk=outcome["entry"])
        competition = lock_competition(competition_id)
        entry = enter_inside(competition, _player(competition, who))
        receipts.keep(receipt, {"entry": entry.pk})
        return entry


def enter_inside(competition: Competition, player: Player) -> Entry:
    """`enter` for a service that holds the competition's lock."""
    entry = _entry(competition, player)
    entrants.admit(competition, player)
    return _enter(competition, entry)


def enter_or_wait_inside(competition: Competition, player: Player) -> Entry:
    """As `enter_inside`; who may not enter yet waits, and is tried again at the start."""
    entry = _entry(competition, player)
    try:
        entrants.admit(competition, player)
    except ServiceError as refusal:
        log.debug("entry_waits", player=player.pk, code=refusal.code)
        entry.state = Entry.State.WAITING
        entry.save()
        return entry
    return _enter(competition, entry)


def withdraw(competition_id: int, player_id: int) -> Entry:
    """Take an entry back before the start. Raises `EntriesClosedError`, `NotEnteredError`."""
    with transaction.atomic(durable=True):
        competition = lock_competition(competition_id)
        if competition.state != State.OPEN:
            raise EntriesClosedError("The draw is made: nobody can withdraw now.")
        entries = Entry.objects.filter(competition=competition, player=player_id)
        entry = entries.filter(state__in=entrants.STANDING).first()
        if entry is None:
            raise NotEnteredError("The player has no entry.")
        waited = entry.state == Entry.State.WAITING
        entry.state = Entry.State.WITHDRAWN
        entry.save(update_fields=["state"])
        if waited:
            return entry
        dropped = {"entry": entry.number, "player": entry.player_id}
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ENTRY_DROPPED, dropped)])
        _admit_waiting(competition, last=False)
        return entry


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
        _admit_waiting(competition, last=True)
        if _entered(competition) < 2:
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
        "secret": new.secret is not None and not 16 <= len(new.secret) <= 32,
    }
    for name, is_wrong in wrong.items():
        if is_wrong:
            raise BadSettingError("Not a value of this setting.", field=name)


def _is_clock(given: object, least: int, most: int) -> bool:
    return given is None or (type(given) is int and least <= given <= most)


def _entry(competition: Competition, player: Player) -> Entry:
    """The player's entry as it may be made, or taken up again: new ones are not saved yet."""
    settings = stored(competition.settings)
    late = settings.late_entry and competition.state == State.RUNNING
    if competition.state != State.OPEN and not late:
        raise EntriesClosedError("The competition takes no entries now.")
    if not player.agent_ref and settings.entrants == Entrants.BOTS:
        raise BotsOnlyError("Only bots can enter this competition.")
    if player.agent_ref and settings.entrants == Entrants.PEOPLE:
        raise PeopleOnlyError("Only people can enter this competition.")
    entries = Entry.objects.filter(competition=competition)
    entry = entries.filter(player=player).first()
    if entry is None:
        number = (entries.aggregate(last=Max("number"))["last"] or 0) + 1
        if number > MAX_ENTRIES:
            raise EntriesClosedError("The competition is full.")
        return Entry(competition=competition, number=number, player=player)
    if entry.state not in (Entry.State.WITHDRAWN, Entry.State.WAITING):
        raise AlreadyEnteredError("The player has entered already.", entry=entry.number)
    return entry


def _enter(competition: Competition, entry: Entry) -> Entry:
    """Enter it; where the competition is full it waits until somebody withdraws."""
    settings = stored(competition.settings)
    if settings.capacity and _entered(competition) >= settings.capacity:
        entry.state = Entry.State.WAITING
        entry.save()
        return entry
    entry.state = Entry.State.ENTERED
    late = competition.state == State.RUNNING
    if late:
        entry.seed = Entry.objects.filter(competition=competition).count()
        # For this entry they close with its own coming.
        entrants.freeze(competition, [entry])
    entry.save()
    tallies.open_for(entry)
    added = {"entry": entry.number, "player": entry.player_id}
    facts = [ledger.Fact(LedgerRow.Kind.ENTRY_ADDED, added)]
    chips = _late_chips(competition, settings) if late else 0
    if chips:
        begins = {"entry": entry.number, "chips": chips, "reason": "late_entry"}
        facts.append(ledger.Fact(LedgerRow.Kind.CHIP, begins))
    ledger.append(competition, facts)
    if chips:
        tallies.apply(competition, {entry.number: Sums(chips=chips)})
    return entry


def _late_chips(competition: Competition, settings: Settings) -> int:
    """What a late entry begins with: nothing, the field's fewest, or its mean (rounded up)."""
    rows = PenaltyTally.objects.filter(
        competition=competition, entry__state=Entry.State.ENTERED, deals__gt=0
    )
    chips = list(rows.values_list("chips", flat=True))
    if not chips or settings.late_chips == Late.ZERO:
        return 0
    return min(chips) if settings.late_chips == Late.MINIMUM else -(-sum(chips) // len(chips))


def _admit_waiting(competition: Competition, *, last: bool) -> None:
    """Who waits enters if he may and there is room; at the `last` call who may not is dropped."""
    waiting = Entry.objects.filter(competition=competition, state=Entry.State.WAITING)
    for entry in waiting.select_related("player").order_by("number"):
        try:
            entrants.admit(competition, entry.player)
        except ServiceError as refusal:
            if last:
                log.info("entry_dropped", player=entry.player_id, code=refusal.code)
                entry.state = Entry.State.DROPPED
                entry.save(update_fields=["state"])
        else:
            _enter(competition, entry)


def _player(competition: Competition, who: int | str) -> Player:
    if isinstance(who, str):
        entries = Entry.objects.filter(competition=competition)
        kept = entries.exclude(state=Entry.State.WITHDRAWN).values_list("player", flat=True)
        return house_players.free(who.removeprefix("house:"), set(kept))
    player = Player.objects.filter(pk=who).first()
    if player is None:
        raise PlayerNotFoundError("There is no such player.", player=who)
    return player


def checked_settings(given: Mapping[str, Any], format: str) -> Settings:
    """Settings as they come from outside, complete. Raises `BadSettingError` with its `field`."""
    try:
        return read(given, format)
    except SettingError as error:
        raise BadSettingError(error.sentence, field=error.name) from error


def _entered(competition: Competition) -> int:
    return Entry.objects.filter(competition=competition, state=Entry.State.ENTERED).count()


def _start(competition: Competition) -> Due:
    entered = Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)
    entries = list(entered.select_related("player"))
    entrants.freeze(competition, entries)
    seed = competition_seed(bytes(competition.secret), "seeding")
    order = seeding({entry.number: None for entry in entries}, seed)
    for entry in entries:
        entry.seed = order.index(entry.number) + 1
    Entry.objects.bulk_update(entries, ["seed", "version"])
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
        _admit_waiting(competition, last=True)
        if _entered(competition) >= 2:
            return _start(competition)
        competition.state = State.VOID
        competition.save(update_fields=["state"])
        void = {"state": State.VOID, "reason": TooFewEntriesError.code}
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.COMPETITION_STATE, void)])
        return Due()
