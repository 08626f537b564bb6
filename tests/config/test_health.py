"""Whether a process is ready, what `doctor` says, and that nothing serves without a key."""

import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from config.env import BASE_DIR
from config.kit import wake
from config.tasks import SWEEP

pytestmark = pytest.mark.django_db(transaction=True)


def _ready() -> dict[str, object]:
    answer = Client().get("/readyz")
    assert answer.status_code == 200
    told: dict[str, object] = answer.json()
    return told


def test_a_sweep_that_never_ran_is_told_and_is_no_outage() -> None:
    told = _ready()
    assert told["status"] == "degraded"
    assert told["sweep_age_s"] is None


def test_a_sweep_just_now_is_well() -> None:
    wake.note(SWEEP)
    told = _ready()
    assert told["checks"] == {"database": "ok", "broker": "ok", "sweep": "ok"}
    assert told["status"] == "ok"


def test_doctor_names_what_is_ill_and_what_to_do() -> None:
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("doctor", stdout=out)
    told = out.getvalue()
    assert "ok  database: PostgreSQL" in told
    assert "ok  migrations: all applied" in told
    assert "!!  sweep: never ran\n      Start a worker with beat." in told


def _served_without_a_key(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [("-c", "import config.asgi"), ("-m", "celery", "-A", "config.celery", "worker")],
)
def test_nothing_serves_without_a_secret_key(command: tuple[str, ...]) -> None:
    done = _served_without_a_key(*command)
    assert done.returncode != 0
    assert "SECRET_KEY is not set" in done.stderr + done.stdout


def test_a_command_that_only_checks_needs_no_key() -> None:
    assert _served_without_a_key("manage.py", "trace", "--help").returncode == 0
