"""One owner with everything, those around him, and a request for every operation of the API."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.test import Client

from bots_api.models import Bot
from config.describe import schema
from config.kit import clock
from games.engine import rules_from
from games.models import Game, Holiday, Player, Token
from games.services import lobby, players, tokens
from games.services.lobby import Plan
from games.services.rules_cards import stored
from league.models import Club, Membership
from league.services import clubs, schedules, webhooks
from league.services.schedules import NewSchedule
from tests.bots_api.cast import puller
from tests.league.cast import cup, house_bots

METHODS: Final = ("get", "post", "put", "patch", "delete")
ALL: Final = tuple(scope.value for scope in Token.Scope)


@dataclass(frozen=True)
class Call:
    """An operation, and the body of its example."""

    name: str
    method: str
    path: str
    body: object

    def address(self, world: World) -> str:
        return self.path.format(**world.ids)


@dataclass(frozen=True)
class World:
    """Who is there, and the numbers of what is the owner's, by the names in paths."""

    owner: Player
    member: Player
    outsider: Player
    bot: Bot
    bot_token: str
    game: Game
    ids: dict[str, object]


def calls() -> list[Call]:
    return [
        Call(found[method]["operationId"], method, path, _example(found[method]))
        for path, found in schema()["paths"].items()
        for method in METHODS
        if method in found
    ]


def world() -> World:
    """A private club with all that belongs to it, a pull bot and a private game."""
    owner, member, outsider = (players.create(name).player for name in ("Oskari", "Mari", "Ulla"))
    club = clubs.create("kulma", "Kulma", owner.pk)
    Club.objects.filter(pk=club.pk).update(private=True)
    Membership.objects.create(club=club, player=member, role=Membership.Role.MEMBER)
    competition = cup(house_bots(3), club_=club)
    made = puller(of=owner)
    assert made.token is not None
    hook, _ = webhooks.create(competition.pk, "https://example.org/hook", [], "test")
    nightly = schedules.create(club.pk, NewSchedule("Nightly", "0 0 * * *", "UTC", {}))
    game = _private_game(owner)
    rules = stored(rules_from("table"))
    today = clock.now().date()
    holiday = Holiday.objects.create(player=owner, first=today, last=today)
    return World(
        owner,
        member,
        outsider,
        made.bot,
        made.token,
        game,
        {
            "slug": club.slug,
            "competition_id": competition.pk,
            "player_id": owner.pk,
            "file": "none.csv",
            "round_number": 1,
            "table_number": 1,
            "deal": 1,
            "webhook_id": hook.pk,
            "schedule_id": nightly.pk,
            "note_id": 1,
            "seq": 1,
            "delivery_id": 1,
            "bot_id": made.bot.pk,
            "check_id": 1,
            "fault_id": 1,
            "secret_id": 1,
            "sparring_id": 1,
            "token_id": Token.objects.filter(player=owner).values_list("pk", flat=True)[0],
            "game_id": game.pk,
            "holiday_id": holiday.pk,
            "rules_hash": rules.hash,
            "role": "organiser",
            "merge_id": 1,
        },
    )


def token(player: Player, *scopes: str) -> str:
    return tokens.issue(player, [Token.Scope(one) for one in scopes]).text


def ask(call: Call, world: World, bearer: str | None, **more: str) -> tuple[int, dict[str, Any]]:
    """The status, and the problem if it is one."""
    headers = dict(more) if bearer is None else {"authorization": f"Bearer {bearer}", **more}
    answer = Client(raise_request_exception=False).generic(
        call.method.upper(),
        call.address(world),
        json.dumps(call.body) if call.body is not None else "",
        "application/json",
        headers=headers,
    )
    kind = answer.headers.get("Content-Type", "")
    return answer.status_code, json.loads(answer.content) if kind.endswith("problem+json") else {}


def _private_game(owner: Player) -> Game:
    plan = Plan(rules_from("table"), ["", ""], visibility=Game.Visibility.PRIVATE)
    game_id: UUID = lobby.create_game(owner, plan).game_id
    return Game.objects.get(pk=game_id)


def _example(operation: dict[str, Any]) -> object:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = list(content.get("examples", {}).values())
    return examples[0]["value"] if examples else ({} if content else None)
