"""Deals at driven tables: the game of each is made here, played by the driver, settled again.

Works inside the caller's transaction, under the competition's lock.
"""

from collections.abc import Sequence

from games.queries.replays import rules_of_card
from games.services.table_games import TableGame, TableSeatSpec, create_table_game
from league.formats.deals import DealPlan, next_deal
from league.models import Competition, Round, Table
from league.queries.tables import TableView, views


def begin(competition: Competition, opened: Round, tables: Sequence[Table]) -> None:
    """Make the first game of each of the tables."""
    for view in views(Table.objects.filter(pk__in=[table.pk for table in tables])):
        first = next_deal(view.plan, [])
        assert first is not None
        make_game(view, first)


def make_game(view: TableView, deal: DealPlan) -> None:
    """Make the game of a deal, or find that it is there."""
    competition = view.competition
    create_table_game(
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
            seats=tuple(_seat(view, number) for number in deal.seats),
            server_seed=view.server_seed(deal.number, deal.redeal),
            move_ms=competition.move_ms,
            bank_ms=competition.bank_ms,
            rated=competition.rated,
        )
    )


def _seat(view: TableView, number: int) -> TableSeatSpec:
    sitter = view.sitters[number]
    return TableSeatSpec(sitter.player_id, number, sitter.agent_ref, sitter.stand_in)
