"""The locks of the league, in the only order they are taken: club, competition, then its rows.

Rounds, tables and tallies change under their competition's lock alone, so they need none of
their own. NO KEY: others may still insert rows that refer to the competition.
"""

from league.errors import CompetitionNotFoundError
from league.models import Club, Competition


def lock_competition(competition_id: int) -> Competition:
    """Lock and read a competition. Raises `CompetitionNotFoundError`."""
    rows = Competition.objects.select_for_update(no_key=True, of=("self",))
    competition = rows.select_related("rules").filter(pk=competition_id).first()
    if competition is None:
        raise CompetitionNotFoundError("There is no such competition.")
    return competition


def lock_club(club_id: int) -> Club:
    """Lock and read a club, before any competition: its members and links change under it."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)
