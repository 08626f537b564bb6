"""Where the decks of a competition come from: its secret and the path of the deal."""

from games.engine import competition_seed
from games.models import GameRecord
from games.queries.house import HouseDeck, unheard
from league.errors import CompetitionNotFoundError
from league.models import Competition
from league.queries import stints, visible


def server_seed(
    competition: Competition,
    round_number: int | None,
    table_number: int | None,
    deal_number: int | None,
    redeal: int,
) -> bytes:
    """The seed of a deck by "round/table/deck/redeal" (guarantees.md, "Provable deals")."""
    path = f"{round_number}/{table_number}/{deal_number}/{redeal}"
    return competition_seed(bytes(competition.secret), path)


def seed_of(competition: Competition, record: GameRecord) -> bytes:
    """The seed of the deck that a recorded game of this competition was dealt from."""
    return server_seed(
        competition,
        record.round_number,
        record.table_number,
        record.deal_number,
        record.redeal,
    )


def of_record(record: GameRecord, viewer_id: int | None) -> HouseDeck | None:
    """The deck of a house game's record; None if the viewer may not see its competition.

    `settings.HOUSE_DECKS` names this function.
    """
    if record.competition_ref is None:
        return None
    try:
        competition = visible.competition(record.competition_ref, viewer_id)
    except CompetitionNotFoundError:
        return None
    number_of = stints.numbers(competition)
    mine = [number_of[player] for player in record.players]
    return unheard(seed_of(competition, record), mine)
