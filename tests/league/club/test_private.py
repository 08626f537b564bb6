"""What is in a private club is for others as if it were not there: by every address, every verb.

The addresses are taken from the URL patterns themselves: a new one without a row here fails.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver

from games.authentication import SESSION_KEY
from games.models import Game, Player
from games.services import players
from games.urls import urlpatterns as of_games
from league.models import Club, Competition, Membership
from league.models import Schedule as Slots
from league.services import competitions, entries
from league.services.competitions import NewCompetition
from league.urls import urlpatterns as of_league
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)

NOWHERE = {
    "club": "nowhere",
    "id": "999999",
    "slug": "nowhere",
    "league": "nowhere",
    "schedule": "999999",
    "game": "01890000-0000-7000-8000-000000000000",
    "player": "999999",
}
ONE = "api/v1/competitions/<int:competition_id>"
CLUB = "api/v1/clubs/<slug:slug>"
GAME = "api/v1/games/<uuid:game_id>"
TABLE = f"{ONE}/rounds/<int:round_number>/tables/<int:table_number>"
HOOK = f"{ONE}/webhooks/<int:webhook_id>"
# What a pattern's parts stand for; "" where it names nothing that could be private.
COMPETITION = ("<int:competition_id>", "id")
ROWS: dict[str, tuple[str, str] | None] = {
    # Lists and what belongs to nobody: looked into below.
    "": None,
    "live/": None,
    "games/": None,
    "games/new": None,
    "rules/": None,
    "rules/<text:rules_hash>/ask/": None,
    "api/v1/clubs": None,
    "api/v1/link-recoveries": None,
    "api/v1/claims": None,
    # A secret opens it, and whoever has that is no outsider.
    "k/": None,
    "k/<slug:secret>/": None,
    "recover/": None,
    "claim/": None,
    "new/": None,
    "new/rules/": None,
    "new/league/": None,
    "new/players/": None,
    "t/<slug:code>/": None,
    "t/<slug:code>/load": None,
    "t/": None,
    "offline.js": None,
    "api/v1/competitions": None,
    "api/v1/schedules": None,
    "api/v1/competition-settings/check": None,
    "api/v1/games": None,
    "api/v1/games/finished": None,
    "api/v1/games/finished.ndjson": None,
    "api/v1/games/quick": None,
    "api/v1/me": None,
    "api/v1/me/games": None,
    "api/v1/me/mail": None,
    # Signed: it names a player's letters to who holds one.
    "mail/<str:token>/": None,
    "api/v1/me/holidays": None,
    "api/v1/me/holidays/<int:holiday_id>": None,
    "api/v1/me/settings": None,
    "api/v1/me/tokens": None,
    "api/v1/me/tokens/<int:token_id>": None,
    "api/v1/me/tokens/<int:token_id>/rotate": None,
    "games/quick": None,
    # Whoever has the code of an invitation is invited.
    "j/<text:code>/": None,
    "j/<text:code>/sit": None,
    "api/v1/players": None,
    "api/v1/rules/<text:rules_hash>": None,
    "api/v1/rules/check": None,
    "api/v1/rules/presets": None,
    "api/v1/stream-tickets": None,
    # Clubs
    CLUB: ("<slug:slug>", "club"),
    f"{CLUB}/calendar.ics": ("<slug:slug>", "club"),
    f"{CLUB}/imports": ("<slug:slug>", "club"),
    f"{CLUB}/name-lists": ("<slug:slug>", "club"),
    f"{CLUB}/members": ("<slug:slug>", "club"),
    f"{CLUB}/members/<int:player_id>": ("<slug:slug>", "club"),
    f"{CLUB}/members/<int:player_id>/anonymise": ("<slug:slug>", "club"),
    f"{CLUB}/members/<int:player_id>/claim-code": ("<slug:slug>", "club"),
    f"{CLUB}/members/<int:player_id>/merge": ("<slug:slug>", "club"),
    f"{CLUB}/merges/<int:merge_id>/undo": ("<slug:slug>", "club"),
    f"{CLUB}/places": ("<slug:slug>", "club"),
    f"{CLUB}/links": ("<slug:slug>", "club"),
    f"{CLUB}/links/<str:role>": ("<slug:slug>", "club"),
    "club/<slug:slug>/": ("<slug:slug>", "club"),
    "club/<slug:slug>/members/<int:player_id>/anonymise": ("<slug:slug>", "club"),
    "club/<slug:slug>/members/<int:player_id>/code": ("<slug:slug>", "club"),
    "club/<slug:slug>/members/<int:player_id>/nickname": ("<slug:slug>", "club"),
    "club/<slug:slug>/members/<int:player_id>/merge": ("<slug:slug>", "club"),
    "club/<slug:slug>/merges/<int:merge_id>": ("<slug:slug>", "club"),
    "club/<slug:slug>/codes/": ("<slug:slug>", "club"),
    "club/<slug:slug>/settings": ("<slug:slug>", "club"),
    "club/<slug:slug>/leave": ("<slug:slug>", "club"),
    "club/<slug:slug>/links/<str:role>": ("<slug:slug>", "club"),
    "club/<slug:slug>/members": ("<slug:slug>", "club"),
    "club/<slug:slug>/members/<int:player_id>": ("<slug:slug>", "club"),
    "api/v1/schedules/<int:schedule_id>/disable": ("<int:schedule_id>", "schedule"),
    "api/v1/schedules/<int:schedule_id>/enable": ("<int:schedule_id>", "schedule"),
    # Competitions
    "c/<slug:slug>/": ("<slug:slug>", "slug"),
    "c/<slug:slug>/live/": ("<slug:slug>", "slug"),
    "l/<slug:slug>/": ("<slug:slug>", "league"),
    "l/<slug:slug>/begin": ("<slug:slug>", "league"),
    "l/<slug:slug>/embed/": ("<slug:slug>", "league"),
    "l/<slug:slug>/night/load": ("<slug:slug>", "league"),
    "l/<slug:slug>/print/": ("<slug:slug>", "league"),
    "l/<slug:slug>/slip/": ("<slug:slug>", "league"),
    "l/<slug:slug>/tv/": ("<slug:slug>", "league"),
    "l/<slug:slug>/tv/live/": ("<slug:slug>", "league"),
    **dict.fromkeys(
        (
            f"l/<slug:slug>/{rest}"
            for rest in (
                "acts/",
                "chips/",
                "deals/<int:round_number>/<int:table_number>/<int:number>/",
                "disputes/",
                "enter/",
                "enter/<int:round_number>/",
                "ledger/",
                "season/",
                "sheet/",
            )
        ),
        ("<slug:slug>", "league"),
    ),
    **dict.fromkeys(
        (
            ONE,
            *(
                f"{ONE}/{rest}"
                for rest in (
                    "acts",
                    "dashboard",
                    "entries",
                    "entries/<int:player_id>",
                    "entries/<int:player_id>/checkin",
                    "entries/<int:player_id>/drop",
                    "events",
                    "exports/<str:file>",
                    "ledger",
                    "next-season",
                    "pause",
                    "resume",
                    "rounds",
                    "sheets",
                    "sheets/check",
                    "rounds/next",
                    "rules",
                    "standings",
                    "start",
                    "tallies",
                    "void",
                    "webhooks",
                )
            ),
            TABLE,
            f"{ONE}/entries/<int:player_id>/chips",
            f"{ONE}/entries/<int:player_id>/substitute",
            f"{ONE}/ledger/<int:seq>/revoke",
            f"{ONE}/notes",
            f"{ONE}/notes/<int:note_id>",
            f"{ONE}/wipe",
            f"{TABLE}/confirm",
            f"{TABLE}/void",
            f"{TABLE}/deals/<int:deal>/void",
            f"{TABLE}/deals/<int:deal>/correction",
            f"{TABLE}/deals/<int:deal>/correction/preview",
            f"{TABLE}/correction",
            f"{TABLE}/correction/preview",
            f"{TABLE}/correction/undo",
            f"{TABLE}/deals/<int:deal>/result",
            HOOK,
            f"{HOOK}/deliveries",
            f"{HOOK}/deliveries/<int:delivery_id>/resend",
            f"{HOOK}/replay",
            f"{HOOK}/test",
        ),
        COMPETITION,
    ),
    # Games
    **dict.fromkeys(
        (
            GAME,
            *(
                f"{GAME}/{rest}"
                for rest in (
                    "events",
                    "invitations",
                    "join",
                    "leave",
                    "legal",
                    "moves",
                    "phrases",
                    "proof",
                    "ready",
                    "record",
                    "rematch",
                    "resign",
                    "verdict",
                )
            ),
            "g/<uuid:game_id>/",
            "g/<uuid:game_id>/invite",
            "g/<uuid:game_id>/move",
            "g/<uuid:game_id>/ready",
            "g/<uuid:game_id>/rematch",
            "g/<uuid:game_id>/resign",
            "g/<uuid:game_id>/say",
            "g/<uuid:game_id>/sit",
            "g/<uuid:game_id>/stand-up",
            "g/<uuid:game_id>/verify",
        ),
        ("<uuid:game_id>", "game"),
    ),
}
_PARTS = {
    "<int:player_id>": "player",
    "<int:round_number>": "1",
    "<int:table_number>": "1",
    "<int:number>": "1",
    "<int:deal>": "1",
    "<int:merge_id>": "1",
    "<int:note_id>": "1",
    "<int:seq>": "1",
    "<int:webhook_id>": "1",
    "<int:delivery_id>": "1",
    "<str:file>": "results.csv",
    "<str:role>": "organiser",
}


def patterns(found: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for one in found:
        if isinstance(one, URLResolver):
            yield from patterns(one.url_patterns, before + str(one.pattern))
        else:
            yield before + str(one.pattern)


@pytest.fixture
def private() -> dict[str, str]:
    """A private club with a competition that runs and a game that is played in it."""
    club = Club.objects.create(slug="salaiset", name="Salaiset", private=True)
    owner = cast.person("Salainen Aino")
    Membership.objects.create(club=club, player=owner, role="owner")
    new = NewCompetition(name="Salacup", settings={"table_size": 3, "deals_per_table": 1})
    cup = competitions.create(club.pk, new)
    for bot in cast.bots(3, owner):
        Player.objects.filter(pk=bot.pk).update(agent_ref="house:lowest")
        bot.refresh_from_db()
        entries.enter(cup.pk, bot.pk)
    Player.objects.filter(owner=owner).update(agent_ref="bot:1")
    competitions.start(cup.pk)
    kind = Competition.Kind.LEAGUE
    liga = competitions.create(club.pk, NewCompetition(name="Salaliiga", kind=kind))
    slots = Slots.objects.create(
        club=club, name="Salalla", cron="* * * * *", zone="UTC", template={}
    )
    cup.refresh_from_db()
    game = Game.objects.get(competition_ref=cup.pk)
    return {
        "club": club.slug,
        "id": str(cup.pk),
        "slug": cup.slug,
        "league": liga.slug,
        "schedule": str(slots.pk),
        "game": str(game.pk),
        "player": str(owner.pk),
    }


def address(pattern: str, row: tuple[str, str], known: dict[str, str]) -> str:
    part, what = row
    path = pattern.replace(part, known[what])
    for name, value in _PARTS.items():
        path = path.replace(name, known.get(value, value))
    assert "<" not in path, f"no value for a part of {path}"
    return f"/{path}"


def test_every_address_of_league_and_games_says_whether_it_can_be_private() -> None:
    have = set(patterns([*of_league, *of_games]))
    assert have - ROWS.keys() == set(), "add the new addresses to ROWS"
    assert ROWS.keys() - have == set(), "these addresses are gone"


def answers(client: Client, path: str, headers: dict[str, str]) -> dict[str, tuple[int, str]]:
    """What each verb is answered: status, and code or nothing."""
    found = {}
    for verb in ("get", "post", "put", "patch", "delete"):
        answer = client.generic(
            verb.upper(), path, b"{}", content_type="application/json", headers=headers
        )
        told: Any = answer.json() if "json" in answer.get("Content-Type", "") else {}
        found[verb] = (
            answer.status_code,
            str(told.get("code", "")) if isinstance(told, dict) else "",
        )
    return found


@pytest.mark.parametrize("who", ["anybody", "token", "session"])
def test_a_private_club_is_as_if_it_were_not_there(private: dict[str, str], who: str) -> None:
    made = players.create("Ulkopuolinen", Player.Kind.PERSON)
    client = Client(raise_request_exception=False)
    headers = {"Authorization": f"Bearer {made.token}"} if who == "token" else {}
    if who == "session":
        session = client.session
        session[SESSION_KEY] = made.player.pk
        session.save()
    different = {}
    for pattern, row in ROWS.items():
        if row is None:
            continue
        there = answers(client, address(pattern, row, private), headers)
        nowhere = answers(
            client, address(pattern, row, {**NOWHERE, "player": private["player"]}), headers
        )
        if there != nowhere:
            different[pattern] = (there, nowhere)
        assert there["get"][0] in (404, 405, 401), pattern
    assert different == {}


def test_lists_and_first_pages_name_nothing_private(private: dict[str, str]) -> None:
    client = Client()
    for pattern, row in ROWS.items():
        if row is None and "<" not in pattern:
            answer = client.get(f"/{pattern}")
            parts = iter(answer) if answer.streaming else [answer.content]
            told = b"".join(parts).decode()
            for secret in ("Sala", private["slug"], private["game"]):
                assert secret not in told, pattern


def test_its_members_see_all_of_it(private: dict[str, str]) -> None:
    client = Client()
    session = client.session
    session[SESSION_KEY] = int(private["player"])
    session.save()
    for pattern in (CLUB, ONE, GAME, "c/<slug:slug>/", "g/<uuid:game_id>/"):
        row = ROWS[pattern]
        assert row is not None
        assert client.get(address(pattern, row, private)).status_code == 200, pattern
    assert client.get(f"/l/{private['league']}/").status_code == 200
