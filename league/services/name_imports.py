"""A list of names from a file: who is new becomes a guest and a member, who is there stays."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction

from config.kit import names, receipts
from league.errors import TooManyNamesError
from league.queries import roles
from league.queries.locks import lock_club
from league.queries.members import of_club
from league.services import members
from league.services.founding import MOST_NAMES
from league.services.sheet_plans import refused
from league.spreadsheets import reading, telling
from league.spreadsheets.cells import Cell, Fault, SheetError


class Listed(NamedTuple):
    """Names that are new, names of members, and new ones that look like another one."""

    added: list[str]
    known: list[str]
    looks_like: dict[str, str]


def add(
    club_id: int, data: bytes, by: int, *, dry_run: bool, receipt: receipts.Draft | None = None
) -> Listed:
    """Add them, unless it is a dry run. Raises `SheetRefusedError` with its faults by cell,
    `TooManyNamesError`, `NotOrganiserError`."""
    listed = _read(data)
    with transaction.atomic(durable=True):
        before = receipts.repeated(receipt)
        if before is not None:
            return Listed(**before)
        club = lock_club(club_id)
        roles.require_organiser(club, by)
        there = list(of_club(club).values_list("player__name", flat=True))
        plain = {name.casefold() for name in there}
        new = [name for name in listed if name.casefold() not in plain]
        alike = {names.folded(name): name for name in [*reversed(new), *there]}
        like = {name: alike[names.folded(name)] for name in new}
        found = Listed(
            new,
            [name for name in listed if name.casefold() in plain],
            {name: other for name, other in like.items() if other != name},
        )
        if not dry_run:
            members.add_guests_inside(club, new, by)
            receipts.keep(receipt, found._asdict())
        return found


def _read(data: bytes) -> list[str]:
    try:
        cells = list(telling.names(reading.lines(data)))
    except SheetError as error:
        raise refused([error.fault]) from None
    if len(cells) > MOST_NAMES:
        raise TooManyNamesError(f"At most {MOST_NAMES} names.", limit=MOST_NAMES)
    found: dict[str, Cell] = {}
    faults = []
    for cell in cells:
        try:
            name = names.checked(cell.text)
        except names.BadNameError as error:
            faults.append(Fault(cell.at, error.code, error.detail))
            continue
        if name in found:
            why = f"The same as {found[name].at}: add something that tells them apart."
            faults.append(Fault(cell.at, "name_twice", why))
        found.setdefault(name, cell)
    if faults:
        raise refused(faults)
    return list(found)
