"""Tables of house bots: a slice claims some, plays them in memory, stores all in one transaction.

Killed at any moment, nothing of it has happened, and the next one plays to the same bytes: every
chance comes from the competition's secret. What was played waits for a database that is away.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.db import transaction
from django.db.models import QuerySet

from config.kit import clock, leases
from config.kit.patience import patiently
from games import engine
from games.models import GameRecord
from games.players import HOUSE, play_out
from games.queries.house import unheard
from games.queries.replays import rules_of_card
from games.services.records import HouseGame, house_record
from league.errors import CompetitionNotFoundError
from league.formats.deals import DealPlan, Played, next_deal, over
from league.models import Table
from league.queries.locks import lock_competition
from league.queries.tables import TableView, unfinished, views
from league.services import results, rounds
from league.services.due import Due

SLICE_S = 0.5
CLAIMED_AT_ONCE = 2
_RENEW_S = 3.0


@dataclass(frozen=True)
class HouseDeal:
    """A deal that was played in memory, ready to be a record."""

    deal: DealPlan
    game: engine.Game
    actions: bytes
    head: bytes


@dataclass(frozen=True)
class HouseTable:
    """A table that was played in memory, under the lease it was claimed with."""

    view: TableView
    deals: Sequence[HouseDeal]
    played: Sequence[Played]


def play_slice(owner: str, seconds: float = SLICE_S) -> Due:
    """Play tables for about `seconds`, at least one if there is any; says if more wait.

    Claims a few at a time, so that other workers find some too, and stores all it has played in
    one transaction. Tables not come to are given back.
    """
    finished: list[HouseTable] = []
    ends = monotonic() + seconds
    keep = _keeper(owner)
    while claimed := patiently(_claim, owner, alone=not finished):
        for at, view in enumerate(claimed):
            if finished and monotonic() >= ends:
                patiently(_give_back, owner, claimed[at:])
                return patiently(_store, owner, finished) + Due(house=True)
            finished.append(play_table(view, keep))
        if _is_suspect(claimed[0]):
            break
    return patiently(_store, owner, finished) + Due(house=waiting())


def waiting() -> bool:
    """Whether a house table waits to be claimed."""
    return _house().filter(leases.claimable()).exists()


def play_table(view: TableView, progressed: Callable[[], None]) -> HouseTable:
    """Play all deals of a table in memory; calls `progressed` after each."""
    deals: list[HouseDeal] = []
    played: list[Played] = []
    while (deal := next_deal(view.plan, played)) is not None:
        deals.append(_play(view, deal))
        played.append(_played(view, deals[-1]))
        progressed()
    return HouseTable(view, deals, played)


def _house() -> QuerySet[Table]:
    return unfinished().filter(kind=Table.Kind.HOUSE)


def _claim(owner: str, alone: bool) -> list[TableView]:
    """A few tables. One that has died twice in company is played `alone` or not at all: it must
    not take the others down with it a third time."""
    fences = dict(leases.claim(_house(), owner, CLAIMED_AT_ONCE))
    claimed = views(Table.objects.filter(pk__in=fences))
    suspect = [view for view in claimed if _is_suspect(view)]
    if not suspect:
        return claimed
    chosen = suspect[:1] if alone else []
    _give_back(owner, [view for view in claimed if view not in chosen])
    return chosen


def _is_suspect(view: TableView) -> bool:
    return view.table.attempts >= leases.MAX_ATTEMPTS


def _give_back(owner: str, views_: Sequence[TableView]) -> None:
    leases.release(_house(), owner, [view.table.pk for view in views_])


def _keeper(owner: str) -> Callable[[], None]:
    renewed = monotonic()

    def keep() -> None:
        nonlocal renewed
        if monotonic() - renewed > _RENEW_S:
            patiently(_renew, owner)
            renewed = monotonic()

    return keep


def _renew(owner: str) -> None:
    held = leases.held(_house(), owner).values_list("pk", flat=True)
    leases.renew(_house(), owner, list(held))


def _play(view: TableView, deal: DealPlan) -> HouseDeal:
    rules = rules_of_card(view.competition.rules.card)
    seed = view.server_seed(deal.number, deal.redeal)
    start = unheard(seed, deal.seats).start(rules, len(deal.seats), deal.dealer)
    agents = [HOUSE[view.sitters[number].agent_ref.partition(":")[2]] for number in deal.seats]
    game = play_out(rules, len(deal.seats), deal.dealer, start.deck(), agents, seed)
    actions = engine.encode_log(game)
    head = engine.chain(seed, list(engine.iter_actions(start.game(), actions)))
    return HouseDeal(deal, game, actions, head)


def _played(view: TableView, done: HouseDeal) -> Played:
    places = tuple(
        tuple(sorted(done.deal.seats[seat] for seat in group)) for group in done.game.places
    )
    deal = done.deal
    return over(view.plan, (deal.number, deal.redeal), places, str(done.game.ending))


def _store(owner: str, finished: Sequence[HouseTable]) -> Due:
    if not finished:
        return Due()
    due = Due()
    with transaction.atomic(durable=True):
        now = clock.now()
        for competition_id in sorted({table.view.competition.pk for table in finished}):
            try:
                competition = lock_competition(competition_id)
            except CompetitionNotFoundError:
                continue  # a rehearsal that was wiped meanwhile
            mine = [table for table in finished if table.view.competition.pk == competition_id]
            held = _still_held(owner, mine)
            GameRecord.objects.bulk_create(
                house_record(_house_game(table, deal, now))
                for table in held
                for deal in table.deals
            )
            done = [results.TableDone(table.view, table.played) for table in held]
            results.record(competition, done)
            due += rounds.close_inside(competition)
    return due


def _still_held(owner: str, tables: Sequence[HouseTable]) -> list[HouseTable]:
    # The fence, not the lease's time, decides: an expired lease that nobody took is still ours.
    fences = {table.view.table.pk: table.view.table.lease_fence for table in tables}
    rows = _house().filter(pk__in=fences, lease_owner=owner).order_by("pk")
    locked = dict(rows.select_for_update(no_key=True).values_list("pk", "lease_fence"))
    return [t for t in tables if locked.get(t.view.table.pk) == fences[t.view.table.pk]]


def _house_game(table: HouseTable, done: HouseDeal, now: datetime) -> HouseGame:
    view = table.view
    return HouseGame(
        rules_id=view.competition.rules_id,
        rated=view.competition.rated,
        competition_ref=view.competition.pk,
        table_ref=view.table.pk,
        round_number=view.round.number,
        table_number=view.table.number,
        deal_number=done.deal.number,
        redeal=done.deal.redeal,
        players=[view.sitters[number].player_id for number in done.deal.seats],
        game=done.game,
        actions=done.actions,
        head=done.head,
        ended_at=now,
    )
