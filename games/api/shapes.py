"""What goes in and out of the API of games. Shape only: what is legal the services decide."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers as s

from config.kit.paging import MOST, USUAL
from config.kit.params import StrictSerializer
from games.engine import PRESETS
from games.models import Game, Player, Token
from games.queries.phrases import PHRASES

LONGEST_MOVE_MS = 14 * 24 * 3600 * 1000
MOST_MOVES = 2**31 - 1
MOST_DAYS = 14
BIGGEST_ID = 2**63 - 1

Shape = s.Serializer[Any]


class NewPlayerRequest(StrictSerializer):
    """Who wants to play."""

    name = s.CharField(max_length=200)


class PlayerShape(Shape):
    """A player as everybody may see it."""

    id = s.IntegerField()
    name = s.CharField()
    kind = s.ChoiceField(Player.Kind.choices)


class NewPlayerShape(Shape):
    """A player just made."""

    player = PlayerShape()
    token = s.CharField(allow_null=True, help_text="Shown once; null when the request is repeated.")


class MeShape(Shape):
    """The player who asks, and what the token may do."""

    player = PlayerShape()
    scopes = s.ListField(child=s.ChoiceField(Token.Scope.choices))


class SettingsRequest(StrictSerializer):
    """What to change; the rest stays."""

    language = s.ChoiceField(["", *(code for code, _ in settings.LANGUAGES)], required=False)
    mute_phrases = s.BooleanField(required=False)
    mail_turns = s.BooleanField(required=False)


class SettingsShape(Shape):
    """What a player has chosen."""

    language = s.CharField(allow_blank=True)
    mute_phrases = s.BooleanField()
    mail_turns = s.BooleanField()


class HolidayRequest(StrictSerializer):
    """Which days, both included."""

    first = s.DateField()
    last = s.DateField()


class HolidayShape(Shape):
    """Days off."""

    id = s.IntegerField()
    first = s.DateField()
    last = s.DateField()


class HolidaysShape(Shape):
    """All days off, and those of this year that are left."""

    holidays = HolidayShape(many=True)
    days_a_year = s.IntegerField()
    days_left = s.IntegerField()


class PhraseRequest(StrictSerializer):
    """What to say."""

    phrase = s.CharField(max_length=20, help_text=", ".join(f"`{code}`" for code in PHRASES))


class PhraseShape(Shape):
    """Something that a seat has said."""

    id = s.IntegerField()
    seat = s.IntegerField()
    phrase = s.CharField()
    said_at = s.DateTimeField()


class PhrasesShape(Shape):
    """What was said last, and what can be said."""

    results = PhraseShape(many=True)
    phrases = s.ListField(child=s.CharField())


class PhrasesQuery(StrictSerializer):
    """Those with an id above `after`."""

    after = s.IntegerField(min_value=0, max_value=BIGGEST_ID, default=0)


class RulesRequest(StrictSerializer):
    """A rule set: a preset, house rules by name, then options."""

    preset = s.CharField(max_length=40, default="table")
    options = s.DictField(default=dict)
    house_rules = s.ListField(child=s.CharField(max_length=60), default=list, max_length=40)


class NewGameRequest(RulesRequest):
    """A game of people, with house bots or bots that accept it, if wanted."""

    seats = s.ListField(
        child=s.CharField(max_length=60),
        default=lambda: ["open", "open"],
        max_length=20,
        help_text="In order: `open`, `house:lowest`, `house:random`, or a bot as `bot:ID`.",
    )
    move_ms = s.IntegerField(min_value=1000, max_value=LONGEST_MOVE_MS, default=60_000)
    bank_ms = s.IntegerField(min_value=0, max_value=LONGEST_MOVE_MS, default=300_000)
    move_days = s.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        default=None,
        allow_null=True,
        help_text="By correspondence: days for a move, instead of `move_ms` and `bank_ms`.",
    )
    visibility = s.ChoiceField(
        Game.Visibility.choices,
        default=Game.Visibility.PUBLIC,
        help_text="`public` is listed, `link` is for who has the id, `private` for who is let in.",
    )


class QuickGameRequest(RulesRequest):
    """What to play, and with how many."""

    players = s.IntegerField(min_value=2, max_value=6, default=3)
    move_ms = s.IntegerField(min_value=1000, max_value=LONGEST_MOVE_MS, default=60_000)
    bank_ms = s.IntegerField(min_value=0, max_value=LONGEST_MOVE_MS, default=300_000)
    entropy = s.CharField(max_length=64, default="", allow_blank=True, trim_whitespace=False)


class JoinRequest(StrictSerializer):
    """Which seat; without it the one kept for you, or the first free one."""

    seat = s.IntegerField(min_value=0, max_value=5, required=False, allow_null=True, default=None)
    code = s.CharField(
        max_length=40, default="", allow_blank=True, help_text="The `join_code` of a private game."
    )


class InviteRequest(StrictSerializer):
    """Whom a seat is kept for."""

    player = s.IntegerField(min_value=1, max_value=BIGGEST_ID)


class NothingRequest(StrictSerializer):
    """Nothing is asked."""


class ReadyRequest(StrictSerializer):
    """Entropy for the deck, at most 64 bytes."""

    entropy = s.CharField(max_length=64, default="", allow_blank=True, trim_whitespace=False)


class MoveRequest(StrictSerializer):
    """An action for one decision."""

    move_number = s.IntegerField(min_value=1, max_value=MOST_MOVES)
    action = s.CharField(max_length=400, trim_whitespace=False)


class TicketRequest(StrictSerializer):
    """Which stream is to be opened."""

    path = s.CharField(max_length=200)


class TicketShape(Shape):
    """A ticket for one stream."""

    ticket = s.CharField(
        allow_null=True, help_text="Shown once; null when the request is repeated."
    )
    seconds = s.IntegerField()


class RulesShape(Shape):
    """A rule set by name."""

    preset = s.CharField()
    options = s.DictField()
    hash = s.CharField()


class SeatShape(Shape):
    """One seat, as everybody may see it."""

    seat = s.IntegerField()
    player = PlayerShape(allow_null=True)
    invited = PlayerShape(allow_null=True, help_text="For whom the free seat is kept.")
    ready = s.BooleanField()
    bank_ms = s.IntegerField()
    stand_in = s.BooleanField()
    resigned = s.BooleanField()


class EventShape(Shape):
    """Something that happened, as the viewer may know it."""

    ply = s.IntegerField()
    event = s.CharField()
    number = s.IntegerField(required=False)
    seat = s.IntegerField(required=False)
    count = s.IntegerField(required=False)
    cards = s.ListField(child=s.CharField(), required=False)
    taken = s.ListField(child=s.CharField(), required=False)
    rank = s.CharField(required=False)
    cause = s.CharField(required=False)
    slot = s.IntegerField(required=False)
    up = s.ListField(child=s.ListField(child=s.CharField()), required=False)
    stock = s.IntegerField(required=False)
    second_deck_needed = s.BooleanField(required=False)


class ViewShape(Shape):
    """What a viewer may know of the game."""

    seat = s.IntegerField(allow_null=True)
    phase = s.ChoiceField(["swap", "play", "respond", "over"])
    turn = s.IntegerField(allow_null=True)
    to_act = s.ListField(child=s.IntegerField())
    ply = s.IntegerField()
    dealer = s.IntegerField()
    players = s.IntegerField()
    stock = s.IntegerField()
    hand = s.ListField(child=s.CharField(), allow_null=True)
    hands = s.ListField(child=s.IntegerField())
    up = s.ListField(child=s.ListField(child=s.CharField()))
    down = s.ListField(child=s.ListField(child=s.BooleanField()))
    pile = s.ListField(child=s.CharField(allow_null=True))
    claims = s.ListField(child=s.CharField(), allow_null=True)
    top = s.CharField(allow_null=True)
    fallen = s.DictField(child=s.IntegerField())
    fallen_unseen = s.IntegerField()
    out = s.ListField(child=s.ListField(child=s.IntegerField()))
    places = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)
    ending = s.CharField(allow_null=True)
    drawn = s.BooleanField()
    events = EventShape(many=True)


class ListedGameShape(Shape):
    """A game as lists show it."""

    id = s.UUIDField()
    state = s.ChoiceField(Game.State.choices)
    visibility = s.ChoiceField(Game.Visibility.choices)
    rated = s.BooleanField()
    rules = RulesShape()
    players = s.IntegerField()
    dealer = s.IntegerField()
    seats = SeatShape(many=True)
    move_ms = s.IntegerField()
    bank_ms = s.IntegerField()
    move_days = s.IntegerField(allow_null=True, help_text="Not null: by correspondence.")
    competition = s.IntegerField(allow_null=True)
    commitment = s.CharField()
    head = s.CharField(allow_null=True)
    created_at = s.DateTimeField()
    started_at = s.DateTimeField(allow_null=True)
    ended_at = s.DateTimeField(allow_null=True)
    ending = s.CharField(allow_null=True)
    places = s.ListField(child=s.ListField(child=s.IntegerField()), allow_null=True)


class GameShape(ListedGameShape):
    """A game as one viewer may see it."""

    seat = s.IntegerField(allow_null=True)
    join_code = s.CharField(
        allow_null=True, help_text="Who has it may sit down; for those who sit there already."
    )
    rematch = s.UUIDField(allow_null=True)
    deadline_at = s.DateTimeField(allow_null=True)
    waiting = s.BooleanField()
    move_number = s.IntegerField(allow_null=True)
    legal = s.ListField(child=s.CharField())
    view = ViewShape(allow_null=True)


class GamesShape(Shape):
    """A page of games."""

    results = ListedGameShape(many=True)
    next = s.CharField(allow_null=True)


class MoveShape(Shape):
    """The answer to a move; the same each time it is asked for."""

    game = s.UUIDField()
    seat = s.IntegerField()
    move_number = s.IntegerField()
    action = s.CharField()
    by = s.ChoiceField(["seat", "default", "stand_in"])
    waiting = s.BooleanField()
    ply = s.IntegerField()
    link = s.CharField(allow_null=True)
    view = ViewShape()


class LegalShape(Shape):
    """What the seat may do now."""

    seat = s.IntegerField()
    move_number = s.IntegerField(allow_null=True)
    legal = s.ListField(child=s.CharField())


class EventsShape(Shape):
    """The viewer's events, numbered without gaps."""

    events = EventShape(many=True)
    last = s.IntegerField()
    state = s.ChoiceField(Game.State.choices)


