"""Entries of a competition: entered, on the waiting list, withdrawn, let in when there is room."""

import structlog
from django.db import transaction
from django.db.models import Max, QuerySet

from config.kit import clock, receipts
from config.kit.errors import ServiceError
from games.models import Player
from league.errors import (
    AlreadyEnteredError,
    BotsOnlyError,
    EntriesClosedError,
    NotEnteredError,
    PeopleOnlyError,
    PlayerNotFoundError,
)
from league.formats.settings import Entrants, Late, Settings
from league.formats.tallying import Sums
from league.models import Competition, Entry, LedgerRow, PenaltyTally
from league.queries import stints
from league.queries.locks import lock_competition
from league.services import entrants, house_players, ledger, tallies

log = structlog.get_logger(__name__)

State = Competition.State
MAX_ENTRIES = 5000


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
        return _wait(entry)
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
        entry.state, entry.checked_in_at = Entry.State.WITHDRAWN, None
        entry.save(update_fields=["state", "checked_in_at"])
        if waited:
            return entry
        dropped = {"entry": entry.number, "player": entry.player_id}
        ledger.append(competition, [ledger.Fact(LedgerRow.Kind.ENTRY_DROPPED, dropped)])
        admit_waiting(competition, last=False)
        return entry


def _entry(competition: Competition, player: Player) -> Entry:
    """The player's entry as it may be made, or taken up again: new ones are not saved yet."""
    settings = competition.chosen
    late = settings.late_entry and competition.state == State.RUNNING
    if competition.state != State.OPEN and not late:
        raise EntriesClosedError("The competition takes no entries now.")
    if not player.agent_ref and settings.entrants == Entrants.BOTS:
        raise BotsOnlyError("Only bots can enter this competition.")
    if player.agent_ref and settings.entrants == Entrants.PEOPLE:
        raise PeopleOnlyError("Only people can enter this competition.")
    entries = Entry.objects.filter(competition=competition)
    entry = entries.filter(stints.of(player.pk)).first()
    if entry is None:
        number = (entries.aggregate(last=Max("number"))["last"] or 0) + 1
        if number > MAX_ENTRIES:
            raise EntriesClosedError("The competition is full.")
        return Entry(competition=competition, number=number, player=player)
    if entry.substituted or entry.state not in (Entry.State.WITHDRAWN, Entry.State.WAITING):
        raise AlreadyEnteredError("The player has entered already.", entry=entry.number)
    if entry.state == Entry.State.WITHDRAWN:
        # Who comes back stands behind those who have waited meanwhile.
        entry.since = clock.now()
    return entry


def _enter(competition: Competition, entry: Entry) -> Entry:
    """Enter it; where the competition is full it waits until somebody withdraws."""
    settings = competition.chosen
    if settings.capacity and entered(competition).count() >= settings.capacity:
        return _wait(entry)
    entry.state = Entry.State.ENTERED
    late = competition.state == State.RUNNING
    if late:
        entry.seed = _next_seed(competition)
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
    begins = min(chips) if settings.late_chips == Late.MINIMUM else -(-sum(chips) // len(chips))
    # Nobody comes only to be out.
    return min(begins, settings.limit - 1) if settings.limit else begins


def admit_waiting(competition: Competition, *, last: bool) -> None:
    """Who waits enters if he may and there is room; at the `last` call who may not is dropped."""
    waiting = Entry.objects.filter(competition=competition, state=Entry.State.WAITING)
    for entry in waiting.select_related("player").order_by("since", "number"):
        try:
            entrants.admit(competition, entry.player)
        except ServiceError as refusal:
            if last:
                log.info("entry_dropped", player=entry.player_id, code=refusal.code)
                entry.state = Entry.State.DROPPED
                entry.save(update_fields=["state"])
        else:
            _enter(competition, entry)


def entered(competition: Competition) -> QuerySet[Entry]:
    """The entries that are in."""
    return Entry.objects.filter(competition=competition, state=Entry.State.ENTERED)


def _wait(entry: Entry) -> Entry:
    entry.state = Entry.State.WAITING
    entry.save()
    return entry


def _next_seed(competition: Competition) -> int:
    """Behind all others: who is drawn by seed must not share one."""
    seeds = Entry.objects.filter(competition=competition).aggregate(last=Max("seed"))
    return (seeds["last"] or 0) + 1


def _player(competition: Competition, who: int | str) -> Player:
    if isinstance(who, str):
        entries = Entry.objects.filter(competition=competition)
        kept = entries.exclude(state=Entry.State.WITHDRAWN).values_list("player", flat=True)
        return house_players.free(who.removeprefix("house:"), set(kept))
    player = Player.objects.filter(pk=who).first()
    if player is None:
        raise PlayerNotFoundError("There is no such player.", player=who)
    return player
