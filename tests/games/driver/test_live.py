"""A driven game in memory, without database or agents."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from games import engine
from games.agents import Answer, Fault, Turn
from games.driver.live import Live, LiveSeat
from games.models import By

LATE = Fault("timeout", {})


def valepaska(seed: bytes, players: int = 3) -> Live:
    return live_game("valepaska", seed, players)


def live_game(preset: str, seed: bytes, players: int = 3, **options: object) -> Live:
    rules = engine.rules_from(preset, {"max_plies": 100, **options})
    packs, _ = engine.packs_needed(rules, players)
    pack = engine.shuffled_deck(seed, packs, rules.jokers)
    return Live(
        game_id=UUID(int=1),
        owner="driver",
        fence=1,
        rules=rules,
        competition=None,
        server_seed=seed,
        head=engine.commitment(seed),
        move_ms=1000,
        seats=[LiveSeat(index, "bot:1", 0, 0, False) for index in range(players)],
        game=engine.Game(rules, players, 0, pack),
        elapsed_ms=0,
    )


def test_answers_that_the_cap_on_plies_cuts_off_are_left_out() -> None:
    cut = 0
    for number in range(20):
        live = valepaska(bytes([number]) * 32)
        while live.game.ending is None:
            turns = [live.turn(seat) for seat in live.game.to_act()]
            move = live.push([live.judge(turn, Answer(None)) for turn in turns])
            cut += len(turns) - len(move.plies)
        assert live.game.ply <= 100
    assert cut > 0, "none of these deals was cut off among answers"


def test_a_bot_that_never_answers_gets_a_legal_default_in_every_phase() -> None:
    """`push` plays what is due, and would raise for anything that is not legal."""
    seen: Counter[str] = Counter()
    for preset in engine.PRESETS:
        for number in range(6):
            live = live_game(preset, bytes([number]) * 32)
            while live.game.ending is None:
                turns = [live.turn(seat) for seat in live.game.to_act()]
                decisions = [live.judge(turn, Answer(None, fault=LATE)) for turn in turns]
                assert all(one.by is By.DEFAULT and one.fault == LATE for one in decisions)
                seen.update(map(_phase, turns))
                live.push(decisions)
    assert set(seen) == {"swap", "play", "blind", "chance", "respond"}


def _phase(turn: Turn) -> str:
    """What may be done besides what is always legal."""
    for mark, phase in (("P", "play"), ("B", "blind"), ("X", "chance")):
        if any(action.startswith(mark) for action in turn.legal):
            return phase
    return str(turn.wire["phase"])
