"""What a phone sees at a table: each deal as it stands, what it may do about it, the next one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from league.models import DealResult, Place
from league.pages import keys, tapping
from league.pages.ordering import Picking, picking
from league.pages.outcomes import outcome
from league.pages.shown import Time, time
from league.queries.sitting import Sitting
from league.services import at_table

State = DealResult.State


@dataclass(frozen=True)
class Here:
    """A phone at a place."""

    place: Place
    sitting: Sitting | None
    device: bytes
    keeper: int | None
    """The player by whom somebody who keeps scores acts."""

    @cached_property
    def seat(self) -> int | None:
        """The entry that this phone speaks for."""
        if self.sitting is None:
            return None
        number = at_table.seat_of(self.sitting, self.device)
        return number if number in self.sitting.players else None

    @property
    def player(self) -> int | None:
        """The player as whom it enters."""
        if self.keeper is not None or self.sitting is None or self.seat is None:
            return self.keeper
        return self.sitting.players[self.seat].pk


@dataclass(frozen=True)
class Contradiction:
    """What this phone has just said of a deal of which something else is told."""

    deal: int
    places: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Version:
    """One thing that is said of a deal: in words, as a form says it, and by whom."""

    words: SafeString
    form: str
    by: str


@dataclass(frozen=True)
class Deal:
    """A deal of the table. `state` is that of its result, "open" where nobody has told it."""

    number: int
    state: str
    version: int = 0
    told: Version | None = None
    contested: Version | None = None
    yours: Version | None = None
    counts_at: Time | None = None
    may_confirm: bool = False
    may_object: bool = False
    may_rule: bool = False
    may_undo: bool = False


def shown(here: Here, query: QueryDict, contradiction: Contradiction | None) -> dict[str, Any]:
    """The context of the page."""
    sitting = here.sitting
    if sitting is None:
        return {"place": here.place, "club": here.place.club, "sitting": None}
    names = sitting.names
    deals = [
        _deal(here, sitting, number, contradiction)
        for number in range(1, sitting.table.deals_planned + 1)
    ]
    return {
        "place": here.place,
        "club": here.place.club,
        "sitting": sitting,
        "names": json.dumps(names),
        "seats": [{"number": number, "name": name} for number, name in names.items()],
        "me": names.get(here.seat) if here.seat is not None else None,
        "seat": here.seat,
        "keeper": here.keeper is not None,
        "deal": sitting.next_deal,
        "ranks": range(1, len(names) + 1),
        "deals": deals,
        "asks": [deal for deal in deals if deal.yours or deal.may_confirm],
        "to_confirm": sum(deal.may_confirm for deal in deals),
        "picking": _picking(sitting, query),
        "key": keys.fresh(),
    }


def _deal(here: Here, sitting: Sitting, number: int, said: Contradiction | None) -> Deal:
    row = sitting.by_deal.get(number)
    if row is None:
        return Deal(number, "open")
    speaks = here.player is not None and sitting.takes_results
    reported, disputed = row.state == State.REPORTED, row.state == State.DISPUTED
    mine = here.keeper is None and row.entered_by_id == here.player
    yours = said.places if said is not None and said.deal == number else None
    return Deal(
        number,
        row.state,
        row.version,
        _version(sitting, row.places, row.entered_by, row.forfeits),
        _version(sitting, row.contested or [], row.contested_by) if disputed else None,
        _version(sitting, yours, None) if yours is not None else None,
        time(row.confirms_at, sitting.competition.club.zone) if reported else None,
        may_confirm=speaks and reported and not mine,
        may_object=speaks and not disputed and not (reported and mine),
        may_rule=disputed and here.keeper is not None,
        may_undo=speaks and (here.keeper is not None or (reported and mine)),
    )


def _version(
    sitting: Sitting,
    places: Sequence[Sequence[int]],
    by: Any,
    forfeits: Sequence[int] = (),
) -> Version:
    words = outcome(places, sitting.names, forfeits)
    return Version(words, tapping.written(places), by.name if by is not None else "")


def _picking(sitting: Sitting, query: QueryDict) -> Picking | None:
    deal = tapping.number(query.get("order", ""))
    if not 1 <= deal <= sitting.table.deals_planned:
        return None
    row = sitting.by_deal.get(deal)
    return picking(deal, query, sitting.names, row.version if row is not None else 0)
