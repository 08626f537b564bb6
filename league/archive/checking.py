"""Is the document of a competition what its ledger, its secret and its records say?

One verdict a part; `differences` names what is another than told. Text in, JSON objects out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from games.engine import competition_seed, verify_lines
from league.archive import chain
from league.archive.replaying import Replay
from league.formats.folding import Fold
from league.formats.lots import seeding
from league.formats.registry import steps_of
from league.formats.settings import Settings, stored
from league.formats.standings import Ranked, rank
from league.formats.steps import Line
from league.formats.tallying import Sums

Document = Mapping[str, Any]
Verdict = dict[str, Any]

_BEGINS: Final = re.compile(r'\s*\{\s*"format"\s*:\s*"housuliiga-competition"')
_MOST: Final = 50
_SHOWN: Final = ("rank", "entry", "chips", "losses", "deals")
_BROKEN: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def is_document(text: str) -> bool:
    """Whether this is the JSON of a competition, rather than a record or proof."""
    return _BEGINS.match(text) is not None


def check(text: str) -> Iterator[Verdict]:
    """A verdict for each part, all of them whatever is found."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        yield _verdict("document", error="malformed")
        return
    for part in (_ledger, _secret, _rounds, _tables, _tallies, _places, _standings, _records):
        yield _safe(part, document)


def _safe(part: Callable[[Document], Verdict], document: Document) -> Verdict:
    try:
        return part(document)
    except (*_BROKEN, RecursionError) as error:
        # Whatever is missing or of another type: the document was not written by us.
        name = part.__name__.removeprefix("_")
        return _verdict(name, error="malformed", detail=f"{type(error).__name__}: {error}"[:200])


def _ledger(document: Document) -> Verdict:
    head, found = b"", []
    for seq, row in enumerate(document["ledger"], start=1):
        head = chain.link(head, seq, row["event"], row["body"])
        if row["ledger_seq"] != seq or row["id"] != seq or row["hash"] != head.hex():
            found.append({"row": seq})
            break
        told = {name: row["body"].get(name) for name in ("round", "table", "deal", "entry")}
        if any(row[name] != value for name, value in told.items()):
            found.append({"row": seq})
    rows = len(document["ledger"])
    if document["competition"]["ledger_seq"] != rows:
        found.append({"row": rows + 1})
    return _verdict("ledger", found, rows=rows)


def _secret(document: Document) -> Verdict:
    """The commitment that was public from the start, and the order of the draw by lot."""
    told = document["competition"]
    secret = _secret_of(document)
    if secret is None:
        return _verdict("secret", known=False)
    found: list[Any] = []
    commitment = hashlib.sha256(secret).hexdigest()
    if commitment not in (told["commitment"],):
        found.append({"commitment": told["commitment"]})
    for row in document["ledger"]:
        body = row["body"]
        if row["event"] == "competition.state" and "commitment" in body:
            if body["commitment"] != commitment:
                found.append({"row": row["ledger_seq"]})
            if body["rules"] != document["rules"]["hash"]:
                found.append({"row": row["ledger_seq"], "rules": body["rules"]})
        if row["event"] == "competition.state" and "seeds" in body:
            order = seeding(dict.fromkeys(body["seeds"]), competition_seed(secret, "seeding"))
            if list(order) != body["seeds"]:
                found.append({"row": row["ledger_seq"], "seeds": list(order)})
            found += [
                {"entry": entry["number"], "seed": entry["seed"]}
                for entry in document["entries"]
                if entry["number"] in order and entry["seed"] != order.index(entry["number"]) + 1
            ]
    return _verdict("secret", found, known=True)


def _rounds(document: Document) -> Verdict:
    """Every round drawn again from its seed."""
    secret = _secret_of(document)
    if secret is None:
        return _verdict("rounds", drawn_again=False)
    told = {row["number"]: row for row in document["rounds"]}
    found: list[Any] = []
    numbers = []
    for drawn in Replay(document, _settings(document), secret).rounds():
        numbers.append(drawn.number)
        if drawn.again != drawn.told:
            found.append({"round": drawn.number, "told": drawn.told, "again": drawn.again})
        row = told[drawn.number]
        cost = {key: value for key, value in drawn.told.items() if key != "tables"}
        seats = [[seat["entry"] for seat in table["seats"]] for table in row["tables"]]
        advances = tuple(table["advance"] for table in row["tables"])
        if (row["draw"], seats, advances) != (cost, drawn.told["tables"], drawn.advances):
            found.append({"round": drawn.number, "seats": seats})
    if sorted(numbers) != sorted(told):
        found.append({"rounds": sorted(told), "ledger": numbers})
    return _verdict("rounds", found, rounds=len(numbers), drawn_again=True)


def _tables(document: Document) -> Verdict:
    """The order of every table that is done."""
    fold, found, tables = _fold(document), [], 0
    for row in document["rounds"]:
        for table in row["tables"]:
            key = row["number"], table["number"]
            result = fold.tables.get(key)
            alone = len(table["seats"]) == 1
            if table["state"] != "done" or (alone and result is None):
                continue
            tables += 1
            places = None if result is None else [list(group) for group in result.order()]
            deals = 0 if result is None else len(result.deals)
            told = table["places"], table["deals_done"]
            if places and (places, deals) != told:
                found.append({"table": list(key), "told": table["places"], "ledger": places})
            if result is None:
                found.append({"table": list(key), "ledger": None})
    return _verdict("tables", found, tables=tables)


