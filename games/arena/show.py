"""Shows one game of the arena in a browser: a page of one table, a row for each action."""

import html
import json
import tempfile
import webbrowser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.engine import trace_lines

_STYLE: Final = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .25rem .7rem; white-space: nowrap }
th { position: sticky; top: 0; background: Canvas }
tr { border-bottom: 1px solid #8884 }
.turn { background: #e8b10030 }
.red { color: #d33 } small { opacity: .65 }
"""


def opened(record: Mapping[str, Any]) -> str:
    """Write the page to a new file and open it; where it is, in words."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="housu-", suffix=".html", encoding="utf-8", delete=False
    ) as file:
        file.write(page(record))
    seen = webbrowser.open(Path(file.name).as_uri())
    return f"{'opened' if seen else 'no browser was found; open'} {file.name}"


def page(record: Mapping[str, Any]) -> str:
    """The game as HTML."""
    tags = record["tags"]
    title = f"Game {tags['block']}.{tags['rotation']} of seed {tags['seed']}"
    seats = [f"{seat} {html.escape(name)}" for seat, name in enumerate(tags["names"])]
    heads = "".join(f"<th>{head}" for head in ("", "action", "pile", "stock", *seats))
    lines = trace_lines(json.dumps(record))
    rows = "\n".join(_row(line, len(seats)) for line in lines)
    places = ", ".join(" and ".join(seats[seat] for seat in group) for group in tags["places"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{html.escape(title)}</h1>"
        f"<p>{html.escape(record['rules']['preset'])}; places: {places}; "
        f"{html.escape(tags['ending'])}. In a seat: hand | face up | face down.</p>"
        f"<table><thead><tr>{heads}</thead><tbody>\n{rows}\n</tbody></table></html>\n"
    )


def _row(line: Mapping[str, Any], seats: int) -> str:
    told = " ".join(line["events"])
    action = html.escape(line["action"] or "deal")
    cells = [
        str(line["ply"]),
        f"{action}<br><small>{html.escape(told)}</small>",
        _pile(line["pile"], line["claims"]),
        str(line["stock"]),
    ]
    row = "".join(f"<td>{cell}" for cell in cells)
    for seat in range(seats):
        zones = (line["hands"][seat], line["up"][seat], line["down"][seat])
        on_turn = ' class="turn"' if seat in line["to_act"] else ""
        row += f"<td{on_turn}>{' | '.join(map(_cards, zones))}"
    return f"<tr>{row}"


def _pile(cards: Sequence[str], claims: Sequence[str] | None) -> str:
    named = f"<br><small>as {' '.join(claims)}</small>" if claims else ""
    return _cards(cards) + named


def _cards(cards: Iterable[str | None]) -> str:
    return " ".join(_card(card) for card in cards if card)


def _card(card: str) -> str:
    text = html.escape(card)
    return f'<span class="red">{text}</span>' if card[1] in "DH" else text
