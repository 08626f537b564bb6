"""The arena's answer as a table of plain text."""

from collections.abc import Iterator

from games.arena.figures import Figures, Interval
from games.arena.seating import Contest


def report(contest: Contest, figures: Figures) -> str:
    """All that was found, best entrant first."""
    if not figures.games:
        return "no game was played to its end"
    order = sorted(range(len(figures.names)), key=lambda one: figures.loss_rate(one).value)
    lines = [_head(contest, figures), ""]
    lines += _losses(figures, order)
    lines += ["", *_differences(figures, order)]
    lines += ["", *_places(figures, order, contest.players)]
    lines += ["", *_calls(figures, order)]
    return "\n".join(lines)


def _head(contest: Contest, figures: Figures) -> str:
    kind = "duplicate games" if contest.duplicate else "games"
    endings = ", ".join(f"{count} {ending}" for ending, count in sorted(figures.endings.items()))
    options = "".join(f" {name}={value}" for name, value in contest.options)
    plies = figures.plies / max(figures.games, 1)
    return (
        f"{contest.preset}{options}, {contest.players} seats, {figures.games} {kind}, "
        f"seed {contest.seed}: {endings}; {plies:.0f} plies a game"
    )


def _losses(figures: Figures, order: list[int]) -> Iterator[str]:
    width = max(map(len, figures.names))
    yield f"{'loses':{width + 2}}  rate   95 % interval   games"
    for one in order:
        rate = figures.loss_rate(one)
        seats = figures.places[one].total()
        yield f"  {figures.names[one]:{width}}  {rate.value:.3f}  {_span(rate)}  {seats:>6}"


def _differences(figures: Figures, order: list[int]) -> Iterator[str]:
    """Every pair, so that what is apart and what is not needs no arithmetic."""
    for at, one in enumerate(order):
        for other in order[at + 1 :]:
            gap = figures.difference(one, other)
            verdict = "apart" if gap.high < 0 else "not apart"
            names = f"{figures.names[one]} - {figures.names[other]}"
            yield f"  {names}: {gap.value:+.3f} {_span(gap)} {verdict}"


def _places(figures: Figures, order: list[int], players: int) -> Iterator[str]:
    width = max(map(len, figures.names))
    yield f"{'places':{width + 2}}" + "".join(f"{place:>7}" for place in range(1, players + 1))
    for one in order:
        total = max(figures.places[one].total(), 1)
        shares = "".join(
            f"{figures.places[one][place] / total:7.1%}" for place in range(1, players + 1)
        )
        yield f"  {figures.names[one]:{width}}{shares}"


def _calls(figures: Figures, order: list[int]) -> Iterator[str]:
    width = max(map(len, figures.names))
    yield f"{'answers':{width + 2}}  p50 ms   p95 ms   max ms  faults"
    for one in order:
        p50, p95, most = figures.latency_ms(one)
        faults = ", ".join(f"{kind} {n}" for kind, n in sorted(figures.faults[one].items()))
        times = f"{p50:8.2f} {p95:8.2f} {most:8.1f}"
        yield f"  {figures.names[one]:{width}}{times}  {faults or 'none'}"
    for one in order:
        if figures.evidence[one]:
            yield f"  first fault of {figures.names[one]}: {figures.evidence[one]}"


def _span(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
