"""Who plays which entry in which round, where somebody was substituted."""

from collections.abc import Callable, Iterable

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
    known = list(entries)
    plays = who_plays(known)
    return {entry.pk: plays(entry, round_number) for entry in known}


def who_plays(entries: Iterable[Entry]) -> Callable[[Entry, int], Player]:
    """Tells of these entries who plays them in a round. One query for all rounds; none where nobody
    was substituted."""
    changed = {entry.pk for entry in entries if entry.substituted}
    stints: dict[int, list[Stint]] = {}
    if changed:
        rows = Stint.objects.filter(entry__in=changed).select_related("player")
        for stint in rows.order_by("round"):
            stints.setdefault(stint.entry_id, []).append(stint)

    def plays(entry: Entry, round_number: int) -> Player:
        begun = [s.player for s in stints.get(entry.pk, ()) if s.round <= round_number]
        return begun[-1] if begun else entry.player

    return plays


def of(player_id: int, path: str = "") -> Q:
    """Entries that a player plays or has played; `path` leads to the entry."""
    return Q(**{f"{path}player": player_id}) | Q(**{f"{path}stints__player": player_id})
