"""The act log: who did what to what. Ids and codes only, in the transaction of what was done."""

from typing import Any

import structlog

from config.kit.models import Act


def log(actor: str, verb: str, target: str, **data: Any) -> None:
    """Write one line; `target` is a kind and an id, `competition:7`."""
    known = structlog.contextvars.get_contextvars()
    Act.objects.create(
        actor=actor, verb=verb, target=target, data=data, request_id=known.get("request_id", "")
    )