def _tallies(document: Document) -> Verdict:
    sums, found = _fold(document).sums(), []
    out = _fold(document).out
    for row in document["tallies"]:
        should = asdict(sums.get(row["entry"], Sums()))
        should["eliminated_seq"] = out.get(row["entry"])
        wrong = {name: value for name, value in should.items() if row[name] != value}
        if wrong:
            found.append({"entry": row["entry"], "ledger": wrong})
    missing = sums.keys() - {row["entry"] for row in document["tallies"]}
    found += [{"entry": number} for number in sorted(missing)]
    return _verdict("tallies", found, tallies=len(document["tallies"]))


def _places(document: Document) -> Verdict:
    """The final places that the ledger has given."""
    replay = Replay(document, _settings(document), _secret_of(document) or b"")
    for _ in replay.rounds():
        pass
    found = [
        {"entry": entry["number"], "told": entry["place"], "ledger": replay.places[entry["number"]]}
        for entry in document["entries"]
        if entry["number"] in replay.places and entry["place"] != replay.places[entry["number"]]
    ]
    winners = [row["body"].get("winners") for row in document["ledger"]]
    last = next((named for named in reversed(winners) if named is not None), None)
    first = sorted(entry["number"] for entry in document["entries"] if entry["place"] == 1)
    if last is not None and last != first and not _corrected(document):
        found.append({"winners": last, "told": first})
    return _verdict("places", found)


def _standings(document: Document) -> Verdict:
    """The order, and for each row the step and the two values that put it above the next."""
    fold = _fold(document)
    sums = fold.sums()
    places = {entry["number"]: entry["place"] or 0 for entry in document["entries"]}
    entries = [row["entry"] for row in document["tallies"] if _stands(document, row["entry"])]
    lines = [Line(number, sums.get(number, Sums()), places[number]) for number in entries]
    chosen = steps_of(document["competition"]["format"], _settings(document))
    again = [_ranked(row) for row in rank(lines, chosen, fold.meetings)]
    shown = [
        [*(row[name] for name in _SHOWN), _reason(row["explanation"])]
        for row in document["standings"]
    ]
    found = [
        {"row": at, "told": one, "ledger": other}
        for at, (one, other) in enumerate(zip(shown, again, strict=False), start=1)
        if one != other
    ]
    if len(shown) != len(again):
        found.append({"rows": len(shown), "ledger": len(again)})
    return _verdict("standings", found, rows=len(shown))


def _records(document: Document) -> Verdict:
    """Every proof by itself; its deck by the secret; its places by the ledger."""
    secret, told = _secret_of(document), _told_deals(document)
    found: list[Any] = []
    for row in document["records"]:
        where = [row[name] for name in ("round", "table", "deal", "redeal")]
        (verdict,) = verify_lines(json.dumps(row["proof"]))
        if not verdict["ok"]:
            found.append({"record": where, "error": verdict["error"]})
            continue
        path = "/".join(str(part) for part in where)
        seed = row["proof"]["server_seed"]
        if secret is not None and seed != competition_seed(secret, path).hex():
            found.append({"record": where, "server_seed": seed})
        groups = [sorted(row["entries"][seat] for seat in group) for group in verdict["places"]]
        deal = told.pop(tuple(where), None)
        if deal is not None and deal != groups:
            found.append({"record": where, "told": deal, "played": groups})
    if document["records"]:
        found += [{"record": list(where), "missing": True} for where in told]
    return _verdict("records", found, records=len(document["records"]))


def _told_deals(document: Document) -> dict[tuple[Any, ...], list[list[int]]]:
    """Places as results of played tables first told them, by (round, table, deal, redeal)."""
    told: dict[tuple[Any, ...], list[list[int]]] = {}
    for row in document["ledger"]:
        body = row["body"]
        if row["event"] != "result.confirmed" or "deals" not in body or body["version"] != 1:
            continue
        for number, places in enumerate(body["deals"], start=1):
            redeal, _ = body.get("odd", {}).get(str(number), (0, "over"))
            key = body["round"], body["table"], number, redeal
            told[key] = [sorted(group) for group in places]
    return told


def _corrected(document: Document) -> bool:
    """Whether a result changed after the end: the winners of that row are those of its day."""
    events = [row["event"] for row in document["ledger"]]
    return bool(events[-1] != "competition.state")


def _stands(document: Document, number: int) -> bool:
    states = {entry["number"]: entry["state"] for entry in document["entries"]}
    return bool(states[number] != "withdrawn")


def _ranked(row: Ranked) -> list[Any]:
    sums = row.line.sums
    reason = row.reason and [row.reason.code, list(row.reason.values)]
    return [row.rank, row.line.number, sums.chips, sums.losses, sums.deals, reason]


def _reason(explanation: list[Any]) -> list[Any] | None:
    return [explanation[0]["code"], list(explanation[0]["values"])] if explanation else None


def _fold(document: Document) -> Fold:
    fold = Fold(_settings(document))
    for row in document["ledger"]:
        fold.add(row["ledger_seq"], row["event"], row["body"])
    return fold


def _settings(document: Document) -> Settings:
    return stored(document["competition"]["settings"])


def _secret_of(document: Document) -> bytes | None:
    secret = document["competition"]["secret"]
    return None if secret is None else bytes.fromhex(secret)


def _verdict(part: str, differences: list[Any] | None = None, **known: Any) -> Verdict:
    verdict = {"part": part, "ok": not differences and "error" not in known, **known}
    if differences:
        verdict["differences"] = differences[:_MOST]
    return verdict
