"""From sums to lines that are ranked: how much each has played of what was offered, and by which
steps. One meaning for standings, draws and the check of a document.
"""

from collections.abc import Callable, Iterable, Mapping

from league.formats import standings
from league.formats.folding import Fold
from league.formats.registry import counts_unequal, steps_of
from league.formats.settings import Settings
from league.formats.standings import Ranked
from league.formats.steps import Attended, Line
from league.formats.tallying import Sums


def ranked(
    sums: Mapping[int, Sums],
    places: Mapping[int, int],
    format: str,
    settings: Settings,
    fold: Callable[[], Fold],
) -> list[Ranked]:
    """All of `sums`, best first. `fold` reads the ledger, and is asked only where that is needed:
    for meetings, and for what was offered."""
    attended = _attended(sums, settings, fold)
    lines = [Line(n, one, places.get(n, 0), attended.get(n)) for n, one in sums.items()]
    steps = steps_in(sums.values(), format, settings)
    return standings.rank(lines, steps, lambda: fold().meetings())


def steps_in(sums: Iterable[Sums], format: str, settings: Settings) -> tuple[str, ...]:
    """The steps that hold as the sums are."""
    differ = counts_unequal(format, settings) and len({one.deals for one in sums}) > 1
    return steps_of(format, settings, unequal=differ)


def _attended(
    sums: Mapping[int, Sums], settings: Settings, fold: Callable[[], Fold]
) -> Mapping[int, Attended]:
    if settings.best_of:
        nights = fold().nights_of()
        needed = min(settings.best_of, max(nights.values(), default=0))
        return {number: Attended(nights.get(number, 0), needed) for number in sums}
    if settings.ranked_from:
        needed = -(-fold().offered() * settings.ranked_from // 100)
        return {number: Attended(one.deals, needed) for number, one in sums.items()}
    return {}
