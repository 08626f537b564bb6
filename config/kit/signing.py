"""Signing secrets: made, kept sealed, opened, and put on calls (Standard Webhooks).

A secret is derived from the site's key and a random seal, and only the seal is stored: the
database alone gives no secret away, and no cipher is needed. Owns no rows.
"""

from __future__ import annotations

import base64
import hmac
import os
import time
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

# Seals that are stored were made with this salt: it names a purpose, not a place.
_SALT = "bots_api.protocol.signing"
_RANDOM, _MARK = 24, 8


class SecretLostError(Exception):
    """A sealed secret that none of the site's keys opens: SECRET_KEY was changed."""


def new_seal() -> bytes:
    """A new seal under the site's present key: random, and a mark that tells the key."""
    nonce = os.urandom(_RANDOM)
    return nonce + _mark(settings.SECRET_KEY, nonce)


def secret_of(seal: bytes) -> str:
    """The secret `whsec_...` of a seal; raises `SecretLostError` if no key of the site fits."""
    nonce, mark = seal[:_RANDOM], seal[_RANDOM:]
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        if hmac.compare_digest(_mark(key, nonce), mark):
            return "whsec_" + base64.b64encode(_derived(key, b"secret", nonce)).decode()
    raise SecretLostError


def signed(secrets: Iterable[str], message_id: str, body: bytes) -> dict[str, str]:
    """The headers of a call with this body, a signature for each live secret."""
    stamp = str(int(time.time()))
    content = f"{message_id}.{stamp}.".encode() + body
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join([_signature(secret, content) for secret in secrets]),
    }


def _signature(secret: str, content: bytes) -> str:
    digest = hmac.digest(_key(secret), content, "sha256")
    return "v1," + base64.b64encode(digest).decode()


@lru_cache(maxsize=4096)
def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix("whsec_"))


def _mark(key: str | bytes, nonce: bytes) -> bytes:
    return _derived(key, b"mark", nonce)[:_MARK]


def _derived(key: str | bytes, purpose: bytes, nonce: bytes) -> bytes:
    return salted_hmac(_SALT, purpose + nonce, secret=key, algorithm="sha256").digest()
