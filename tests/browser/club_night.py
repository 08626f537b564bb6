"""Nights with many people, and with names that would do harm."""

from __future__ import annotations

from django.test import Client

from games.models import Player
from league.models import Club, Competition
from tests.league import nights
from tests.league.club.browser import organiser_of

HOSTILE = (
    "\u202egnp.exe\u202d Aino",
    "\u200b\u200d\u2060Bertil\u200b",
    "<script>document.title='gone'</script>",
    "<img src=x onerror=\"document.title='gone'\">",
    "W" * 300,
    "👨‍👩‍👧‍👦" * 40,
    "pitkä nimi " * 27,
    "A" + "\u0301" * 200,
)
"""As they could stand in rows that are older than the check of names."""


def of_many(people: int = 30, word: str = "PASKA") -> Competition:
    return nights.night(people, word=word, deals_per_table=4)


def with_hostile_names() -> Competition:
    league = nights.night(len(HOSTILE))
    for player, name in zip(Player.objects.order_by("pk"), HOSTILE, strict=False):
        # The column is shorter than the longest of them: what it takes is as bad.
        limit = Player._meta.get_field("name").max_length or 300
        Player.objects.filter(pk=player.pk).update(name=name[:limit])
    long = Competition._meta.get_field("name").max_length or 80
    Competition.objects.filter(pk=league.pk).update(name=HOSTILE[2][:long])
    Club.objects.filter(pk=league.club_id).update(name=HOSTILE[3][:60])
    return Competition.objects.select_related("club", "rules").get(pk=league.pk)


def session_of_organiser(league: Competition) -> str:
    """The session of somebody who runs the club."""
    client: Client = organiser_of(league.club)[0]
    return str(client.session.session_key)
