"""Our own PostgreSQL meets what real folders hold: half-made, old, killed, deep, with blanks."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from config.embedded import keeping
from config.embedded.account import server_account
from config.embedded.errors import EmbeddedError
from config.embedded.services import services

# Commits one row, tells all its children's ids, then waits to be killed.
WRITER = (
    "import pathlib, psycopg, sys, time\n"
    "from config.embedded.services import services\n"
    "with services(pathlib.Path(sys.argv[1]), durable=True) as environment:\n"
    "    with psycopg.connect(environment['DATABASE_URL']) as connection:\n"
    "        connection.execute('CREATE TABLE IF NOT EXISTS kept (n int)')\n"
    "        connection.execute('INSERT INTO kept VALUES (1)')\n"
    "    print('committed', flush=True)\n"
    "    time.sleep(600)\n"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A state directory in a deep folder with blanks, whose data is made."""
    deep = tmp_path_factory.mktemp("a deep one") / ("folder" * 20) / "var"
    with services(deep, durable=True) as environment:
        assert rows(environment["DATABASE_URL"], "SELECT 1") == [(1,)]
    yield deep


def rows(url: str, statement: str) -> list[tuple[object, ...]]:
    with closing(psycopg.connect(url)) as connection:
        return connection.execute(statement).fetchall()


def server_process(state_dir: Path) -> int:
    return int((state_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def test_it_is_reached_by_its_socket_and_password_alone(made: Path) -> None:
    with services(made, durable=True) as environment:
        url = environment["DATABASE_URL"]
        asked = "SELECT current_setting('listen_addresses'), current_setting('fsync')"
        assert rows(url, asked) == [("", "on")]
        password = url.split(":")[2].split("@")[0]
        with pytest.raises(psycopg.OperationalError, match="password"):
            rows(url.replace(password, "guess"), "SELECT 1")
        rules = "SELECT DISTINCT auth_method FROM pg_hba_file_rules"
        assert rows(url, rules) == [("scram-sha-256",)]


def test_it_never_runs_as_root(made: Path) -> None:
    account = server_account()
    with services(made):
        owner = Path(f"/proc/{server_process(made)}").stat().st_uid
    assert owner == (account.uid if account else os.geteuid()) != 0


def test_a_second_run_on_the_same_folder_is_refused(made: Path) -> None:
    with services(made), pytest.raises(EmbeddedError, match="already running"), services(made):
        pass


def test_what_was_committed_outlives_a_kill_of_everything(made: Path) -> None:
    argv = [sys.executable, "-c", WRITER, str(made)]
    for _ in range(2):
        # A session of its own: the kill reaches the whole family at once, as a crash would.
        with subprocess.Popen(argv, stdout=subprocess.PIPE, start_new_session=True) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == b"committed\n"
            os.kill(server_process(made), signal.SIGKILL)
            writer.kill()
    with services(made) as environment:
        assert rows(environment["DATABASE_URL"], "SELECT count(*) FROM kept") == [(2,)]


def test_a_lock_file_whose_process_is_now_another_program_stops_nothing(made: Path) -> None:
    stale = made / "postgres" / "postmaster.pid"
    with subprocess.Popen(["sleep", "600"]) as stranger:
        stale.write_text(f"{stranger.pid}\n{made / 'postgres'}\n1\n5432\n\n\n")
        if account := server_account():
            os.chown(stale, account.uid, account.gid)
        with services(made) as environment:
            assert rows(environment["DATABASE_URL"], "SELECT 1") == [(1,)]
        stranger.kill()


def test_a_lost_password_file_is_explained(made: Path) -> None:
    kept = (made / "postgres.password").rename(made / "aside")
    with pytest.raises(EmbeddedError, match=r"postgres\.password"), services(made):
        pass
    kept.rename(made / "postgres.password")


def test_data_of_another_version_is_explained_and_left_alone(made: Path) -> None:
    version = made / "postgres" / "PG_VERSION"
    right = version.read_text()
    version.write_text("12\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 12.*POSTGRES_BIN"), services(made):
        pass
    version.write_text(right)
    with services(made) as environment:
        assert rows(environment["DATABASE_URL"], "SELECT 1") == [(1,)]


def test_half_made_data_is_set_aside_and_made_anew(tmp_path: Path) -> None:
    (tmp_path / "postgres" / "base").mkdir(parents=True)
    (tmp_path / "postgres" / "PG_VERSION").write_text("18\n")
    (tmp_path / "postgres.making").mkdir()
    with services(tmp_path) as environment:
        assert rows(environment["DATABASE_URL"], "SELECT 1") == [(1,)]
    (aside,) = tmp_path.glob("postgres.half-made-*")
    assert (aside / "PG_VERSION").exists()
    assert not (tmp_path / "postgres.making").exists()


def test_the_folder_of_a_killed_run_is_removed_by_the_next(made: Path) -> None:
    argv = [sys.executable, "-c", WRITER, str(made)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        left = Path((made / "runtime").read_text().strip())
        writer.kill()
    assert left.is_dir()
    with services(made):
        assert not left.exists()
    assert not (made / "runtime").exists()


def test_the_environment_points_at_these_services_and_nothing_else(made: Path) -> None:
    with services(made) as environment:
        assert environment["STATE_DIR"] == str(made.resolve())
        assert environment["SECRET_KEY"] == keeping.secret(made / "secret_key")
        assert environment["DATABASE_URL"] != os.environ["DATABASE_URL"]
        assert environment["CELERY_BROKER_URL"] != os.environ["CELERY_BROKER_URL"]
