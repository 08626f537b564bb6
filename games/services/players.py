"""Players: people, guests and house bots. Remote bots are registered by the layer above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction
from django.db.models.functions import Now

from config.kit import clock, names, receipts
from games.errors import BadSeatsError
from games.models import Player, Token
from games.players import HOUSE
from games.services import tokens


class NewPlayer(NamedTuple):
    """A player just made; `token` is shown once, and None when the request is repeated."""

    player: Player
    token: str | None


def create(
    name: str, kind: Player.Kind = Player.Kind.GUEST, receipt: receipts.Draft | None = None
) -> NewPlayer:
    """Make a person or a guest with a token to play with. Raises `BadNameError`."""
    kept = names.checked(name)
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return NewPlayer(Player.objects.get(pk=outcome["player"]), None)
        player = Player.objects.create(kind=kind, name=kept, name_key=names.folded(kept))
        scopes = [Token.Scope.PLAY, Token.Scope.ORGANISE, Token.Scope.BOT, Token.Scope.READ]
        issued = tokens.issue(player, scopes, label="first")
        receipts.keep(receipt, {"player": player.pk})
        return NewPlayer(player, issued.text)


def of_account(user_id: int, name: str, guest_id: int | None = None) -> Player:
    """The player of an account: the guest who signs up stays who he was, with all he has played."""
    with transaction.atomic(durable=True):
        mine = Player.objects.filter(user=user_id).first()
        if mine is not None:
            return mine
        guests = Player.objects.select_for_update().filter(user=None, anonymised_at=None)
        guest = guests.filter(pk=guest_id or 0, kind=Player.Kind.GUEST).first()
        if guest is not None:
            guest.kind, guest.user_id = Player.Kind.PERSON, user_id
            guest.save(update_fields=["kind", "user"])
            return guest
        return Player.objects.create(
            kind=Player.Kind.PERSON, name=name, name_key=names.folded(name), user_id=user_id
        )


def speak(player_id: int, language: str) -> None:
    """Set the language of a player's pages and messages, "" for the browser's."""
    Player.objects.filter(pk=player_id).update(language=language)


def make_nameless(player: Player) -> None:
    """Take a player's name away for good, and all that spoke for him; what he played stays.

    In the caller's transaction.
    """
    player.name, player.name_key = f"Nameless {player.pk}", f"nameless:{player.pk}"
    player.user, player.anonymised_at = None, clock.now()
    player.save(update_fields=["name", "name_key", "user", "anonymised_at"])
    Token.objects.filter(player=player, revoked_at=None).update(revoked_at=Now())
    transaction.on_commit(tokens.forget)


def choose(player_id: int, chosen: Mapping[str, object]) -> None:
    """Set what a player has chosen, by column: language, mutes_phrases, mails_turns."""
    if chosen:
        Player.objects.filter(pk=player_id).update(**chosen)


def house_player(bot: str, called: str | None = None) -> Player:
    """The player behind a built-in bot, made when it is first needed. Raises `BadSeatsError`.

    One bot may sit under several names, so that a competition can have more house entries than
    there are bots; `called` is the name, the bot's own without it.
    """
    if bot not in HOUSE:
        raise BadSeatsError(f"There is no house bot “{bot}”.", house_bots=sorted(HOUSE))
    player, _ = Player.objects.get_or_create(
        kind=Player.Kind.HOUSE,
        name_key=f"house:{called or bot}",
        defaults={"name": called or bot, "agent_ref": f"house:{bot}"},
    )
    return player
