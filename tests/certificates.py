"""A certificate for `bots.example.org` and the authority that signed it, made anew in each run."""

from __future__ import annotations

import ssl
from functools import cache

import trustme


@cache
def authority() -> trustme.CA:
    """Trusted by nobody who was not told to."""
    return trustme.CA()


def trust_in(context: ssl.SSLContext) -> ssl.SSLContext:
    """Make a client's context trust the authority."""
    authority().configure_trust(context)
    return context


@cache
def server_context() -> ssl.SSLContext:
    """A server's context with the certificate and its key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert("bots.example.org").configure_cert(context)
    return context
