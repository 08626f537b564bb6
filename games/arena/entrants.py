"""Who enters: `house:NAME`, with settings behind a `?`, a URL, or a command line for stdio."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.players import HOUSE, Agent, house_agent

_URL: Final = ("http://", "https://")
_HOUSE: Final = "house:"


class UnknownEntrantError(Exception):
    """An entrant that the arena can't seat; says why."""


@dataclass(frozen=True)
class Entrant:
    """One competitor, by the name it was entered under."""

    name: str

    @property
    def command(self) -> list[str] | None:
        """The command line to start; None for a house bot and for a URL."""
        return None if self.name.startswith((_HOUSE, *_URL)) else shlex.split(self.name)

    @property
    def url(self) -> str | None:
        """Where it is called."""
        return self.name if self.name.startswith(_URL) else None

    def agent(self) -> Agent:
        """The house bot."""
        return house_agent(self.name.removeprefix(_HOUSE))


def entrant(text: str) -> Entrant:
    """Read one entrant. Raises `UnknownEntrantError`."""
    if text.partition("?")[0] in HOUSE:
        raise UnknownEntrantError(f"{text}: did you mean {_HOUSE}{text}?")
    found = Entrant(text)
    try:
        if text.startswith(_HOUSE):
            found.agent()
        elif found.command == []:
            raise UnknownEntrantError("an empty command line")
    except (KeyError, ValueError) as error:
        raise UnknownEntrantError(f"{text}: {error.args[0]}") from None
    return found


def entrants(texts: Sequence[str]) -> list[Entrant]:
    """Read all entrants, each named once: it takes as many seats as there are."""
    found = [entrant(text) for text in texts]
    if len(set(found)) < len(found):
        raise UnknownEntrantError(
            "the same bot twice: name each once, --players says how many seats they share"
        )
    return found
