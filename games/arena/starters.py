"""`new python|js|go|sh DIR`: a bot that plays at once, with what it needs beside it.

The files are the examples that the service serves; in `housu.pyz` they are packed at the same
paths as here.
"""

import string
from importlib.abc import ResourceLoader
from pathlib import Path
from typing import Final, NamedTuple, cast

_ROOT: Final = Path(__file__).parents[2]
_EXAMPLES: Final = "bots_api/examples"


class BadFolderError(Exception):
    """A folder that a bot can't be laid out in; says why."""


class Starter(NamedTuple):
    """The files by the names they get, how it is made ready and started, what it needs."""

    files: dict[str, str]
    needs: str
    command: str
    build: str = ""
    main: str = "bot.py"


STARTERS: Final = {
    "python": Starter(
        {
            "bot.py": f"{_EXAMPLES}/python/lowest_bot.py",
            "housubot.py": "bots_api/sdk/housubot.py",
        },
        needs="Python 3.9 or newer",
        command="python3 bot.py",
    ),
    "js": Starter(
        {name: f"{_EXAMPLES}/js/{name}" for name in ("bot.mjs", "housu.mjs")},
        needs="Node.js 18 or newer",
        command="node bot.mjs",
        main="bot.mjs",
    ),
    "go": Starter(
        {name: f"{_EXAMPLES}/go/{name}" for name in ("bot.go", "housu.go", "pull.go", "go.mod")},
        needs="Go 1.21 or newer",
        command="./bot",
        build="go build -o bot .",
        main="bot.go",
    ),
    "sh": Starter(
        {"bot.sh": f"{_EXAMPLES}/sh/bot.sh"},
        needs="a POSIX shell, jq, and curl to connect",
        command="./bot.sh",
        main="bot.sh",
    ),
}

_README: Final = string.Template("""\
# A bot for Housuliiga

$main chooses; change it. Needs $needs.

Play against house bots on this machine (`housu.pyz` is at `$$SERVICE/sdk/housu.pyz`):

    $build_line$python housu.pyz arena "$command --stdio" house:lowest house:cautious --games 100

Ask it what the service's check asks:

    $python housu.pyz check "$command --stdio"
$online
Give it a new version whenever it plays differently. What it is asked, its clock, and what happens
when something fails: `$$SERVICE/sdk/bots.md`.
""")
_ONLINE: Final = string.Template("""
Play for the service ($$SERVICE), with no address of its own: make yourself a player, which gives
you $$TOKEN; register the bot to connect out; start it with the token that the answer shows.

    curl -s "$$SERVICE/api/v1/players" -H 'Content-Type: application/json' -d '{"name": "Aino"}'
    curl -s "$$SERVICE/api/v1/bots" -H 'Content-Type: application/json' \\
      -H "Authorization: Bearer $$TOKEN" -d '{"name": "Robo", "transport": "pull"}'
    HOUSUBOT_TOKEN=hlb_... $command --pull "$$SERVICE"
""")


def lay_out(language: str, folder: Path) -> list[str]:
    """Write a starter; the names of its files. Raises `BadFolderError`."""
    starter = STARTERS[language]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadFolderError(f"{folder}: there is something in it already")
        for name, source in starter.files.items():
            (folder / name).write_bytes(read(source))
            (folder / name).chmod(0o755 if name == starter.main else 0o644)
        (folder / "README.md").write_text(readme(starter), encoding="utf-8")
    except OSError as error:
        raise BadFolderError(f"{folder}: {error.strerror}") from None
    return [*starter.files, "README.md"]


def readme(starter: Starter) -> str:
    """What to do with it."""
    words = {"command": starter.command, "main": starter.main, "python": "python3"}
    online = _ONLINE.substitute(words)
    build = f"{starter.build}\n    " if starter.build else ""
    return _README.substitute(words, needs=starter.needs, online=online, build_line=build)


def first_try(starter: Starter, folder: Path) -> str:
    """The command line that shows it playing."""
    ready = f"{starter.build} && " if starter.build else ""
    return (
        f'cd {folder} && {ready}python3 housu.pyz arena "{starter.command} --stdio" house:lowest '
        "--games 100"
    )


def read(path: str) -> bytes:
    """A file of the project, from a checkout or out of the archive that this runs from."""
    assert __spec__ is not None
    loader = cast(ResourceLoader, __spec__.loader)
    return loader.get_data(str(_ROOT / path))
