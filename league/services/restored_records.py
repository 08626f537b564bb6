"""The games of a competition's document as records, with the decks of those that had a live row.

Works inside the caller's transaction, once tables and players are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.dateparse import parse_datetime

from config.kit.ids import uuid7
from games.engine import encode_log, packs_needed, parse_record, replay, rules_from_card
from games.models import By, Deck, GameRecord, Player
from games.models.records import pack
from games.queries import clocks
from games.services.records import place_bytes
from league.models import Competition, Table

Wire = Mapping[str, Any]
_AT_ONCE = 500


def make(
    competition: Competition,
    document: Wire,
    tables: Mapping[tuple[int, int], Table],
    players: Mapping[int, Player],
) -> None:
    """Write all of them. `tables` by the numbers of round and table, `players` by the id that they
    have in the document."""
    entries = {told["number"]: told for told in document["entries"]}

    def played_by(number: int, round_number: int) -> int:
        entry = entries[number]
        stints = [s["player"] for s in entry["stints"] if s["round"] <= round_number]
        return players[(stints[-1] if stints else entry["player"])["id"]].pk

    def record(told: Wire) -> GameRecord:
        seats = [played_by(number, told["round"]) for number in told["entries"]]
        return _record(competition, told, tables[told["round"], told["table"]], seats)

    rows = [record(told) for told in document["records"]]
    GameRecord.objects.bulk_create(rows, batch_size=_AT_ONCE)


def dates(told: Wire, *columns: str) -> dict[str, Any]:
    """Columns of a row that are moments, or null."""
    return {name: told[name] and parse_datetime(told[name]) for name in columns}


def _record(competition: Competition, told: Wire, table: Table, players: list[int]) -> GameRecord:
    proof, live = told["proof"], told["live"]
    game = replay(parse_record(proof["record"]))
    assert game.ending is not None
    return GameRecord(
        id=uuid7(),
        rules=competition.rules,
        deck=_deck(competition, proof, len(players)) if live else None,
        rated=told["rated"],
        competition_ref=competition.pk,
        table_ref=table.pk,
        round_number=told["round"],
        table_number=told["table"],
        deal_number=told["deal"],
        redeal=told["redeal"],
        dealer=proof["record"]["dealer"],
        players=players,
        places=place_bytes(game.places, game.players),
        ending=game.ending.value,
        packed=pack(encode_log(game)),
        at_ms=clocks.packed(proof["at_ms"]) if live else None,
        by=bytes(By[word.upper()] for word in proof["by"]) if live else None,
        head=bytes.fromhex(proof["head"]),
        **dates(told, "started_at", "ended_at"),
    )


def _deck(competition: Competition, proof: Wire, players: int) -> Deck:
    rules = rules_from_card(competition.rules.card)
    packs, _ = packs_needed(rules, players)
    deck, _ = Deck.objects.get_or_create(
        competition_ref=competition.pk,
        deck_id=proof["deck_id"],
        defaults={
            "state": Deck.State.OVER,
            "server_seed": bytes.fromhex(proof["server_seed"]),
            "commitment": bytes.fromhex(proof["commitment"]),
            "entropies": proof["entropies"],
            "deal_seed": bytes.fromhex(proof["record"]["deal_seed"]),
            "packs": packs,
            "jokers": rules.jokers,
            "games_over": 1,
        },
    )
    return deck
