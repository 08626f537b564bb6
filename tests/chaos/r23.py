"""R23: no outgoing call reaches a listener inside, however its URL, name or redirect is made up."""

from __future__ import annotations

import asyncio

from tests.chaos import Proof
from tests.chaos.ssrf import NAMES, URLS, look

GOAL = "no packet reaches a private listener"


def prove(port: int) -> Proof:
    """The whole table; `port` is not asked: the service is the caller here."""
    found = asyncio.run(look())
    figure = (
        f"{len(URLS)} URLs under 2 allowances, {len(NAMES)} names {found.names} times from a name "
        f"server that turns, {found.redirects} redirects: {found.reached} connections to the "
        f"listener, {len(found.wrong)} calls not refused"
    )
    return Proof(figure, GOAL, not found.reached and not found.wrong)
