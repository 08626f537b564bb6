"""Run inside the stack under test: `manage.py shell`-like set-up that has no address of its own.

`python -m tests.flows.plan people` makes the organiser and the house entries and prints them;
`schedule` reads {"club", "players", "secret"} from standard input and leaves one slot due.
"""

import json
import os
import sys
from datetime import timedelta
from typing import Any

import django

HOUSE = ["lowest", "lowest", "lowest", "random", "random"]


def people() -> dict[str, Any]:
    from games.models import Player  # noqa: PLC0415 - Django must be set up before
    from games.services import players  # noqa: PLC0415
    from league.services import clubs  # noqa: PLC0415

    oskari = players.create("Oskari", Player.Kind.PERSON)
    club = clubs.create("kulma", "Kulma", oskari.player.pk)
    house = [players.house_player(bot, called=f"House {n}") for n, bot in enumerate(HOUSE, 1)]
    return {"token": oskari.token, "club": club.pk, "house": [player.pk for player in house]}


def schedule(plan: dict[str, Any]) -> dict[str, Any]:
    from config.kit import clock  # noqa: PLC0415
    from league.services import schedules  # noqa: PLC0415

    now = clock.now()
    # This very minute once a year: the slot of now is due, the next one far away.
    slot = now - timedelta(minutes=1)
    made = schedules.create(
        plan["club"],
        schedules.NewSchedule(
            name=plan["name"],
            cron=f"{now.minute} {now.hour} {now.day} {now.month} *",
            zone="UTC",
            since=slot,
            template={
                "name": plan["name"],
                "settings": {"table_size": 3, "deals_per_table": plan["deals"]},
                "players": plan["players"],
                "secret": plan["secret"],
            },
        ),
    )
    return {"schedule": made.pk}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    result = people() if sys.argv[1] == "people" else schedule(json.load(sys.stdin))
    json.dump(result, sys.stdout)
