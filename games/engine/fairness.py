"""Provable deals: commitments, seeds and the chain of links over a game's actions.

Hashes only: knows neither cards nor rules, and never draws a random number.
"""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from games.engine.rules import canonical_json

_BLOCK: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
"""HMAC's pads of RFC 2104, as tables for `bytes.translate`."""


def deck_id(server_seed: bytes) -> str:
    """The public name of a deck: 32 hex digits that tell nothing of the seed."""
    return _hmac(server_seed, b"deck id")[:16].hex()


def commitment(server_seed: bytes) -> bytes:
    """What binds the server to its seed: shown as soon as the deck exists."""
    return hashlib.sha256(server_seed).digest()


def deal_seed(server_seed: bytes, deck: str, entropies: Sequence[tuple[str | int, str]]) -> bytes:
    """The seed of the shuffle, from the server's seed and (entrant id, entropy) of each seat."""
    given = [[entrant, entropy] for entrant, entropy in entropies]
    return _hmac(server_seed, canonical_json([deck, given]).encode())


def competition_seed(secret: bytes, path: str) -> bytes:
    """The server seed of a competition's deck; `path` is "round/table/deck/redeal"."""
    return _hmac(secret, path.encode())


def salt(server_seed: bytes, n: int) -> bytes:
    """The salt of link n, without which a sealed answer could be guessed from its hash."""
    return _hmac(server_seed, b"salt" + n.to_bytes(4, "big"))


def next_link(link: bytes, salt_n: bytes, seat: int, action: str, at_ms: int | None) -> bytes:
    """The link after `link`, over one action; `at_ms` counts from the start of the game."""
    return hashlib.sha256(link + salt_n + _told(seat, action, at_ms)).digest()


def chain(
    server_seed: bytes,
    actions: Sequence[tuple[int, str]],
    at_ms: Sequence[int | None] | None = None,
) -> bytes:
    """The head of the chain over all (seat, action); None for times that nobody kept.

    Of a tournament's time a quarter went here before the key was kept ready and what is said again
    and again was remembered (`manage.py bench tournament`).
    """
    times = [None] * len(actions) if at_ms is None else at_ms
    link, salted, sha256 = commitment(server_seed), _keyed(server_seed), hashlib.sha256
    for n, ((seat, action), at) in enumerate(zip(actions, times, strict=True), start=1):
        salt_n = salted(b"salt" + n.to_bytes(4, "big"))
        link = sha256(link + salt_n + _told(seat, action, at)).digest()
    return link


def _told(seat: int, action: str, at_ms: int | None) -> bytes:
    if at_ms is None:
        return _untimed(seat, action)
    return canonical_json([seat, action, at_ms]).encode()


@lru_cache(1 << 14)
def _untimed(seat: int, action: str) -> bytes:
    return canonical_json([seat, action, None]).encode()


def _keyed(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 with a key of at most a block, for many messages.

    >>> _keyed(b"key")(b"message") == _hmac(b"key", b"message")
    True
    """
    padded = key.ljust(_BLOCK, b"\0")
    inner, outer = (hashlib.sha256(padded.translate(pad)) for pad in (_INNER, _OUTER))

    def digest(message: bytes) -> bytes:
        within, without = inner.copy(), outer.copy()
        within.update(message)
        without.update(within.digest())
        return without.digest()

    return digest


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
