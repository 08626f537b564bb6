"""Who plays which entry in which round, where somebody was substituted."""

from collections.abc import Iterable

from django.db.models import Q

from games.models import Player
from league.models import Competition, Entry, Stint


def numbers(competition: Competition) -> dict[int, int]:
    """Entry numbers by player: of everybody who plays or has played one."""
    entries = Entry.objects.filter(competition=competition)
    found = dict(entries.values_list("player_id", "number"))
    stints = Stint.objects.filter(entry__competition=competition)
    return found | dict(stints.values_list("player_id", "entry__number"))


def played_by(entries: Iterable[Entry], round_number: int) -> dict[int, Player]:
    """By entry: who plays it in a round. No query where nobody was substituted."""
    found = {entry.pk: entry.player for entry in entries}
    changed = [entry.pk for entry in entries if entry.substituted]
    if changed:
        stints = Stint.objects.filter(entry__in=changed, round__lte=round_number)
        found |= {s.entry_id: s.player for s in stints.select_related("player").order_by("round")}
    return found


def of(player_id: int, path: str = "") -> Q:
    """Entries that a player plays or has played; `path` leads to the entry."""
    return Q(**{f"{path}player": player_id}) | Q(**{f"{path}stints__player": player_id})
