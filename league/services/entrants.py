"""Who may enter, as which version, who is not asked, who is busy: for players that are machines.

What a bot must have done before, the layer above knows: `settings.ENTRANTS` names its module by the
prefix of `Player.agent_ref`. Works inside the caller's transaction, under the competition's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q

from games.models import Player
from games.queries.replays import rules_of_card
from games.queries.rules_cards import rules_wire
from league.errors import OwnerLimitError
from league.models import Competition, Entry, TableSeat
from league.queries.tables import unfinished

STANDING = (Entry.State.ENTERED, Entry.State.WAITING)


class Terms(NamedTuple):
    """What a machine must be up to for a competition."""

    preset: str
    rated: bool


def admit(competition: Competition, player: Player) -> None:
    """Refuse who may not enter. Raises `OwnerLimitError` and what the machine's layer refuses."""
    _check_owner(competition, player)
    preset = rules_wire(rules_of_card(competition.rules.card))["preset"]
    terms = Terms(preset, rated=competition.rated)
    for ask in _asks("admit", [player]):
        ask(player, terms)


def freeze(competition: Competition, entries: Sequence[Entry]) -> None:
    """Bind each entry to its machine's version, if the competition wants that; not saved yet."""
    if not competition.chosen.freeze_versions:
        return
    players = [entry.plays for entry in entries]
    versions: dict[int, str] = {}
    for ask in _asks("freeze", players):
        versions |= ask(players, competition.pk)
    for entry in entries:
        entry.version = versions.get(entry.plays.pk, "")


def absent(players: Sequence[Player]) -> set[int]:
    """Which of the players are not to be asked: the stand-in begins and ends their tables."""
    found: set[int] = set()
    for ask in _asks("absent", players):
        found |= ask(players)
    return found


def stand_in_for(player: Player) -> None:
    """From the next deal on the stand-in plays for a machine that is gone for good, also at tables
    that are under way. Inside the caller's transaction."""
    seats = TableSeat.objects.filter(table__in=unfinished(), entry__player=player)
    seats.update(stand_in=True)


def queues(competition: Competition) -> dict[int, tuple[int, int]]:
    """By player, how many turns are out at a machine that is still in, and how many wait."""
    known: Mapping[str, str] = settings.ENTRANTS
    machines = Q(*(("agent_ref__startswith", f"{prefix}:") for prefix in known), _connector=Q.OR)
    entered = Q(entries__competition=competition, entries__state=Entry.State.ENTERED)
    players = list(Player.objects.filter(machines, entered))
    found: dict[int, tuple[int, int]] = {}
    for ask in _asks("queues", players):
        found |= ask(players)
    return found


def _asks(name: str, players: Iterable[Player]) -> list[Callable[..., Any]]:
    """The function of that name in each module that these players concern."""
    known: Mapping[str, str] = settings.ENTRANTS
    concerned = {player.agent_ref.partition(":")[0] for player in players} & known.keys()
    return [getattr(import_module(known[prefix]), name) for prefix in sorted(concerned)]


def _check_owner(competition: Competition, player: Player) -> None:
    if player.owner_id is None:
        return
    limit = competition.chosen.bots_per_owner
    entries = Entry.objects.filter(competition=competition, player__owner=player.owner_id)
    if entries.filter(state__in=STANDING).exclude(player=player).count() >= limit:
        raise OwnerLimitError(f"One owner enters at most {limit} bots here.", limit=limit)
