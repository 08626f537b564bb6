"""Whether this process lives, and whether it can serve: the database decides, the rest is told."""

from __future__ import annotations

from typing import Any, Final

import structlog
from celery import current_app
from django.db import DatabaseError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.kit.request_id import request_id_of
from config.kit.wake import age_s
from config.kit.wire import dumps
from config.problems import MEDIA_TYPE, TABLE, problem
from config.tasks import SWEEP

BROKER_SECONDS: Final = 1
SWEEP_LATE_S: Final = 30
"""The sweep runs every two seconds; so late nothing overdue is found by itself."""

log = structlog.get_logger(__name__)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """`/healthz`: the process answers."""
    return HttpResponse(dumps({"status": "ok"}), content_type="application/json")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """`/readyz`: 200 while the database answers; a broker that is out is `degraded`."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        log.error("database_unavailable", error=str(error))
        row = TABLE[OperationalError]
        body = problem(row, "database_unavailable", row.title + ".", request_id_of(request), {})
        return HttpResponse(dumps(body), content_type=MEDIA_TYPE, status=503)
    broker, swept = _broker(), age_s(SWEEP)
    late = swept is None or swept > SWEEP_LATE_S
    wire: dict[str, Any] = {
        "status": "ok" if broker and not late else "degraded",
        "checks": {
            "database": "ok",
            "broker": "ok" if broker else "out",
            "sweep": "late" if late else "ok",
        },
        "sweep_age_s": None if swept is None else round(swept, 1),
    }
    return HttpResponse(dumps(wire), content_type="application/json")


def _broker() -> bool:
    """Whether the broker takes a connection; it only wakes, so its loss is no outage."""
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_SECONDS) as broker:
            # A broker that hangs takes connections and answers nothing.
            broker.transport_options = {
                **(broker.transport_options or {}),
                "socket_timeout": BROKER_SECONDS,
                "socket_connect_timeout": BROKER_SECONDS,
            }
            broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    except Exception:  # whatever its transport raises: it is out
        return False
    return True