class RecordShape(Shape):
    """A game record (format paskahousu-record, version 1)."""

    format = s.CharField()
    version = s.IntegerField()
    rules = s.DictField()
    players = s.IntegerField()
    dealer = s.IntegerField()
    deck = s.ListField(child=s.CharField())
    deal_seed = s.CharField(required=False)
    actions = s.ListField(child=s.CharField())
    tags = s.DictField(required=False)


class ProofShape(Shape):
    """A proof that a game was dealt and kept honestly (format paskahousu-proof, version 1)."""

    format = s.CharField()
    version = s.IntegerField()
    record = RecordShape()
    deck_id = s.CharField()
    commitment = s.CharField()
    server_seed = s.CharField()
    entropies = s.ListField(child=s.ListField())
    at_ms = s.ListField(child=s.IntegerField(allow_null=True))
    by = s.ListField(child=s.CharField())
    head = s.CharField()


class VerdictShape(Shape):
    """What the verifier says; `error` names what does not hold."""

    ok = s.BooleanField()
    proof = s.BooleanField(required=False)
    error = s.CharField(required=False)
    plies = s.IntegerField(required=False)
    ending = s.CharField(allow_null=True, required=False)
    places = s.ListField(child=s.ListField(child=s.IntegerField()), required=False)


class PresetShape(Shape):
    """A rule set that has a name."""

    name = s.CharField()
    hash = s.CharField()
    options = s.DictField()


