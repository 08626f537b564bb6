"""Clients generated from the OpenAPI document compile, and each plays a whole game."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.describe import schema
from config.kit.wire import dumps
from games.models import Game
from tests.clients import packages
from tests.web_server import serving

pytestmark = pytest.mark.django_db(transaction=True)

HERE = Path(__file__).parent
# What these generators know no type for: lines of JSON, which programs read by themselves.
UNKNOWN_TO_PYTHON = {"application/x-ndjson"}


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(dumps(schema()))
    return path


def played(argv: list[object], folder: Path) -> None:
    """Run a program that plays, and look at its game."""
    with serving() as address:
        out = run([*argv, address], folder)
    told = json.loads(out.strip().splitlines()[-1])
    row = Game.objects.get(pk=told["id"])
    assert (told["state"], row.state, row.places) == ("over", "over", told["places"])
    assert told["moves"] > 10


def run(argv: list[object], folder: Path) -> str:
    done = subprocess.run(
        [str(word) for word in argv],
        cwd=folder,
        env=packages.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_generated_python_client_plays_a_game(document: Path, tmp_path: Path) -> None:
    client = tmp_path / "housuliiga_client"
    tool = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    said = run([*tool, "--path", document, "--output-path", client], tmp_path)
    unknown = set(re.findall(r"Unsupported content_type ([\w/.+-]+)", re.sub(r"\n", "", said)))
    assert unknown <= UNKNOWN_TO_PYTHON
    shutil.copy(HERE / "python_play.py", tmp_path)
    run([sys.executable, "-m", "compileall", "-q", client], tmp_path)
    played([sys.executable, "-W", "ignore", "python_play.py"], tmp_path)


def test_a_generated_typescript_client_is_typed_and_plays_a_game(
    document: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(packages.installed() / "node_modules")
    for name in ("play.ts", "node.d.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "typescript" / name, tmp_path)
    modules, node = tmp_path / "node_modules", packages.node()
    generator = [node, modules / "openapi-typescript/bin/cli.js", document, "-o", "schema.d.ts"]
    # What has a default may be left out of a request.
    run([*generator, "--default-non-nullable", "false"], tmp_path)
    run([node, modules / "typescript/bin/tsc", "-p", "tsconfig.json"], tmp_path)
    played([node, "--disable-warning=ExperimentalWarning", "play.ts"], tmp_path)
