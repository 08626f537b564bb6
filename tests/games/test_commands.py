"""`manage.py trace` and `manage.py verify` as programs: bytes in, lines out, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

from tests.games.engine.test_trace import RECORD
from tests.games.engine.test_verify import proof_of

ROOT = Path(__file__).parents[2]


def run(*args: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "manage.py", *args]
    return subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=False)


def lines(told: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    assert told.stderr == b""
    return [json.loads(line) for line in told.stdout.decode("ascii").split("\n") if line]


def test_a_lone_surrogate_is_traced_like_any_text() -> None:
    record = json.dumps(RECORD | {"actions": ["\ud800"], "tags": "\udfff"})
    told = lines(run("trace", given=record.encode()))
    assert told[1] == {"ply": 0, "action": "\ud800", "error": "malformed_action"}


def test_text_that_is_no_utf8_spoils_its_line_alone() -> None:
    good = json.dumps(RECORD).encode()
    told = lines(run("trace", given=b'"\xff"\n' + good + b"\n"))
    assert [line.get("detail") for line in told] == ["json", None, None]


def test_only_a_line_feed_ends_a_line() -> None:
    good = json.dumps(RECORD).encode()
    told = lines(run("trace", "--verify", given=good + b"\r\n" + good + b"\r"))
    assert [line["ok"] for line in told] == [True, True]
    one = lines(run("trace", given=good + b"\r" + good))
    assert one == [{"error": "malformed_record", "detail": "json"}]


def test_a_reader_that_has_enough_may_leave(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text((json.dumps(RECORD) + "\n") * 3000)
    command = [sys.executable, "manage.py", "trace", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as p:
        assert p.stdout is not None
        assert p.stderr is not None
        p.stdout.readline()
        p.stdout.close()
        assert p.stderr.read() == b""
    assert p.returncode == 0


def test_a_bad_verdict_is_the_last_line_and_the_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "proofs.jsonl"
    proof = proof_of()
    file.write_text("\n".join(map(json.dumps, (proof, proof | {"head": "00" * 32}, proof))))
    for command in ("verify",), ("trace", "--verify"):
        told = run(*command, str(file))
        assert [line["ok"] for line in lines(told)] == [True, False]
        assert told.returncode == 1
    assert run("verify", given=json.dumps(proof).encode()).returncode == 0


def test_a_file_that_is_not_there_is_told_in_one_line() -> None:
    told = run("verify", "nowhere.jsonl")
    assert told.returncode == 1
    assert told.stderr.decode().count("\n") == 1
