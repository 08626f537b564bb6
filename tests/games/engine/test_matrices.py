"""The two matrices of rules.md section 5: row = effective top, column = card laid."""

import pytest

from games.engine import rules_from
from games.engine.cards import RANK_MASK, RANKS
from games.engine.tables import tables
from games.engine.tops import EMPTY, Effect

TABLE = """
none      y  y  y  y  y  y  y  C  y  y  y  y  y
3         y  y  y  y  y  y  y  C  .  .  .  .  y
4         .  y  y  y  y  y  y  C  .  .  .  .  y
5         .  .  y  y  y  y  y  C  .  .  .  .  y
6         .  .  .  y  y  y  y  C  .  .  .  .  y
7         .  .  .  .  y  y  y  C  y  y  y  .  y
8         .  .  .  .  .  y  y  C  y  y  y  .  y
9         .  .  .  .  .  .  y  C  y  y  y  .  y
J         .  .  .  .  .  .  .  C  y  y  y  y  y
Q         .  .  .  .  .  .  .  C  .  y  y  y  y
K         .  .  .  .  .  .  .  C  .  .  y  y  y
A         .  .  .  .  .  .  .  C  .  .  .  y  .
2         y  y  y  y  y  y  y  C  y  y  y  y  y
"""
CLASSIC = """
none      y  y  y  y  y  y  y  y  y  y  y  y  y
3         y  y  y  y  y  y  y  C  .  .  .  .  y
4         .  y  y  y  y  y  y  C  .  .  .  .  y
5         .  .  y  y  y  y  y  C  .  .  .  .  y
6         .  .  .  y  y  y  y  C  .  .  .  .  y
7         .  .  .  .  y  y  y  C  y  y  y  .  y
8         .  .  .  .  .  y  y  C  y  y  y  .  y
9         .  .  .  .  .  .  y  C  y  y  y  .  y
T         .  .  .  .  .  .  .  y  .  .  .  .  .
J         .  .  .  .  .  .  .  .  y  y  y  C  y
Q         .  .  .  .  .  .  .  .  .  y  y  C  y
K         .  .  .  .  .  .  .  .  .  .  y  C  y
A         .  .  .  .  .  .  .  .  .  .  .  y  .
2         .  .  .  .  .  .  .  .  .  .  .  .  y
"""
CELLS = [
    (preset, top, rank, cell)
    for preset, matrix in (("table", TABLE), ("classic", CLASSIC))
    for top, *cells in map(str.split, matrix.strip().splitlines())
    for rank, cell in zip("3456789TJQKA2", cells, strict=True)
]


@pytest.mark.parametrize("stock", [0, 1])
@pytest.mark.parametrize(("preset", "top", "rank", "cell"), CELLS)
def test_a_cell_of_the_matrix(preset: str, top: str, rank: str, cell: str, stock: int) -> None:
    compiled = tables(rules_from(preset))
    under = EMPTY if top == "none" else RANKS.index(top)
    laid = RANKS.index(rank)
    legal = bool(compiled.lay[stock][under] & RANK_MASK[laid])
    falls = compiled.effect[stock][under][laid] is not Effect.STAYS
    assert {"y": (True, False), "C": (True, True)}.get(cell, (False, falls)) == (legal, falls)
