"""Games of bots that are over: who played what as which version, and whether that must end."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from bots_api.models import Bot, Fault, Outing, Sparring
from bots_api.queries.ends import PREFIX
from bots_api.queries.places import place_of
from bots_api.services import suspension
from games.models import Game, Seat


def note(game_id: UUID) -> None:
    """Write the outings of a finished game, once; suspend who lost three in a row.

    Safe to repeat, by anybody at once: each bot in a transaction of its own, under its lock.
    """
    game = Game.objects.filter(pk=game_id).first()
    if game is None or game.places is None:
        return
    for seat in Seat.objects.filter(game=game, agent_ref__startswith=PREFIX).order_by("index"):
        # Who was absent from the first card on has not played.
        if seat.stand_in_at is None or seat.faults:
            _note(game, seat, game.places)


def _note(game: Game, seat: Seat, places: list[list[int]]) -> None:
    bot_id = int(seat.agent_ref.removeprefix(PREFIX))
    with transaction.atomic(durable=True):
        locked = Bot.objects.select_for_update(no_key=True, of=["self"])
        bot = locked.select_related("player__owner__user").filter(pk=bot_id).first()
        if bot is None or Outing.objects.filter(game_ref=game.pk, seat=seat.index).exists():
            return
        outing = _outing(bot, game, seat, places)
        outing.save()
        if outing.stand_in and suspension.lost_in_a_row(bot) >= suspension.IN_A_ROW:
            suspension.suspend(bot, Bot.Reason.STAND_INS)


def _outing(bot: Bot, game: Game, seat: Seat, places: list[list[int]]) -> Outing:
    faults = Fault.objects.filter(game_ref=game.pk, seat=seat.index)
    last = faults.order_by("-pk").first()
    counts = last is not None and faults.filter(away=False).exists()
    return Outing(
        bot=bot,
        version_id=last.version_id if last is not None else bot.version_id,
        game_ref=game.pk,
        seat=seat.index,
        competition_ref=game.competition_ref,
        sparring=Sparring.objects.filter(game_ref=game.pk).exists(),
        place=place_of(places, seat.index),
        faults=seat.faults,
        stand_in=seat.stand_in_at is not None,
        outage=last.outage if last is not None and counts else None,
    )
