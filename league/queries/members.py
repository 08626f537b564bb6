"""Who belongs to a club, and whose names look alike."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from league.models import Club, Membership
from league.queries.documents import player
from league.queries.wires import MemberWire


def of_club(club: Club) -> QuerySet[Membership]:
    """The members, with their players; who acts for a link is none."""
    members = Membership.objects.filter(club=club, player__club_link=None)
    return members.select_related("player")


def alike(club: Club) -> dict[str, list[int]]:
    """Players of the club by folded name, where two or more share one."""
    rows = of_club(club).order_by("player_id").values_list("player__name_key", "player_id")
    found: dict[str, list[int]] = {}
    for key, player_id in rows:
        found.setdefault(key, []).append(player_id)
    return {key: players for key, players in found.items() if len(players) > 1}


def wires(members: Iterable[Membership], look: dict[str, list[int]]) -> list[MemberWire]:
    """Members as documents; `look` as `alike` tells it."""
    return [_wire(row, look.get(row.player.name_key, ())) for row in members]


def doubles(keys: Iterable[str]) -> set[str]:
    """Folded names that stand there more than once."""
    return {key for key, times in Counter(keys).items() if times > 1}


def _wire(row: Membership, alike: Sequence[int]) -> MemberWire:
    return {
        "player": player(row.player),
        "role": row.role,
        "nickname": row.nickname,
        "since": row.created_at,
        "looks_like": [other for other in alike if other != row.player_id],
    }
