"""Who the players of a competition's document are here.

House bots are found by their bot and name, others among the club's members by name; who is not
found becomes a guest. Works inside the caller's transaction.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from config.kit import names
from games.models import Player
from games.players import HOUSE
from games.services.players import house_player

Wire = Mapping[str, Any]


def found(club_id: int, document: Wire) -> dict[int, Player]:
    """Players by the id that they have in the document: who entered, and who was substituted."""
    members = Player.objects.filter(memberships__club=club_id).order_by("-pk")
    known = {player.name_key: player for player in members}
    players: dict[int, Player] = {}
    for told, agent in _told(document):
        if told["id"] not in players:
            member = known.pop(names.folded(told["name"]), None)
            players[told["id"]] = _house(told, agent) or member or _guest(told)
    _give_owners(document, players)
    return players


def _told(document: Wire) -> Iterator[tuple[Wire, str | None]]:
    for entry in document["entries"]:
        yield entry["player"], entry["agent"]
        for stint in entry["stints"]:
            yield stint["player"], stint["agent"]


def _give_owners(document: Wire, players: Mapping[int, Player]) -> None:
    """Whose bots were one owner's keep that in common: the draws depend on it."""
    first = {entry["number"]: players[entry["player"]["id"]] for entry in document["entries"]}
    for entry in document["entries"]:
        if entry["owner"] is None:
            continue
        for told in [entry["player"], *(stint["player"] for stint in entry["stints"])]:
            player = players[told["id"]]
            if player.kind == Player.Kind.GUEST:
                player.owner = first[entry["owner"]]
                player.save(update_fields=["owner"])


def _house(told: Wire, agent: str | None) -> Player | None:
    if agent is None:
        return None
    same = Player.objects.filter(kind=Player.Kind.HOUSE, agent_ref=agent, name=told["name"])
    name = agent.removeprefix("house:")
    here = same.first()
    if here is None and name in HOUSE:
        return house_player(name, names.checked(told["name"]))
    return here


def _guest(told: Wire) -> Player:
    try:
        name = names.checked(told["name"])
    except names.BadNameError:
        name = f"Player {told['id']}"
    return Player.objects.create(kind=Player.Kind.GUEST, name=name, name_key=names.folded(name))
