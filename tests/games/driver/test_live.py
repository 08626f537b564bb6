"""A driven game in memory, without database or agents."""

from __future__ import annotations

from uuid import UUID

from games import engine
from games.agents import Answer
from games.driver.live import Live, LiveSeat


def valepaska(seed: bytes, players: int = 3) -> Live:
    rules = engine.rules_from("valepaska", {"max_plies": 100})
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
