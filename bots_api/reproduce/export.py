"""Writes the test of one fault: the program in `case.py` with the fault's own request in it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from bots_api.models import Fault

_PROGRAM: Final = Path(__file__).with_name("case.py")
_MARK: Final = "CASE: dict[str, Any] = {}"
# Evidence that says what came then, for the reader of the file.
_SHOWN: Final = ("detail", "code", "action", "status", "body", "frozen", "version")


def test_file(fault: Fault, url: str) -> str:
    """The file; `url` is where it asks unless told otherwise, "" for a bot that connects out."""
    case = json.dumps(_case(fault, url))
    return _program().replace(_MARK, f"CASE: dict[str, Any] = json.loads(\n    {case!r}\n)")


def _case(fault: Fault, url: str) -> dict[str, Any]:
    asked = fault.evidence.get("asked")
    return {
        "fault": fault.pk,
        "kind": fault.kind,
        "url": url,
        "message": asked if isinstance(asked, dict) else None,
        "then": {key: fault.evidence[key] for key in _SHOWN if key in fault.evidence},
    }


@cache
def _program() -> str:
    program = _PROGRAM.read_text()
    assert _MARK in program
    return program
