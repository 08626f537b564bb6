"""The one log: what is shown, how, and what is spared."""

import io

import pytest

from config.embedded.console import Console


def relayed(name: str, raw: str) -> str:
    out = io.StringIO()
    Console(out).relay(name, raw)
    return out.getvalue()


def test_a_line_has_the_time_the_name_and_the_text() -> None:
    time, name, text = relayed("web", "hello there\n").split(maxsplit=2)
    assert time.count(":") == 2
    assert (name, text) == ("web", "hello there\n")


def test_control_characters_are_shown_not_obeyed() -> None:
    assert "name \\x00\\x08\\x9b31m" in relayed("web", "name \x00\x08\x9b31m")
    assert "\x1b" not in relayed("web", "a \x1b[31mred\x1b[0m word")


def test_a_structured_line_becomes_a_sentence() -> None:
    said = '{"event": "task failed", "level": "error", "timestamp": "x", "task": "sweep"}'
    assert relayed("worker", said).endswith("error task failed task=sweep\n")


@pytest.mark.parametrize("line", ['{"level": "info"}', "{not json", '["event"]'])
def test_what_only_looks_structured_is_left_as_it_is(line: str) -> None:
    assert relayed("worker", line).endswith(line + "\n")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("postgres", "LOG:  database system is ready to accept connections"),
        ("postgres", "DETAIL:  Key (token)=(abc) already exists."),
        ("valkey", "1:M # WARNING Memory overcommit must be enabled!"),
        ("worker", ""),
    ],
)
def test_what_every_start_says_is_spared(name: str, line: str) -> None:
    assert relayed(name, line) == ""


def test_trouble_is_not_spared() -> None:
    line = "LOG:  database system was not properly shut down; automatic recovery in progress"
    assert relayed("postgres", line).endswith(line + "\n")


def test_a_terminal_that_is_gone_stops_nothing() -> None:
    out = io.StringIO()
    console = Console(out)
    out.close()
    console.say("web", "anybody there?")
    console.say("web", "still going")
