"""`manage.py bench NAME`: runs a named benchmark, prints its figures. Measures nothing itself."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from django.core.management.base import BaseCommand, CommandError

BENCHMARKS = "tests.benchmarks"


class Command(BaseCommand):
    """Prints a table, or a JSON list with `--json`."""

    help = "Run a benchmark: " + BENCHMARKS + " holds one module for each."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the benchmark's name."""
        parser.add_argument("name", help="a module of " + BENCHMARKS)
        parser.add_argument("--json", action="store_true", help="figures as a JSON list")
        parser.add_argument("--report", action="store_true", help="write docs/performance.md too")

    def handle(self, *args: object, **options: Any) -> None:
        """Measure and print."""
        figures = _benchmark(options["name"]).measure()
        if options["report"]:
            import_module(f"{BENCHMARKS}.report").write(options["name"], figures)
        if options["json"]:
            self.stdout.write(json.dumps([_wire(figure) for figure in figures], indent=1))
        else:
            self.stdout.writelines(_rows(figures))


def _benchmark(name: str) -> Any:
    found = import_module(BENCHMARKS)
    names = [module.name for module in iter_modules(found.__path__)]
    module = import_module(f"{BENCHMARKS}.{name}") if name in names else None
    if not hasattr(module, "measure"):
        raise CommandError(f"no benchmark {name!r}")
    return module


def _wire(figure: Any) -> dict[str, object]:
    keys = ("name", "value", "unit", "goal", "holds", "floor")
    return {key: getattr(figure, key) for key in keys}


_HOLDS = {None: "", True: "holds", False: "does not hold"}


def _rows(figures: Iterable[Any]) -> list[str]:
    return [
        f"{figure.name:48} {_number(figure):23} {figure.goal:10} {_HOLDS[figure.holds]}"
        + (f"  (floor {figure.floor:,.0f} calls/s)" if figure.floor else "")
        + "\n"
        for figure in figures
    ]


def _number(figure: Any) -> str:
    if figure.value is None:
        return f"NOT RUN: {figure.reason}"
    return f"{figure.value:14,.2f} {figure.unit:8}"
