"""Who may see what: public clubs everybody, private ones their members. Others get a 404."""

from django.db.models import Q, QuerySet

from games.models import Player
from league.errors import ClubNotFoundError, CompetitionNotFoundError, PlayerNotFoundError
from league.models import Club, Competition, Membership, Schedule


def clubs(viewer_id: int | None) -> QuerySet[Club]:
    """The clubs that a player (None: anybody) may know of."""
    return Club.objects.filter(_seen("", viewer_id))


def competitions(viewer_id: int | None) -> QuerySet[Competition]:
    """The competitions that a player may know of, with club and rules; rehearsals are seen by their
    club alone."""
    seen = Competition.objects.filter(_competition_seen(viewer_id))
    return seen.select_related("club", "rules")


def open_for_entries(viewer_id: int | None) -> QuerySet[Competition]:
    """Those of them that take entries now: open ones, and running ones with late entries."""
    late = Q(state=Competition.State.RUNNING, settings__late_entry=True)
    return competitions(viewer_id).filter(Q(state=Competition.State.OPEN) | late)


def hidden(viewer_id: int | None) -> QuerySet[Competition, int]:
    """Keys of the competitions that a player may not know of (`settings.HIDDEN_COMPETITIONS`)."""
    return Competition.objects.exclude(_competition_seen(viewer_id)).values_list("pk", flat=True)


def schedules(viewer_id: int | None) -> QuerySet[Schedule]:
    """The schedules that a player may know of, with their clubs."""
    return Schedule.objects.filter(_seen("club__", viewer_id)).select_related("club")


def club(slug: str, viewer_id: int | None) -> Club:
    """One club. Raises `ClubNotFoundError`, also for a private one seen from outside."""
    found = clubs(viewer_id).filter(slug=slug).first()
    if found is None:
        raise ClubNotFoundError("There is no such club.", club=slug)
    return found


def competition(competition_id: int, viewer_id: int | None) -> Competition:
    """One competition. Raises `CompetitionNotFoundError`."""
    found = competitions(viewer_id).filter(pk=competition_id).first()
    if found is None:
        raise CompetitionNotFoundError("There is no such competition.")
    return found


def _competition_seen(viewer_id: int | None) -> Q:
    open_to_all = Q(club__private=False, rehearsal=False)
    if viewer_id is None:
        return open_to_all
    mine = Club.objects.filter(memberships__player=viewer_id)
    return open_to_all | Q(club__in=mine.values("pk"))


def player(player_id: int, viewer_id: int | None) -> Player:
    """A player who may be named. Raises `PlayerNotFoundError`.

    A guest whom only private clubs know of is there for their members alone.
    """
    named = Player.objects.filter(anonymised_at=None, club_link=None)
    found = named.filter(pk=player_id).first()
    if found is None or (found.kind == Player.Kind.GUEST and _kept(found, viewer_id)):
        raise PlayerNotFoundError("There is no such player.", player=player_id)
    return found


def _kept(guest: Player, viewer_id: int | None) -> bool:
    belongs = Membership.objects.filter(player=guest)
    if guest.pk == viewer_id or not belongs.exists():
        return False
    return not belongs.filter(club__in=clubs(viewer_id)).exists()


def _seen(path: str, viewer_id: int | None) -> Q:
    public = Q(**{f"{path}private": False})
    if viewer_id is None:
        return public
    mine = Club.objects.filter(memberships__player=viewer_id)
    return public | Q(**{f"{path}pk__in" if path else "pk__in": mine.values("pk")})