class HouseRuleShape(Shape):
    """An override that has a name."""

    name = s.CharField()
    options = s.DictField()


class OptionShape(Shape):
    """An option and what it may be."""

    name = s.CharField()
    values = s.ListField(child=s.JSONField())
    range = s.ListField(child=s.IntegerField(), allow_null=True)


class PresetsShape(Shape):
    """All presets, house rules and options."""

    presets = PresetShape(many=True)
    house_rules = HouseRuleShape(many=True)
    options = OptionShape(many=True)
    house_bots = s.ListField(child=s.CharField())


class RulesCardShape(RulesShape):
    """A rules card: the full option set."""

    card = s.DictField()


class DealShape(Shape):
    """What a deal for a number of players takes; `packs` null: it can't be made."""

    players = s.IntegerField()
    packs = s.IntegerField(allow_null=True)
    second_deck_needed = s.BooleanField()


class CheckedRulesShape(RulesCardShape):
    """A rule set that can be played, and with how many."""

    deals = DealShape(many=True)


class OpenGamesQuery(StrictSerializer):
    """Which open games, and where to read on."""

    preset = s.ChoiceField(sorted(PRESETS), required=False)
    rules = s.RegexField(r"^[0-9a-f]{12}$", required=False, help_text="Hash of a rules card.")
    players = s.IntegerField(min_value=2, max_value=6, required=False)
    correspondence = s.BooleanField(required=False, allow_null=True, default=None)
    cursor = s.UUIDField(required=False)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """A preset has a hash."""
        if "preset" in given and "rules" in given:
            raise s.ValidationError({"rules": ["Name a preset or a hash, not both."]})
        return given


class MyGamesQuery(StrictSerializer):
    """Which of one's games, and where to read on."""

    state = s.ChoiceField(Game.State.choices, required=False)
    cursor = s.UUIDField(required=False)
    limit = s.IntegerField(min_value=1, max_value=MOST, default=USUAL)


class GameQuery(StrictSerializer):
    """As it stood after so many actions; without it, as it stands."""

    ply = s.IntegerField(min_value=0, max_value=MOST_MOVES, required=False)


class EventsQuery(StrictSerializer):
    """Events with a number above `after`."""

    after = s.IntegerField(min_value=-1, max_value=MOST_MOVES, default=-1)
