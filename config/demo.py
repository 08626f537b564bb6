"""The demo: a club, house bots under other names, example bots, a knockout every ten minutes.

Made once and topped up at every start; uses the services like anybody else. Only the wiring knows
it: nothing of the product depends on demo data.
"""

from __future__ import annotations

import json
import socket
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from bots_api import queries
from bots_api.models import Bot, CheckReport
from bots_api.services import checks, life, registration
from config.kit import clock
from games.models import Player
from games.services import players
from league.models import Club, Schedule
from league.services import clubs, schedules

CLUB = "kulma"
ORGANISER = "Oskari"
# Name at the table -> house bot that plays it.
HOUSE = {
    "Lempi": "lowest",
    "Rauha": "lowest",
    "Toivo": "random",
    "Armas": "random",
    "Sulo": "lowest",
    "Hilja": "random",
    "Veikko": "lowest",
}
EXAMPLES = {"Kettu": "lowest_bot.py", "Karhu": "keeper_bot.py"}
EVERY = timedelta(minutes=10)
# Time for the first check of the example bots.
STARTS_IN_S = 10


class Example(NamedTuple):
    """An example bot to run: which file, where it listens, the secret it checks calls with."""

    name: str
    file: str
    port: int
    secret: str


def load() -> None:
    """Make what is missing, give the example bots fresh ports, leave one slot due."""
    club = Club.objects.filter(slug=CLUB).first() or _club()
    organiser = club.memberships.get(role="owner").player
    examples = [_example(organiser, name, file) for name, file in EXAMPLES.items()]
    _note(examples)
    _ask_for_checks(organiser)
    _schedule(club)


def note() -> Path:
    """Where the supervisor reads which example bots to run; readable by the owner only."""
    return Path(settings.STATE_DIR) / "demo_bots.json"


def _club() -> Club:
    organiser = players.create(ORGANISER, Player.Kind.PERSON).player
    return clubs.create(CLUB, "Kahvila Kulma", organiser.pk)


def _example(owner: Player, name: str, file: str) -> Example:
    """The row of a bot that runs on this machine, at a port that is free now."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    bot = Bot.objects.filter(player__owner=owner, player__name=name).first()
    if bot is None:
        spec = registration.BotSpec(
            name, url=url, description=f"examples/python/{file}", presets=("table", "classic")
        )
        new = registration.register(owner.pk, spec)
        assert new.signing_secret is not None
        return Example(name, file, port, new.signing_secret)
    life.update(bot.pk, owner.pk, {"url": url})
    reach = queries.reach(bot.pk)
    assert reach is not None
    return Example(name, file, port, reach.secrets[0])


def _ask_for_checks(owner: Player) -> None:
    """The competition is rated, so the bots must pass the check: the worker carries it out."""
    for bot in Bot.objects.filter(player__owner=owner, player__name__in=EXAMPLES):
        asked = queries.checks(bot.pk).exclude(state=CheckReport.State.FAILED)
        if not asked.exists():
            checks.ask(bot.pk, owner.pk)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _note(examples: list[Example]) -> None:
    path = note()
    path.touch(mode=0o600)
    path.write_text(json.dumps([example._asdict() for example in examples]))


def _schedule(club: Club) -> None:
    """A slot every ten minutes. The one before now counts as missed and is run at once."""
    if Schedule.objects.filter(club=club).exists():
        return
    schedules.create(
        club.pk,
        schedules.NewSchedule(
            name="Kulman kymppi",
            cron="*/10 * * * *",
            zone="Europe/Helsinki",
            template=_template(),
            since=clock.now() - EVERY,
        ),
    )


def _template() -> dict[str, Any]:
    house = [players.house_player(bot, called=name).pk for name, bot in HOUSE.items()]
    remote = Player.objects.filter(bot__isnull=False, name__in=EXAMPLES).order_by("pk")
    return {
        "name": "Kulman kymppi",
        "preset": "table",
        "settings": {"table_size": 3, "deals_per_table": 4},
        "starts_in_s": STARTS_IN_S,
        "players": [*house, *remote.values_list("pk", flat=True)],
    }
