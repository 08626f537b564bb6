"""Finished games, found by who played, where, by which rules, when and with what result.

Newest first by id, which carries the time: one key for order, cursor and dates. Whose competitions
may be seen is asked of the layer above by `settings.HIDDEN_COMPETITIONS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.module_loading import import_string

from config.kit.ids import first_at
from games.models import GameRecord, Player, RulesCard
from games.queries import replays
from games.queries.finished import row_of
from games.queries.house import house_deck
from games.queries.rules_cards import rules_wire

READ_AT_ONCE = 500
# Records keep players in four bytes: whoever has a longer number has played in none.
_LAST_PLAYER = 2**31 - 1


class Wanted(NamedTuple):
    """Which games; None: whatever. `place` is that of `player`; from `since` on, before `until`."""

    player: int | None = None
    place: int | None = None
    competition: int | None = None
    rules_hash: str | None = None
    ending: str | None = None
    since: datetime | None = None
    until: datetime | None = None


_PLACE = """EXISTS (
    SELECT FROM unnest(games_gamerecord.players) WITH ORDINALITY AS s(player, number)
    WHERE s.player = %s AND get_byte(games_gamerecord.places, s.number::int - 1) = %s
)"""


def finished(wanted: Wanted, viewer_id: int | None) -> QuerySet[GameRecord]:
    """The records of these games as far as this viewer may know of them, with their rules."""
    found = GameRecord.objects.select_related("rules")
    if wanted.player is not None and wanted.player > _LAST_PLAYER:
        return found.none()
    if wanted.player is not None:
        found = found.filter(players__contains=[wanted.player])
    if wanted.player is None or wanted.player != viewer_id:
        found = found.filter(visibility=None)  # public
    if wanted.place is not None:
        place = RawSQL(_PLACE, [wanted.player, wanted.place], output_field=BooleanField())  # noqa: S611 - parameters are bound
        found = found.filter(place)
    if wanted.competition is not None:
        found = found.filter(competition_ref=wanted.competition)
    if wanted.rules_hash is not None:
        found = found.filter(rules__in=_cards(wanted.rules_hash))
    if wanted.ending is not None:
        found = found.filter(ending=wanted.ending)
    if wanted.since is not None:
        found = found.filter(pk__gte=first_at(wanted.since))
    if wanted.until is not None:
        found = found.filter(pk__lt=first_at(wanted.until))
    return found.exclude(competition_ref__in=import_string(settings.HIDDEN_COMPETITIONS)(viewer_id))


def in_turn(records: QuerySet[GameRecord], after: UUID | None, most: int) -> Iterator[GameRecord]:
    """The records in order of the list, read in parts: memory does not grow with their number."""
    while most > 0:
        rows = records if after is None else records.filter(pk__lt=after)
        part = list(rows.order_by("-pk")[: min(READ_AT_ONCE, most)])
        yield from part
        if len(part) < READ_AT_ONCE:
            return
        after, most = part[-1].pk, most - len(part)


def wires(records: Sequence[GameRecord]) -> list[dict[str, Any]]:
    """The records as JSON; one statement for the names of all."""
    ids = {player for record in records for player in record.players}
    known = Player.objects.in_bulk(ids)
    return [_wire(record, known) for record in records]


def whole(record: GameRecord, viewer_id: int | None) -> dict[str, Any] | None:
    """The game's own record (records.md); None while its deck is in play elsewhere."""
    deck = record.deck or house_deck(record, viewer_id)
    if deck is None or not deck.gate_open:
        return None
    row = row_of(record, deck)
    return replays.told(replays.start_of(row), bytes(row.actions)).to_json()


def _cards(rules_hash: str) -> list[int]:
    """The key of the card; read first, so that the planner knows how common its games are."""
    return list(RulesCard.objects.filter(hash=rules_hash).values_list("pk", flat=True))


def _wire(record: GameRecord, known: dict[int, Player]) -> dict[str, Any]:
    return {
        "id": str(record.pk),
        "rules": rules_wire(replays.rules_of(record)),
        "dealer": record.dealer,
        "seats": [
            {
                "player": player,
                "name": known[player].name if player in known else None,
                "place": place,
            }
            for player, place in zip(record.players, bytes(record.places), strict=True)
        ],
        "ending": record.ending,
        "rated": record.rated,
        "competition": record.competition_ref,
        "made_at": record.made_at,
        "started_at": record.started_at,
        "ended_at": record.ended_at,
    }
