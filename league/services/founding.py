"""Found a club with its first league at once: people, links, places; all of it or nothing."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from config.kit import acts, names
from games.models import Player
from league.errors import TooManyNamesError
from league.models import Club, ClubLink, Competition, Format, Membership, Place
from league.queries.locks import lock_club
from league.services import competitions, entries, links, members, places
from league.services.competitions import NewCompetition
from league.services.links import Issued

MOST_NAMES = 200


@dataclass(frozen=True)
class Founding:
    """What the four screens have asked. `founder_id` None: a guest named `founder` is made."""

    name: str
    players: Sequence[str]
    settings: Mapping[str, Any]
    preset: str = "table"
    private: bool = True
    zone: str = "Europe/Helsinki"
    starts_at: datetime | None = None
    founder: str = "Organiser"
    founder_id: int | None = None
    format: Format = Format.ROUNDS
    tables: int = 0
    rehearsal: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Founded:
    """What has become of it; the links show their secrets this once."""

    club: Club
    league: Competition
    founder: Player
    players: Issued
    organisers: Issued
    places: list[Place]


def found(new: Founding) -> Founded:
    """Found it. Raises `BadNameError`, `BadSettingError`, `TooManyNamesError`, `RulesError`."""
    if len(new.players) > MOST_NAMES:
        raise TooManyNamesError(f"At most {MOST_NAMES} names.", limit=MOST_NAMES)
    checked = [names.checked(name) for name in new.players]
    name = names.checked(new.name)
    with transaction.atomic(durable=True):
        founder = _founder(new)
        made = Club.objects.create(slug=_slug(name), name=name, private=new.private, zone=new.zone)
        club = lock_club(made.pk)
        Membership.objects.create(club=club, player=founder, role=Membership.Role.OWNER)
        acts.log(f"player:{founder.pk}", "club.founded", f"club:{club.pk}")
        league = competitions.create_inside(club.pk, _league(new))
        for player in _players(club, founder, checked):
            entries.enter_inside(league, player)
        return Founded(
            club,
            league,
            founder,
            links.issue_inside(club, ClubLink.Role.PLAYERS),
            links.issue_inside(club, ClubLink.Role.ORGANISERS),
            places.upto_inside(club, new.tables or -(-len(checked) // 3)),
        )


def _founder(new: Founding) -> Player:
    if new.founder_id is not None:
        return Player.objects.get(pk=new.founder_id, anonymised_at=None)
    name = names.checked(new.founder)
    return Player.objects.create(kind=Player.Kind.GUEST, name=name, name_key=names.folded(name))


def _players(club: Club, founder: Player, checked: Sequence[str]) -> list[Player]:
    """In the order of the list; a name that is the founder's is the founder himself."""
    guests = [name for name in checked if name != founder.name]
    made = {
        member.player.name: member.player
        for member in members.add_guests_inside(club, guests, founder.pk)
    }
    return [made.get(name, founder) for name in checked]


def _league(new: Founding) -> NewCompetition:
    return NewCompetition(
        name=new.name,
        preset=new.preset,
        options=new.options,
        settings=new.settings,
        kind=Competition.Kind.LEAGUE,
        format=new.format,
        starts_at=new.starts_at,
        rehearsal=new.rehearsal,
    )


def _slug(name: str) -> str:
    return f"{slugify(name)[:40] or 'club'}-{secrets.token_hex(3)}"
