"""The links that a club has."""

from league.models import Club, ClubLink
from league.queries.wires import LinkWire


def live(club: Club) -> list[ClubLink]:
    """Those that can be opened."""
    return list(ClubLink.objects.filter(club=club, revoked_at=None).order_by("role"))


def wire(row: ClubLink) -> LinkWire:
    """A link without what opens it."""
    return {"role": row.role, "created_at": row.created_at, "opened_at": row.opened_at}
