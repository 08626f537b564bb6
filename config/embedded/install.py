"""Make `.venv` from a lock file: with uv from the package index, or with plain pip.

Runs before anything is installed, as `python3 -I config/embedded/install.py [dev]` from the
project's folder, so it knows the standard library alone.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

UV_VERSION = "0.13.9"
OLDEST_PYTHON = (3, 11)
LOCKS = {"run": Path("requirements.lock"), "dev": Path("requirements-dev.lock")}
VENV, TOOLS = Path(".venv"), Path(".uv")
PYTHON, UV = VENV / "bin" / "python", TOOLS / "bin" / "uv"


def main() -> int:
    """Install what is asked for unless the same lock is in place; the development lock has all."""
    wanted = "dev" if "dev" in sys.argv[1:] or _stamp("dev").exists() else "run"
    if any(_in_place(kind) for kind in {wanted, "dev"}):
        return 0
    _say(f"Installing {LOCKS[wanted]} into {VENV} with Python {sys.version.split()[0]}.")
    try:
        _install(wanted)
    except subprocess.CalledProcessError as failed:
        _say(f"The installation failed (exit {failed.returncode}): see the lines above.")
        return 1
    _stamp(wanted).write_text(fingerprint(wanted))
    return 0


def fingerprint(kind: str) -> str:
    """Return what a stamp holds: it no longer fits when the lock, Python or folder changes."""
    told = [LOCKS[kind].read_bytes(), sys.version.encode(), os.fsencode(VENV.resolve())]
    return hashlib.sha256(b"\0".join(told)).hexdigest()


def _install(kind: str) -> None:
    for old in LOCKS:
        _stamp(old).unlink(missing_ok=True)
    if _have_uv():
        _install_with_uv(LOCKS[kind])
    else:
        _install_with_pip(LOCKS[kind])


def _have_uv() -> bool:
    if not _uv_answers():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade"]
        environment = {"PIP_ROOT_USER_ACTION": "ignore"} | os.environ
        # A target folder needs neither a virtual environment nor a Python that lets itself change.
        pip += ["--target", str(TOOLS), f"uv=={UV_VERSION}"]
        subprocess.run(pip, env=environment, check=False)
    return _uv_answers()


def _uv_answers() -> bool:
    try:
        said = subprocess.run([UV, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return said.stdout.split()[1:2] == [UV_VERSION]


def _install_with_uv(lock: Path) -> None:
    environment = os.environ | {"UV_COMPILE_BYTECODE": "1"}
    if _cache_is_closed():
        environment.setdefault("UV_CACHE_DIR", str((TOOLS / "cache").resolve()))
    uv = [str(UV.resolve())]
    if not _right_python():
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run(
            [*uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(VENV)],
            env=environment,
            check=True,
        )
    subprocess.run(
        [*uv, "pip", "install", "--python", PYTHON, "--require-hashes", "-r", str(lock)],
        env=environment,
        check=True,
    )


def _install_with_pip(lock: Path) -> None:
    _say("uv can't be had here; going on with venv and pip, which is slower.")
    if not _right_python():
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    subprocess.run([PYTHON, "-m", "ensurepip", "--default-pip"], check=True, capture_output=True)
    subprocess.run(
        [PYTHON, "-m", "pip", "install", "--require-hashes", "-r", str(lock)], check=True
    )


def _right_python() -> bool:
    """Say whether `.venv` is whole and has the Python that runs this."""
    ask = [str(PYTHON), "-c", "import sys; print(sys.version)"]
    try:
        said = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return said.strip() == sys.version


def _cache_is_closed() -> bool:
    """Say whether uv's usual cache, below the home, can't be written."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "uv"
    try:
        usual.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=usual):
            return False
    except OSError:
        return True


def _stamp(kind: str) -> Path:
    return VENV / f".installed-{kind}"


def _in_place(kind: str) -> bool:
    try:
        return _stamp(kind).read_text() == fingerprint(kind) and PYTHON.exists()
    except OSError:
        return False


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
