"""What counts as one plain JSON document."""

import pytest

from config.kit.strict import StrictJSONError, loads

GOOD = [
    (b'{"action": "P:9C"}', {"action": "P:9C"}),
    (b" [1, -2.5, true, null] \n", [1, -2.5, True, None]),
    (b"[" * 16 + b"]" * 16, eval("[" * 16 + "]" * 16)),
    (b'"\\ud83c\\udca1"', "🂡"),
    (b"9223372036854775807", 2**63 - 1),
]
BAD = [
    b"",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{\x00}\x00",
    b'{"a": "\xed\xa0\x80"}',
    b"{} {}",
    b"{}{}",
    b"{}\x00",
    b'{"action": "U", "action": "P:9x1"}',
    b'[{"a": 1, "\\u0061": 2}]',
    b"NaN",
    b"[Infinity]",
    b"-Infinity",
    b"1e999",
    b"-1e999",
    b"1" * 5000,
    b"[" * 17 + b"]" * 17,
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'"\\u0000"',
    b'{"\\u0000": 1}',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b"{'action': 'U'}",
    b'{"action": "U",}',
    b"<html></html>",
    b'{"a": 01}',
    b'"a\nb"',
]


@pytest.mark.parametrize(("data", "value"), GOOD)
def test_plain_json_is_read(data: bytes, value: object) -> None:
    assert loads(data) == value


@pytest.mark.parametrize("data", BAD)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(StrictJSONError):
        loads(data)
