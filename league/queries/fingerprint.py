"""“Same” of architecture.md as a number: SHA-256 over records, results and standings.

No ids, times, sequence numbers, links or commitments are in it: with one secret and deterministic
bots it comes out the same however often the workers were killed.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from games.engine.rules import canonical_json
from games.models import GameRecord
from games.queries.house import unheard
from games.queries.replays import rules_of_card, told
from league.models import Competition, LedgerRow
from league.queries import decks, stints
from league.queries.standings import standings


def fingerprint(competition: Competition) -> str:
    """The number, 64 hex digits."""
    digest = hashlib.sha256()
    for part in (_records(competition), _results(competition), _standings(competition)):
        for row in part:
            digest.update(canonical_json(row).encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()


def _records(competition: Competition) -> Iterator[dict[str, Any]]:
    rules = rules_of_card(competition.rules.card)
    number_of = stints.numbers(competition)
    records = GameRecord.objects.filter(competition_ref=competition.pk).select_related("deck")
    for row in records.order_by("round_number", "table_number", "deal_number", "redeal"):
        deck = unheard(decks.seed_of(competition, row), (number_of[pk] for pk in row.players))
        start = deck.start(rules, len(row.players), row.dealer)
        if row.deck is not None and row.deck.deal_seed is not None:
            # Somebody gave entropy.
            start = start._replace(deal_seed=bytes(row.deck.deal_seed))
        yield told(start, row.log).to_json()


def _results(competition: Competition) -> list[list[Any]]:
    rows = LedgerRow.objects.filter(
        competition=competition, kind=LedgerRow.Kind.RESULT_CONFIRMED
    ).values_list("body", flat=True)
    return sorted(
        [body["round"], body["table"], deal, body["version"], places, body["source"]]
        for body in rows.iterator()
        for deal, places in _deals(body)
    )


def _deals(body: Mapping[str, Any]) -> Iterator[tuple[int, Any]]:
    """A row tells the deals of a table, one of them, or (0) the order of a table alone."""
    if "deals" in body:
        yield from enumerate(body["deals"], start=1)
    else:
        yield body.get("deal", 0), body["places"]


def _standings(competition: Competition) -> Iterator[list[Any]]:
    for row in standings(competition):
        sums = row.ranked.line.sums
        place = row.ranked.line.place
        yield [row.ranked.rank, row.entry.number, place, sums.chips, sums.losses, sums.deals]
