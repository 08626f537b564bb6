"""Tokens: made, shown once, kept as a hash, found again.

`hlp_` for people, `hlb_` for bots, 40 random characters, 6 of checksum: a mistyped token is told
from a wrong one without the database, and scanners find a leaked one.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from games.errors import BadTokenError
from games.models import Player, Token

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM, CHECKSUM = 40, 6
PREFIX = {Player.Kind.BOT: "hlb_"}
USED_EVERY = timedelta(minutes=1)
HELD_S = 5.0
MOST_HELD = 10_000


class _Known(NamedTuple):
    token: Token
    until: float


class _Held:
    """The tokens found last in this process, by hash."""

    now: dict[bytes, _Known] = {}  # noqa: RUF012 - replaced as a whole by `forget`


_held = _Held()


class Issued(NamedTuple):
    """A new token; `text` is never to be had again."""

    text: str
    token: Token


def issue(
    player: Player,
    scopes: Sequence[Token.Scope],
    label: str = "",
    expires_at: datetime | None = None,
) -> Issued:
    """Make a token for a player, in the caller's transaction."""
    prefix = PREFIX.get(Player.Kind(player.kind), "hlp_")
    body = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM))
    text = prefix + body + checksum(prefix + body)
    token = Token.objects.create(
        player=player,
        digest=digest(text),
        hint=text[:8],
        scopes=[scope.value for scope in scopes],
        label=label,
        expires_at=expires_at,
    )
    return Issued(text, token)


def find(text: str) -> Token:
    """The live token of this text, its player along; not to be changed. Raises `BadTokenError`.

    One that was found is held for `HELD_S`: revoked in another process it lives so much longer.
    """
    if not well_formed(text):
        raise BadTokenError("The token is mistyped or cut off.")
    # If tokens are revoked while we read, what we read goes into what has been let go of.
    held, key = _held.now, digest(text)
    known = held.get(key)
    if known is not None and _fresh(known):
        return known.token
    live = Token.objects.filter(Q(expires_at=None) | Q(expires_at__gt=Now()), revoked_at=None)
    token = live.filter(digest=key).select_related("player").first()
    if token is None:
        raise BadTokenError("The token is unknown, expired or revoked.")
    _note_use(token)
    if len(held) >= MOST_HELD:
        held.clear()
    held[key] = _Known(token, monotonic() + HELD_S)
    return token


def forget() -> None:
    """Look every token up anew: some were revoked. For `transaction.on_commit`."""
    _held.now = {}


def revoke(token_id: int, player_id: int) -> bool:
    """End a player's token; False if there was none to end."""
    with transaction.atomic(durable=True):
        mine = Token.objects.filter(pk=token_id, player=player_id, revoked_at=None)
        transaction.on_commit(forget)
        return bool(mine.update(revoked_at=Now()))


def well_formed(text: str) -> bool:
    """Whether prefix, length and checksum fit."""
    body, check = text[:-CHECKSUM], text[-CHECKSUM:]
    right = text[:4] in ("hlp_", "hlb_") and len(text) == 4 + RANDOM + CHECKSUM
    return right and text.isascii() and secrets.compare_digest(check, checksum(body))


def checksum(text: str) -> str:
    """CRC-32 of the rest in base 62.

    >>> checksum("hlp_") != checksum("hlb_")
    True
    """
    value, digits = zlib.crc32(text.encode()), ""
    for _ in range(CHECKSUM):
        value, digit = divmod(value, len(ALPHABET))
        digits += ALPHABET[digit]
    return digits


def digest(text: str) -> bytes:
    """What is kept: the token is long and random, so one SHA-256 is enough."""
    return hashlib.sha256(text.encode()).digest()


def _fresh(known: _Known) -> bool:
    ends = known.token.expires_at
    return monotonic() < known.until and (ends is None or datetime.now(ends.tzinfo) < ends)


def _note_use(token: Token) -> None:
    """Once a minute at most: a write for every request would cost more than it tells."""
    stale = Q(last_used_at=None) | Q(last_used_at__lt=Now() - USED_EVERY)
    if token.last_used_at is None or _older(token.last_used_at):
        Token.objects.filter(stale, pk=token.pk).update(last_used_at=Now())


def _older(moment: datetime) -> bool:
    return datetime.now(moment.tzinfo) - moment > USED_EVERY
