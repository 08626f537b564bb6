"""What holds in every rule set, whatever is played."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    Ending,
    Game,
    IllegalAction,
    MalformedRecord,
    Phase,
    Record,
    card_text,
    decode_actions,
    encode_action,
    encode_log,
    history,
    iter_actions,
    parse_record,
    replay,
    view,
)
from games.engine.actions import entry_text, parse
from games.engine.cards import CARDS, RANKS, SUITS, cards_in, ordered_pack, texts
from games.engine.record import split_entry
from games.players import HOUSE, decision_seed, play_out
from tests.games.engine.support import choices, deals, examples, play_on, snapshot, step

seeds = st.integers(0, 2**32).map(random.Random)


def _all_cards(game: Game) -> list[int]:
    """Every card, wherever it is."""
    zones = [*game.hands, *game.ups, game.fallen, *(entry & CARDS for entry in game.pile)]
    found = [card for zone in zones for card in cards_in(zone)]
    found += [card for row in game.downs for card in row.to_bytes(5, "little") if card]
    return sorted((*found, *game.deck[game.at :]))


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_no_card_is_lost_or_doubled(game: Game, rng: random.Random) -> None:
    pack = sorted(game.deck)
    while game.phase is not Phase.OVER:
        assert _all_cards(game) == pack
        step(game, rng)
    assert _all_cards(game) == pack


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_a_round_ends_with_every_seat_placed(game: Game, rng: random.Random) -> None:
    play_on(game, rng)
    assert game.phase is Phase.OVER
    assert sorted(seat for group in game.places for seat in group) == list(range(game.players))
    assert game.to_act() == ()
    assert game.ply <= game.rules.max_plies
    if game.ending is Ending.OVER:
        assert all(len(group) == 1 for group in game.places)


_CARDS = [rank + suit for rank in RANKS[1:14] for suit in SUITS] + ["*1", "*2", "*3", "*4"]


def _tries(game: Game, seat: int, rng: random.Random) -> list[str]:
    """Actions of all kinds, sensible and not."""
    own = texts(game.hands[seat] | game.ups[seat])
    some = [rng.choice(own or _CARDS) for _ in range(rng.randrange(1, 4))]
    any_cards = [rng.choice(_CARDS) for _ in range(rng.randrange(1, 3))]
    row = texts(game.ups[seat])[:1]
    names = [f"C:{own[0] if own else '3C'}={rank}" for rank in RANKS[1:]]
    plays = ["P:" + "".join(cards) for cards in (some, any_cards, *([card] for card in own))]
    slots = [f"B:{slot}" for slot in range(6)]
    bare = ["U", "X", "D", "-", "!", ".", "S:/", "S:" + "".join(own[:1]) + "/" + "".join(row)]
    return [*plays, *names, *slots, *bare, "C:" + "".join(some) + "=5", "P:", "nonsense", "B:01"]


def _accepts(game: Game, seat: int, text: str) -> bool:
    try:
        game.check(seat, text)
    except IllegalAction:
        return False
    return True


def _entry(game: Game, text: str) -> str:
    """The entry of `legal` that an action falls under."""
    said = parse(text)
    match said.verb.value:
        case "P":
            return f"P:{RANKS[said.cards[0] >> 3]}x{len(said.cards)}"
        case "C":
            return f"C:{RANKS[said.rank]}"
        case verb:
            return verb


@settings(max_examples=examples(25))
@given(deals(), seeds)
def test_legal_is_what_play_accepts(game: Game, rng: random.Random) -> None:
    while game.phase is not Phase.OVER:
        for seat in range(game.players):
            legal = game.legal(seat)
            for text in _tries(game, seat, rng):
                if _accepts(game, seat, text):
                    assert _entry(game, text) in legal, (seat, text)
            for text in choices(game, seat, rng):
                game.check(seat, text)
            shorts = [entry for entry in legal if entry.startswith("P:")]
            assert all(_entry(game, game.check(seat, short)) == short for short in shorts)
        play_on(game, rng, rng.randrange(1, 12))


@settings(max_examples=examples(25))
@given(deals(), seeds)
def test_a_refused_action_changes_nothing(game: Game, rng: random.Random) -> None:
    while game.phase is not Phase.OVER:
        before = snapshot(game)
        for seat in range(game.players + 1):
            for text in _tries(game, seat % game.players, rng):
                try:
                    game.check(seat, text)
                except IllegalAction:
                    with pytest.raises(IllegalAction):
                        game.play(seat, text)
        assert snapshot(game) == before
        play_on(game, rng, rng.randrange(1, 25))


def _record(game: Game, played: list[tuple[int, str]]) -> Record:
    return parse_record(
        {
            "format": "paskahousu-record",
            "version": 1,
            "rules": {"preset": "table", "options": game.rules.options()},
            "players": game.players,
            "dealer": game.dealer,
            "deck": [card_text(card) for card in game.deck],
            "actions": [entry_text(seat, text) for seat, text in played],
        }
    )


def _but_story(game: Game) -> dict[str, object]:
    state = snapshot(game)
    del state["_story"], state["here"], state["tops"]
    return state | {"top": (game.here.top, game.here.run)}


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_a_record_replays_to_the_same_game(game: Game, rng: random.Random) -> None:
    record = _record(game, play_on(game, rng))
    again = replay(parse_record(json.loads(json.dumps(record.to_json()))))
    assert _but_story(again) == _but_story(game)
    assert parse_record(record.to_json()) == record


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_bytes_replay_to_the_same_game(game: Game, rng: random.Random) -> None:
    start, twin = game.clone(), game.clone()
    data, played = b"", []
    while game.phase is not Phase.OVER:
        seat = rng.choice(game.to_act())
        text = rng.choice(choices(game, seat, rng))
        data += encode_action(game, seat, text)
        played.append((seat, text))
        game.play(seat, text)
    assert data == encode_log(game)
    assert list(iter_actions(start, data)) == played
    assert _but_story(decode_actions(twin, data)) == _but_story(game) == _but_story(start)


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_a_clone_goes_its_own_way(game: Game, rng: random.Random) -> None:
    play_on(game, rng, rng.randrange(60))
    before, twin = snapshot(game), game.clone()
    assert snapshot(twin) == before
    play_on(twin, rng)
    assert snapshot(game) == before


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_the_default_action_is_always_legal(game: Game, rng: random.Random) -> None:
    while game.phase is not Phase.OVER:
        for seat in game.to_act():
            default = game.default_action(seat)
            assert game.check(seat, default) == default
        step(game, rng)


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_a_view_lists_the_legal_actions_of_its_seat(game: Game, rng: random.Random) -> None:
    while game.phase is not Phase.OVER:
        for seat in range(game.players):
            assert view(game, seat).legal() == game.legal(seat)
        play_on(game, rng, rng.randrange(1, 6))


@settings(max_examples=examples(30))
@given(deals(), seeds)
def test_a_decision_has_one_number(game: Game, rng: random.Random) -> None:
    """Numbers never fall, rise by at most one, and rise for whoever acts."""
    while game.phase is not Phase.OVER:
        before, could = list(game.moves), game.to_act()
        seat, _ = step(game, rng)
        risen = {s for s in range(game.players) if game.moves[s] == before[s] + 1}
        assert seat in risen <= set(could)
        assert all(game.moves[s] == before[s] for s in range(game.players) if s not in risen)


def _twin(game: Game, viewer: int, rng: random.Random) -> Game:
    """The same game dealt anew but for what `viewer` knew from the deal: own hand and all rows
    face up."""
    start = Game(game.rules, game.players, game.dealer, game.deck)
    known = {start.deck[i] for i in range(start.at) if _is_known(start, start.deck[i], viewer)}
    hidden = [card for card in game.deck if card not in known]
    rng.shuffle(hidden)
    deck = tuple(card if card in known else hidden.pop() for card in game.deck)
    return Game(game.rules, game.players, game.dealer, deck)


def _is_known(start: Game, card: int, viewer: int) -> bool:
    return bool((start.hands[viewer] | sum(start.ups)) >> card & 1)


@settings(max_examples=examples(40))
@given(deals(), seeds)
def test_two_deals_that_differ_in_hidden_cards_look_alike(game: Game, rng: random.Random) -> None:
    """As long as the same actions are possible in both and nothing hidden shows in them."""
    for viewer in range(game.players):
        one = Game(game.rules, game.players, game.dealer, game.deck)
        two = _twin(game, viewer, rng)
        if one.turn != two.turn:  # `most_lowest` shows who holds most
            continue
        while one.phase is not Phase.OVER:
            assert view(one, viewer) == view(two, viewer)
            assert view(one, viewer).wire() == view(two, viewer).wire()
            assert history(one, viewer) == history(two, viewer)
            assert one.legal(viewer) == two.legal(viewer)
            if not _same_step(one, two, viewer, rng):
                break


def _same_step(one: Game, two: Game, viewer: int, rng: random.Random) -> bool:
    """Play one action in both that shows the viewer the same; False if there is none at hand."""
    seat = rng.choice(one.to_act())
    for text in rng.sample(found := choices(one, seat, rng), len(found)):
        if seat != viewer and text[0] == "C":
            other = rng.choice([t for t in choices(two, seat, rng) if t[0] == "C"] or [""])
            if text[text.index("=") :] != other[-2:] or len(text) != len(other):
                continue
        else:
            other = text
        first, second = one.clone(), two.clone()
        try:
            first.play(seat, text)
            second.play(seat, other)
        except IllegalAction:
            continue
        if _shown(first, viewer) == _shown(second, viewer):
            one.play(seat, text)
            two.play(seat, other)
            return True
    return False


def _shown(game: Game, viewer: int) -> list[object]:
    """The cards that an action has just shown to the viewer, by rights."""
    told = history(game, viewer)
    return [(event.get("cards"), event.get("taken")) for event in told if event["ply"] == game.ply]


@given(deals(), st.sampled_from(sorted(HOUSE)), st.binary(min_size=4, max_size=4))
@settings(max_examples=examples(12))
def test_agents_asked_one_by_one_give_the_game_played_out(
    game: Game, bot: str, secret: bytes
) -> None:
    agents = [HOUSE[bot]] * game.players
    whole = play_out(game.rules, game.players, game.dealer, game.deck, agents, secret)
    while game.phase is not Phase.OVER:
        order = game.answer_order()
        said = {
            seat: HOUSE[bot].choose(
                view(game, seat),
                history(game, seat),
                decision_seed(secret, seat, game.move_number(seat)),
            )
            for seat in order
        }
        for seat in order:
            if seat in game.to_act():
                game.play(seat, said[seat])
    assert _but_story(game) == _but_story(whole)


@given(st.text(max_size=12) | st.from_regex(r"[PCBSUXD!.-]:?[3-9TJQKA2*CDHS1-4=/]{0,8}"))
def test_whatever_text_comes_the_answer_is_a_code(text: str) -> None:
    try:
        parse(text)
        split_entry(text)
    except IllegalAction as error:
        assert error.code == "malformed_action"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(json_values)
def test_whatever_json_comes_a_record_is_read_or_refused(value: object) -> None:
    with pytest.raises(MalformedRecord):
        parse_record(value)


_KEYS = ["format", "version", "rules", "players", "dealer", "deck", "deal_seed", "actions", "x"]


@given(st.sampled_from(_KEYS), json_values)
def test_one_wrong_value_in_a_record_is_named_or_harmless(key: str, value: object) -> None:
    wire: dict[str, object] = {
        "format": "paskahousu-record",
        "version": 1,
        "rules": {"preset": "classic"},
        "players": 2,
        "dealer": 0,
        "deck": [card_text(card) for card in ordered_pack(1, 0)],
        "actions": [],
    }
    try:
        parse_record(wire | {key: value})
    except MalformedRecord as error:
        assert error.detail.split(".")[0] in {key, "unknown_preset", "dealer", "deck"}
