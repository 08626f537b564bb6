"""The events of a round as a viewer may know them (architecture.md, "The engine").

The allow-list for what happened, as view.py is for what is. The number of an event is its index.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NotRequired, TypedDict, overload

from games.engine.cards import RANKS, texts
from games.engine.deal import deal
from games.engine.events import Event, Kind, cause_text
from games.engine.game import NOBODY, Game
from games.engine.rules import packs_needed

# Events that are a seat's own decision; what else happens follows from one.
_DECISIONS: Final = frozenset(
    Kind(name)
    for name in (
        "swap",
        "play",
        "claim",
        "blind",
        "blind_failed",
        "chance",
        "chance_failed",
        "draw_first",
        "pick_up",
        "pass",
        "accept",
        "challenge",
    )
)


class EventDict(TypedDict):
    """One event as JSON. What the viewer may not know, or does not apply, is left out."""

    ply: int
    event: str
    """Names as in traces, without what follows a colon; the first is `deal`."""
    seat: NotRequired[int]
    """Who acted; with `fed` and `truth` who took the pile, with `lie` too: the liar."""
    count: NotRequired[int]
    """Number of cards laid, drawn or taken into a hand."""
    cards: NotRequired[list[str]]
    """Cards laid, turned over, given, drawn, picked up; with `lie` and `truth` those shown."""
    taken: NotRequired[list[str]]
    """Cards taken beside: from the row in a swap, from the pile."""
    rank: NotRequired[str]
    cause: NotRequired[str]
    slot: NotRequired[int]
    up: NotRequired[list[list[str]]]
    stock: NotRequired[int]
    second_deck_needed: NotRequired[bool]


class History(Sequence[EventDict]):
    """A viewer's events, each written only when it is asked for."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self._game, self._viewer = game, viewer
        self._story = narrated(game)

    def __len__(self) -> int:
        return len(self._story) + 1

    @overload
    def __getitem__(self, index: int) -> EventDict: ...
    @overload
    def __getitem__(self, index: slice) -> list[EventDict]: ...
    def __getitem__(self, index: int | slice) -> EventDict | list[EventDict]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if number == 0:
            return _deal(self._game, self._viewer)
        return _event(self._story[number - 1], self._viewer, self._game.rules.bluff)

    def __iter__(self) -> Iterator[EventDict]:
        return (self[i] for i in range(len(self)))

    def first_after(self, ply: int) -> int:
        """The number of the first event later than `ply` actions."""
        return _of_ply(self._story, ply + 1)


def history(game: Game, viewer: int | None) -> list[EventDict]:
    """All events from the deal on, as `viewer` (None: the public) may know them."""
    return list(History(game, viewer))


def recent_events(game: Game, seat: int | None) -> list[EventDict]:
    """Events from the seat's last decision on, all before its first; the public: the last ply."""
    story, bluff = narrated(game), game.rules.bluff
    first = _of_ply(story, game.ply) if seat is None else _last_decision(story, seat)
    if not first or not game.ply:
        return history(game, seat)
    return [_event(event, seat, bluff) for event in story[first - 1 :]]


def events_since(game: Game, viewer: int | None, ply: int) -> list[EventDict]:
    """The viewer's events of the actions after the first `ply`."""
    events = History(game, viewer)
    return events[events.first_after(ply) :]


def narrated(game: Game) -> list[Event]:
    """The game's story from the start; a game that kept none is retold and keeps it from now on."""
    if game.story is None:
        told = Game(game.rules, game.players, game.dealer, game.deck)
        told.story = []
        for action in game.log:
            told.push(action)
        game.story = told.story
    return game.story


def _deal(game: Game, viewer: int | None) -> EventDict:
    dealt = deal(game.rules, game.players, game.dealer, game.deck)
    event: EventDict = {
        "ply": 0,
        "event": "deal",
        "up": [texts(row) for row in dealt.ups],
        "stock": len(game.deck) - dealt.at,
    }
    if viewer is not None:
        event["cards"] = texts(dealt.hands[viewer])
    if packs_needed(game.rules, game.players)[1]:
        event["second_deck_needed"] = True
    return event


_OWN = frozenset((Kind.DREW, Kind.DRAW_FIRST, Kind.CLAIM))
_TAKES_PILE = frozenset((Kind.PICK_UP, Kind.FED))
_BESIDE = frozenset((Kind.LIE, Kind.TRUTH, Kind.BLIND_FAILED, Kind.CHANCE_FAILED))
_OPEN = frozenset((Kind.PLAY, Kind.BLIND, Kind.CHANCE, Kind.SWAP)) | _BESIDE


def _event(event: Event, viewer: int | None, bluff: bool) -> EventDict:
    told: EventDict = {"ply": event.ply, "event": event.kind.value}
    if event.seat != NOBODY:
        told["seat"] = event.seat
    own = event.seat == viewer
    kind = event.kind
    if event.cards or event.taken:
        told["count"] = _count(event)
    if kind in _OPEN or (kind in _OWN and own) or (kind in _TAKES_PILE and (own or not bluff)):
        told["cards"] = texts(event.cards)
    if kind is Kind.SWAP or (kind in _BESIDE and (own or not bluff)):
        told["taken"] = texts(event.taken)
    _add_names(told, event)
    return told


def _count(event: Event) -> int:
    """Number of cards moved: of a challenge those taken, of a failed card it and the pile."""
    if event.kind in (Kind.LIE, Kind.TRUTH):
        return event.taken.bit_count()
    if event.kind is Kind.SWAP:
        return event.cards.bit_count()
    return event.cards.bit_count() + event.taken.bit_count()


def _add_names(told: EventDict, event: Event) -> None:
    if event.rank:
        told["rank"] = RANKS[event.rank]
    if event.cause:
        told["cause"] = cause_text(event.cause)
    if event.kind in (Kind.BLIND, Kind.BLIND_FAILED):
        told["slot"] = event.slot


def _of_ply(story: Sequence[Event], ply: int) -> int:
    """The number of the first event of that action or a later one."""
    number = len(story)
    while number and story[number - 1].ply >= ply:
        number -= 1
    return number + 1


def _last_decision(story: Sequence[Event], seat: int) -> int:
    """The number of the seat's last decision, 0 (the deal) if it has taken none."""
    for number in range(len(story), 0, -1):
        event = story[number - 1]
        if event.seat == seat and event.kind in _DECISIONS:
            return number
    return 0
