"""R5: every task is delivered two to five times at once, and every game is played once."""

from __future__ import annotations

from tests.chaos import SEED, Proof
from tests.chaos.doubling import TO, doubling
from tests.chaos.theatre import PATIENCE_S, cast, is_over, opened, settled, theatre, wait_for

GOAL = "every game played once"


def prove(port: int, games: int = 200) -> Proof:
    """Twice the same tournament, both doubled; `port` is not asked."""
    with (
        theatre(processes=5, queue=TO) as made,
        doubling(made.stack.env["CELERY_BROKER_URL"], SEED) as sent,
    ):
        who, told = cast(made), []
        for name in ("First", "Second"):
            cup = opened(made, who, name, games)
            wait_for(lambda cup=cup: is_over(made, cup), PATIENCE_S, "it does not end")  # type: ignore[misc]
            told.append(settled(made, cup))
    bad = {
        key: sum(one[key] for one in told)
        for key in ("lost", "doubled", "orphaned", "quarantined", "wrong")
    }
    same = told[0]["fingerprint"] == told[1]["fingerprint"]
    counted = ", ".join(f"{number} {name}" for name, number in bad.items())
    figure = (
        f"{sum(one['games'] for one in told)} games in two runs, "
        f"{sum(one['driven'] for one in told)} of them driven; {sent.sent} tasks delivered "
        f"{sent.delivered} times; {counted}; {'same' if same else 'NOT the same'}"
    )
    return Proof(figure, GOAL, same and not any(bad.values()))
