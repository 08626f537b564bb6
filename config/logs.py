"""Logs of every process: one line an event, plain tracebacks, nothing hidden in them.

Owns how a record is written; what is worth one is said where it happens. Local variables and what
a database quotes of its rows may be secrets or hidden cards, so neither is ever written.
"""

from __future__ import annotations

import io
import re
from typing import Any, Final, TextIO

import structlog
from structlog.typing import ExcInfo

# What PostgreSQL adds to a message may quote whole rows; it ends where the traceback goes on.
_QUOTED: Final = re.compile(
    r"^(?:LINE \d+|DETAIL|CONTEXT|QUERY):.*?(?=^(?:During handling|The above exception)|\Z)",
    re.MULTILINE | re.DOTALL,
)


def configured(log_format: str) -> dict[str, Any]:
    """Django's `LOGGING` for "console" or "json"; sends structlog's events the same way."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper("iso"),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "console": _formatter(
                structlog.dev.ConsoleRenderer(colors=False, exception_formatter=traceback)
            ),
            "json": _formatter(
                structlog.processors.ExceptionRenderer(_text), structlog.processors.JSONRenderer()
            ),
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": log_format}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            "django.request": {"level": "ERROR"},
            # A stranger's bad request is answered with 400; it is no event of ours.
            "django.security": {"level": "CRITICAL"},
        },
    }


def traceback(out: TextIO, exc_info: ExcInfo) -> None:
    """Write an exception with its causes, and without what it quotes."""
    whole = io.StringIO()
    structlog.dev.plain_traceback(whole, exc_info)
    out.write(_QUOTED.sub("", whole.getvalue()))


def _text(exc_info: ExcInfo) -> str:
    text = io.StringIO()
    traceback(text, exc_info)
    return text.getvalue()


def _formatter(*renderers: Any) -> dict[str, Any]:
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper("iso"),
        ],
        "processors": [remove, *renderers],
    }
