"""A whole competition as one document, part by part: for exports, `verify` and imports.

Numbers of rounds, tables, deals and entries say what belongs together; ids of rows are told only
where the ledger has them. The secret is there when the competition is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.engine import commitment, deck_id
from games.models import By, Deck, GameRecord, Player
from games.queries import clocks
from games.queries.house import unheard
from games.queries.replays import Start, rules_of_card, told
from league.archive import FORMAT, VERSION
from league.models import (
    Competition,
    DealResult,
    Entry,
    LedgerRow,
    PenaltyTally,
    Round,
    Stint,
    Table,
    TableSeat,
)
from league.queries import decks, documents, members, stints
from league.queries.standings import standings, sums_of

Wire = dict[str, Any]


def parts(competition: Competition) -> Iterator[tuple[str, Any]]:
    """The document's members in order; a list of rows is an iterator, read as it is written."""
    yield "format", FORMAT
    yield "version", VERSION
    yield "competition", _competition(competition)
    yield "club", documents.club(competition.club)
    yield "rules", {"hash": competition.rules.hash, "card": competition.rules.card}
    yield "members", _members(competition)
    yield "stages", _stages(competition)
    yield "entries", _entries(competition)
    yield "rounds", _rounds(competition)
    yield "standings", iter(documents.standings(standings(competition)))
    yield "tallies", _tallies(competition)
    yield "ledger", ledger(competition)
    over = competition.state in documents.OVER
    yield "records", records(competition) if over else iter(())


def records(competition: Competition) -> Iterator[Wire]:
    """Every record with its place in the competition and its proof, where the deck may be shown."""
    number_of = stints.numbers(competition)
    rows = GameRecord.objects.filter(competition_ref=competition.pk).select_related("deck")
    ordered = rows.order_by("round_number", "table_number", "deal_number", "redeal")
    for row in ordered.iterator(chunk_size=500):
        if row.deck is not None and (not row.deck.gate_open or row.deck.deal_seed is None):
            continue
        entries = [number_of[pk] for pk in row.players]
        seed, entropies, start = _dealt(competition, row, entries)
        record = told(start, row.log).to_json()
        plies = len(record["actions"])
        yield {
            "round": row.round_number,
            "table": row.table_number,
            "deal": row.deal_number,
            "redeal": row.redeal,
            "entries": entries,
            "rated": row.rated,
            "started_at": row.started_at,
            "ended_at": row.ended_at,
            "live": row.deck is not None,
            "proof": {
                "format": "paskahousu-proof",
                "version": 1,
                "record": record,
                "deck_id": deck_id(seed),
                "commitment": commitment(seed).hex(),
                "server_seed": seed.hex(),
                "entropies": [list(pair) for pair in entropies],
                "at_ms": clocks.unpacked(bytes(row.at_ms or b"")) or [None] * plies,
                "by": [By(code).word for code in bytes(row.by or bytes(plies))],
                "head": bytes(row.head).hex(),
            },
        }


def ledger(competition: Competition) -> Iterator[Wire]:
    """Every row, as stream and webhooks carry it."""
    rows = LedgerRow.objects.filter(competition=competition).order_by("seq")
    for row in rows.iterator(chunk_size=1000):
        yield dict(documents.ledger_row(row))


def _dealt(
    competition: Competition, row: GameRecord, entries: list[int]
) -> tuple[bytes, list[Any], Start]:
    rules = rules_of_card(competition.rules.card)
    if row.deck is None:
        house = unheard(decks.seed_of(competition, row), entries)
        start = house.start(rules, len(entries), row.dealer)
        return house.server_seed, house.entropies, start
    deck: Deck = row.deck
    assert deck.deal_seed is not None
    seed = bytes(deck.deal_seed)
    start = Start(rules, len(entries), row.dealer, seed, deck.packs, deck.jokers)
    return bytes(deck.server_seed), deck.entropies or [], start


def _competition(row: Competition) -> Wire:
    wire: Wire = dict(documents.competition(row))
    return {**wire, "created_at": row.created_at}


def _stages(competition: Competition) -> Iterator[Wire]:
    for row in competition.stages.order_by("number"):
        yield {
            "number": row.number,
            "format": row.format,
            "options": row.options,
            "finished_at": row.finished_at,
        }


def _members(competition: Competition) -> Iterator[Wire]:
    """Who of the club plays here, with role and nickname; a bot has neither."""
    players = Entry.objects.filter(competition=competition).values("player")
    rows = members.of_club(competition.club).filter(player__in=players)
    for row in rows.order_by("player__entries__number", "pk").distinct():
        who = documents.player(row.player)
        yield {"player": who, "role": row.role, "nickname": row.nickname}


def _entries(competition: Competition) -> Iterator[Wire]:
    first: dict[int, int] = {}
    rows = Entry.objects.filter(competition=competition).select_related("player", "substitute")
    stints_of: dict[int, list[Wire]] = {}
    for stint in Stint.objects.filter(entry__in=rows).select_related("player").order_by("round"):
        who = documents.player(stint.player)
        wire = {"round": stint.round, "player": who, "agent": _agent(stint.player)}
        stints_of.setdefault(stint.entry_id, []).append(wire)
    for row in rows.order_by("number"):
        owner = row.plays.owner_id
        if owner is not None:
            first.setdefault(owner, row.number)
        yield {
            **documents.entry(row),
            # Bots of one owner bear one number, that of his first entry.
            "owner": None if owner is None else first[owner],
            "agent": _agent(row.player),
            "stints": stints_of.get(row.pk, []),
            "since": row.since,
            "created_at": row.created_at,
        }


def _agent(player: Player) -> str | None:
    return player.agent_ref if player.kind == Player.Kind.HOUSE else None


def _rounds(competition: Competition) -> Iterator[Wire]:
    rounds = Round.objects.filter(competition=competition).select_related("stage")
    for row in rounds.order_by("number"):
        yield {
            "number": row.number,
            "stage": row.stage.number,
            "state": row.state,
            "draw": row.draw,
            "created_at": row.created_at,
            "closed_at": row.closed_at,
            "tables": _tables(row),
        }


def _tables(drawn: Round) -> list[Wire]:
    seats: dict[int, list[Wire]] = {}
    rows = TableSeat.objects.filter(round=drawn).select_related("entry")
    for seat in rows.order_by("table", "index"):
        wire = {"entry": seat.entry.number, "stand_in": seat.stand_in}
        seats.setdefault(seat.table_id, []).append(wire)
    typed: dict[int, list[Wire]] = {}
    for result in DealResult.objects.filter(table__round=drawn).order_by("table", "deal"):
        typed.setdefault(result.table_id, []).append(_typed(result))
    return [
        {
            "number": table.number,
            "kind": table.kind,
            "state": table.state,
            "deals_planned": table.deals_planned,
            "deals_done": table.deals_done,
            "places": table.places,
            "advance": table.advance,
            "done_at": table.done_at,
            "seats": seats.get(table.pk, []),
            "typed": typed.get(table.pk, []),
        }
        for table in Table.objects.filter(round=drawn).order_by("number")
    ]


def _typed(row: DealResult) -> Wire:
    return {
        "deal": row.deal,
        "version": row.version,
        "state": row.state,
        "places": row.places,
        "contested": row.contested,
        "forfeits": row.forfeits,
    }


def _tallies(competition: Competition) -> Iterator[Wire]:
    rows = PenaltyTally.objects.filter(competition=competition).select_related("entry", "player")
    for row in rows.order_by("entry__number"):
        yield {**documents.tally(row), "last_loss": sums_of(row).last_loss}
