"""What is written to the log of every process, and what never is."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from config import logs


@pytest.fixture(params=["console", "json"])
def written(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """The root logger set up as in a process; gives what it wrote."""
    out = io.StringIO()
    config = logs.configured(request.param)
    handler = logging.StreamHandler(out)
    made: Any = config["formatters"][request.param]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(**{k: v for k, v in made.items() if k != "()"})
    )
    root, before = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield out.getvalue
    root.removeHandler(handler)
    root.setLevel(before)


def test_an_exception_is_told_without_local_variables(written: Callable[[], str]) -> None:
    server_seed = "5eed" * 16  # what a traceback with locals would show
    try:
        raise ValueError("it went wrong", len(server_seed))
    except ValueError:
        structlog.get_logger("there").exception("failed", game="a")
    text = written()
    assert "ValueError" in text
    assert "it went wrong" in text
    assert server_seed not in text


@pytest.mark.django_db
def test_rows_that_the_database_quotes_are_left_out(written: Callable[[], str]) -> None:
    statement = 'SELECT jsonb \'{"seed": "5eed5eed", "half": "\\udc00"}\''
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError:
        logging.getLogger("elsewhere").exception("it failed")
    text = written()
    assert "DataError" in text
    assert "invalid input syntax" in text
    assert "5eed" not in text


def test_an_event_is_one_line_whatever_its_values_are(written: Callable[[], str]) -> None:
    structlog.get_logger().warning("named", name="a\nb\x1b[31m")
    (line,) = written().splitlines()
    assert "\x1b" not in line


def test_json_has_level_event_and_values() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    made = logs.configured("json")["formatters"]["json"]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(**{k: v for k, v in made.items() if k != "()"})
    )
    logger = logging.getLogger("one")
    logger.addHandler(handler)
    structlog.get_logger("one").warning("wake_failed", task="t")
    logger.removeHandler(handler)
    told = json.loads(out.getvalue())
    assert (told["event"], told["level"], told["task"]) == ("wake_failed", "warning", "t")


def test_the_settings_set_it_up() -> None:
    assert structlog.is_configured()
    assert settings.LOGGING["formatters"]["console"]["()"] is structlog.stdlib.ProcessorFormatter
