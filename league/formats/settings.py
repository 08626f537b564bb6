"""Settings of a competition, checked and complete. Source: competitions.md, "League rules"."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


class SettingError(ValueError):
    """A setting that can't be: its name and a sentence."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"{name}: {sentence}")
        self.name = name
        self.sentence = sentence


@dataclass(frozen=True)
class Settings:
    """What a knockout is played by. `forbidden_pairs` are pairs of player ids."""

    table_size: int = 4
    advance: int = 1
    deals_per_table: int = 20
    sudden_deaths: int = 3
    seeding: str = "lot"
    entrants: str = "bots"
    forbidden_pairs: tuple[tuple[int, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All of it, defaults too, as `read` takes it."""
        wire = asdict(self)
        wire["forbidden_pairs"] = [list(pair) for pair in self.forbidden_pairs]
        return wire


_RANGES = {"table_size": (2, 6), "advance": (1, 5), "deals_per_table": (1, 50)} | {
    "sudden_deaths": (0, 10)
}
_CHOICES = {"seeding": ("lot",), "entrants": ("bots",)}


def read(given: Mapping[str, Any]) -> Settings:
    """Check settings as they come from outside; what is not given has its default.

    Raises `SettingError` for the first that is unknown, of the wrong type or out of range.
    """
    known = {field.name for field in fields(Settings)}
    for name in sorted(given):
        if name not in known:
            raise SettingError(name, "There is no such setting.")
    values = {name: _checked(name, value) for name, value in given.items()}
    settings = Settings(**values)
    if settings.advance >= settings.table_size:
        raise SettingError("advance", "Fewer must go on than sit at a table.")
    return settings


def _checked(name: str, value: Any) -> Any:
    if name == "forbidden_pairs":
        return _pairs(value)
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise SettingError(name, f"One of: {', '.join(_CHOICES[name])}.")
        return value
    low, high = _RANGES[name]
    if type(value) is not int or not low <= value <= high:
        raise SettingError(name, f"A whole number from {low} to {high}.")
    return value


def _pairs(value: Any) -> tuple[tuple[int, int], ...]:
    sentence = "A list of at most 1000 pairs of player ids."
    if not isinstance(value, list | tuple) or len(value) > 1000:
        raise SettingError("forbidden_pairs", sentence)
    for pair in value:
        if not isinstance(pair, list | tuple) or [type(n) for n in pair] != [int, int]:
            raise SettingError("forbidden_pairs", sentence)
    return tuple((first, second) for first, second in value)
