"""A person's own tokens: made with some scopes, shown once, rotated, ended.

Bots' tokens are their owner's affair (the layer above).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Least, Now

from config.kit import acts, receipts
from games.errors import (
    NoSuchTokenError,
    NotAPersonError,
    ScopeNotHeldError,
    TokenLimitError,
)
from games.models import Player, Token
from games.services import tokens

MOST: Final = 20
# How long the old one lives beside the new one.
OVERLAP: Final = timedelta(hours=24)


class Wanted(NamedTuple):
    """What a new token shall be; `days` None: it does not expire."""

    scopes: tuple[str, ...]
    label: str = ""
    days: int | None = None


class Made(NamedTuple):
    """A token; `text` is None when the request is repeated: it was shown."""

    token: Token
    text: str | None


def live(player_id: int) -> QuerySet[Token]:
    """The tokens of a player that work, the newest first."""
    lasting = Q(expires_at=None) | Q(expires_at__gt=Now())
    return Token.objects.filter(lasting, player=player_id, revoked_at=None).order_by("-pk")


def make(
    player: Player,
    wanted: Wanted,
    held: Collection[str],
    receipt: receipts.Draft | None = None,
) -> Made:
    """Make a token that may do nothing that the asker, who holds `held`, may not.

    Raises `NotAPersonError`, `ScopeNotHeldError`, `TokenLimitError`.
    """
    _require_person(player)
    if missing := sorted(set(wanted.scopes) - set(held)):
        raise ScopeNotHeldError("A token can't give what it has not.", missing=missing)
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Made(Token.objects.get(pk=outcome["token"]), None)
        _require_room(player)
        issued = tokens.issue(player, [Token.Scope(one) for one in wanted.scopes], wanted.label)
        if wanted.days is not None:
            ends = Now() + timedelta(days=wanted.days)
            Token.objects.filter(pk=issued.token.pk).update(expires_at=ends)
            issued.token.refresh_from_db()
        return _kept(issued, "token.make", receipt)


def rotate(
    player: Player,
    token_id: int,
    held: Collection[str],
    receipt: receipts.Draft | None = None,
) -> Made:
    """A new token like this one, which ends after `OVERLAP`.

    Raises `NotAPersonError`, `NoSuchTokenError`, `ScopeNotHeldError`.
    """
    _require_person(player)
    with transaction.atomic(durable=True):
        outcome = receipts.repeated(receipt)
        if outcome is not None:
            return Made(Token.objects.get(pk=outcome["token"]), None)
        old = live(player.pk).select_for_update().filter(pk=token_id).first()
        if old is None:
            raise NoSuchTokenError("You have no such live token.")
        if missing := sorted(set(old.scopes) - set(held)):
            raise ScopeNotHeldError("A token can't give what it has not.", missing=missing)
        _require_room(player)
        scopes = [Token.Scope(one) for one in old.scopes]
        issued = tokens.issue(player, scopes, old.label, old.expires_at)
        Token.objects.filter(pk=old.pk).update(expires_at=Least("expires_at", Now() + OVERLAP))
        transaction.on_commit(tokens.forget)
        return _kept(issued, "token.rotate", receipt)


def end(player: Player, token_id: int) -> None:
    """End a token at once. Raises `NoSuchTokenError`."""
    with transaction.atomic(durable=True):
        if not live(player.pk).filter(pk=token_id).update(revoked_at=Now()):
            raise NoSuchTokenError("You have no such live token.")
        acts.log(f"player:{player.pk}", "token.end", f"token:{token_id}")
        transaction.on_commit(tokens.forget)


def _kept(issued: tokens.Issued, verb: str, receipt: receipts.Draft | None) -> Made:
    token = issued.token
    acts.log(f"player:{token.player_id}", verb, f"token:{token.pk}", scopes=token.scopes)
    receipts.keep(receipt, {"token": token.pk})
    return Made(token, issued.text)


def _require_person(player: Player) -> None:
    if player.kind not in (Player.Kind.PERSON, Player.Kind.GUEST):
        raise NotAPersonError("A bot's tokens are made by its owner.")


def _require_room(player: Player) -> None:
    """Two who make their last one at once may have one more; it is no lock worth."""
    if live(player.pk).count() >= MOST:
        raise TokenLimitError("You have as many live tokens as one may have.", most=MOST)
