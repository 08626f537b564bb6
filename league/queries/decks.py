"""Where the packs of house games come from: the competition's secret and the deal's path."""

from games.engine import competition_seed
from games.models import GameRecord
from games.queries.house import HouseDeck
from league.errors import CompetitionNotFoundError
from league.models import Entry
from league.queries import visible


def of_record(record: GameRecord, viewer_id: int | None) -> HouseDeck | None:
    """The deck of a house game's record; None if the viewer may not see its competition.

    House bots give no entropy. `settings.HOUSE_DECKS` names this function.
    """
    if record.competition_ref is None:
        return None
    try:
        competition = visible.competition(record.competition_ref, viewer_id)
    except CompetitionNotFoundError:
        return None
    path = f"{record.round_number}/{record.table_number}/{record.deal_number}/{record.redeal}"
    mine = Entry.objects.filter(competition=competition, player_id__in=record.players)
    numbers = mine.order_by("number").values_list("number", flat=True)
    seed = competition_seed(bytes(competition.secret), path)
    return HouseDeck(seed, [(number, "") for number in numbers])
