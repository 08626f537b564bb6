"""Deals at driven and evented tables: the game of each is made here, and played by the driver or
by people.

Works inside the caller's transaction, under the competition's lock.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models.functions import Now

from games.models import Game, Seat
from games.queries.replays import rules_of_card
from games.services.table_games import TableGame, TableSeatSpec, create_table_game
from league.formats.deals import DealPlan, next_deal
from league.formats.settings import stored
from league.models import Table
from league.queries.tables import TableView, views
from league.services.due import Due


def begin(tables: Sequence[Table]) -> Due:
    """Make the first game of each of the tables."""
    due = Due()
    for view in views(Table.objects.filter(pk__in=[table.pk for table in tables])):
        first = next_deal(view.plan, [])
        assert first is not None
        due += make_game(view, first)
    return due


def make_game(view: TableView, deal: DealPlan) -> Due:
    """Make the game of a deal, or find that it is there; one of people waits until they are ready,
    but not for ever."""
    game = _made(view, deal)
    if game.kind == Game.Kind.DRIVEN:
        return Due(driven=True)
    patience = timedelta(seconds=stored(view.competition.settings).ready_s)
    Table.objects.filter(pk=view.table.pk).update(due_at=Now() + patience)
    return Due()


def _made(view: TableView, deal: DealPlan) -> Game:
    competition, away = view.competition, _away(view)
    return create_table_game(
        TableGame(
            rules_id=competition.rules_id,
            rules=rules_of_card(competition.rules.card),
            table_ref=view.table.pk,
            competition_ref=competition.pk,
            round_number=view.round.number,
            table_number=view.table.number,
            deal_number=deal.number,
            redeal=deal.redeal,
            dealer=deal.dealer,
            seats=tuple(_seat(view, number, number in away) for number in deal.seats),
            server_seed=view.server_seed(deal.number, deal.redeal),
            move_ms=competition.move_ms,
            bank_ms=competition.bank_ms,
            rated=competition.rated,
        )
    )


def _seat(view: TableView, number: int, away: bool) -> TableSeatSpec:
    sitter = view.sitters[number]
    return TableSeatSpec(sitter.player_id, number, sitter.agent_ref, sitter.stand_in, away)


def _away(view: TableView) -> set[int]:
    """The people for whom the stand-in has played the last deal: nobody waits for them again."""
    if view.table.kind != Table.Kind.EVENTED:
        return set()
    games = Game.objects.filter(table_ref=view.table.pk).order_by("-deal_number", "-redeal")
    seats = Seat.objects.filter(game__in=games[:1], agent_ref="", stand_in_at__isnull=False)
    return set(seats.values_list("entrant", flat=True))
