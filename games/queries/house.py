"""Games of house bots, which have a record but never had a row: read as if they had one.

Their pack follows from a secret that belongs to the layer above, which is asked by the dotted
path `settings.HOUSE_DECKS`; that layer also says who may look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from games.engine import Game as EngineGame
from games.engine import Rules, commitment, deal_seed, deck_id, decode_actions, packs_needed
from games.models import Deck, Game, GameRecord, Player, Seat
from games.queries import replays
from games.queries.replays import Start


class HouseDeck(NamedTuple):
    """Where a house game's pack comes from: the seed, and (entrant, entropy) in order."""

    server_seed: bytes
    entropies: list[tuple[int, str]]

    def start(self, rules: Rules, players: int, dealer: int) -> Start:
        """What a game from this deck begins from."""
        packs, _ = packs_needed(rules, players)
        seed = deal_seed(self.server_seed, deck_id(self.server_seed), self.entropies)
        return Start(rules, players, dealer, seed, packs, rules.jokers)


Finder = Callable[[GameRecord, int | None], HouseDeck | None]


def unheard(server_seed: bytes, entrants: Iterable[int]) -> HouseDeck:
    """The deck of this seed for seats that give no entropy, as house bots do."""
    return HouseDeck(server_seed, [(entrant, "") for entrant in sorted(entrants)])


def house_game(game_id: UUID, viewer_id: int | None) -> tuple[Game, list[Seat]] | None:
    """Row and seats of a house game, unsaved; None if there is none that this viewer may see."""
    record = GameRecord.objects.select_related("rules").filter(pk=game_id, deck=None).first()
    if record is None:
        return None
    find: Finder = import_string(settings.HOUSE_DECKS)
    found = find(record, viewer_id)
    return None if found is None else (_row(record, found), _seats(record))


def _row(record: GameRecord, found: HouseDeck) -> Game:
    deck = _deck(record, found)
    row = Game(
        id=record.id,
        kind=Game.Kind.DRIVEN,
        state=Game.State.OVER,
        rated=record.rated,
        rules=record.rules,
        deck=deck,
        players=len(record.players),
        dealer=record.dealer,
        competition_ref=record.competition_ref,
        table_ref=record.table_ref,
        actions=record.actions,
        head=record.head,
        ending=record.ending,
        move_ms=0,
        bank_ms=0,
        created_at=record.ended_at,
        started_at=record.ended_at,
        ended_at=record.ended_at,
    )
    game = _replayed(row)
    row.ply, row.places = game.ply, [list(group) for group in game.places]
    row.by = bytes(game.ply)
    return row


def _replayed(row: Game) -> EngineGame:
    game = decode_actions(replays.start_of(row).game(), bytes(row.actions))
    replays.keep(row.id, game)
    return game


def _deck(record: GameRecord, found: HouseDeck) -> Deck:
    start = found.start(replays.rules_of(record), len(record.players), record.dealer)
    return Deck(
        deck_id=deck_id(found.server_seed),
        state=Deck.State.OVER,
        server_seed=found.server_seed,
        commitment=commitment(found.server_seed),
        entropies=[list(pair) for pair in found.entropies],
        deal_seed=start.deal_seed,
        packs=start.packs,
        jokers=start.jokers,
    )


def _seats(record: GameRecord) -> list[Seat]:
    known = Player.objects.in_bulk(set(record.players))
    return [
        Seat(index=index, player=known[pk], agent_ref=known[pk].agent_ref, ready_at=record.ended_at)
        for index, pk in enumerate(record.players)
    ]
