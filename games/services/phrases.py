"""Ready-made phrases instead of free chat: a seat says one by its code, not too often."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import connection, transaction

from config.kit import receipts
from config.kit.hub import notify
from games.errors import (
    GameNotFoundError,
    NotPlayingError,
    NotYourSeatError,
    TooManyPhrasesError,
    UnknownPhraseError,
)
from games.models import Game, Phrase, Player
from games.queries.phrases import PHRASES
from games.queries.played import is_outsider
from games.services import forming
from games.services.plies import CHANNEL

PAUSE_S: Final = 3
MOST_A_GAME: Final = 50
_SAY: Final = """
    UPDATE games_seat SET said_at = clock_timestamp() WHERE id = %s
    AND (said_at IS NULL OR said_at < clock_timestamp() - make_interval(secs => %s))
"""


def say(game_id: UUID, player: Player, code: str, receipt: receipts.Draft | None = None) -> Phrase:
    """Say a phrase at one's table, from sitting down until the row of the game goes.

    Raises `UnknownPhraseError`, `TooManyPhrasesError`, `NotYourSeatError`, `NotPlayingError`,
    `GameNotFoundError`.
    """
    if code not in PHRASES:
        raise UnknownPhraseError("There is no such phrase.", field="phrase", phrases=list(PHRASES))
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Phrase.objects.get(pk=outcome["phrase"])
        phrase = _say(game_id, player, code)
        receipts.keep(receipt, {"phrase": phrase.pk})
        return phrase


def _say(game_id: UUID, player: Player, code: str) -> Phrase:
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    seats = forming.seats_of(game_id)
    if game is None or is_outsider(game, seats, player.pk):
        raise GameNotFoundError("There is no such game.")
    own = forming.own_seat(seats, player.pk)
    if own is None:
        raise NotYourSeatError("Only who sits there speaks.")
    if game.kind != Game.Kind.EVENTED or game.state == Game.State.VOID:
        raise NotPlayingError("Nobody sits there to hear it.")
    if Phrase.objects.filter(game=game, seat=own.index).count() >= MOST_A_GAME:
        raise TooManyPhrasesError("You have said enough.", limit=f"{MOST_A_GAME} a game")
    with connection.cursor() as cursor:
        cursor.execute(_SAY, [own.pk, PAUSE_S])
        if not cursor.rowcount:
            raise TooManyPhrasesError("Not so fast.", limit=f"one in {PAUSE_S} s", seconds=PAUSE_S)
    phrase = Phrase.objects.create(game=game, seat=own.index, code=code)
    phrase.refresh_from_db()
    notify(CHANNEL, str(game_id))
    return phrase
