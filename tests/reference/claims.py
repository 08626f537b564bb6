"""Claims and their settling (rules, section 9)."""

import copy

from tests.reference import play
from tests.reference.cards import rank
from tests.reference.laying import fall_cause, feeding
from tests.reference.notation import Action
from tests.reference.state import Claim, Round


def make(table: Round, action: Action) -> None:
    """Lay cards face down as one named rank, and ask those who may challenge."""
    play.lay(table, table.hands[action.seat], action.cards, action.named)
    others = [seat for seat in table.active() if seat != action.seat]
    if table.options["challengers"] == "next_player":
        others = [table.next_after(action.seat)]
    table.claim = Claim(action.seat, len(action.cards), others)
    table.phase = "respond"
    table.events.append("claim")


def is_closing(table: Round) -> bool:
    """It would fall or feed, or it left its claimant without any card."""
    claim = table.claim
    assert claim is not None
    falls_or_feeds = fall_cause(table, claim.count) or feeding(table, claim.count)
    return bool(falls_or_feeds) or table.cards_held(claim.seat) == 0


def closer(table: Round) -> int | None:
    """The next player, where he may close the window by acting as on his turn."""
    assert table.claim is not None
    if table.options["challenge_mode"] != "first" or is_closing(table):
        return None
    return table.next_after(table.claim.seat)


def as_if_it_stood(table: Round) -> Round:
    """A copy of the round in which the claim has been settled as unchallenged."""
    later = copy.deepcopy(table)
    stand(later)
    return later


def answer(table: Round, action: Action) -> None:
    """Take `!` or `.`; settle when all is known (`sealed`) or at once (`first`)."""
    claim = table.claim
    assert claim is not None
    claim.answers[action.seat] = action.kind
    table.events.append("challenge" if action.kind == "!" else "accept")
    all_in = len(claim.answers) == len(claim.asked)
    if not all_in and not (table.options["challenge_mode"] == "first" and action.kind == "!"):
        return
    challengers = [seat for seat in claim.asked if claim.answers.get(seat) == "!"]
    if not challengers:
        stand(table)
        return
    settle(table, min(challengers, key=lambda seat: (seat - claim.seat) % table.players))


def stand(table: Round) -> None:
    """Nobody challenged: it goes on as after any play, by the named rank."""
    claim = take_off(table)
    table.events.append("claim_stands")
    play.after_laying(table, claim.seat, claim.count)


def settle(table: Round, challenger: int) -> None:
    claim = take_off(table)
    shown = table.pile[-claim.count :]
    if any(rank(card) != table.named[-1] for card in shown):
        table.events.append("lie")
        play.take_pile(table, claim.seat)
        opens = table.options["after_lie"] == "challenger_opens"
        table.give_turn(challenger if opens else table.next_after(claim.seat))
        return
    table.events.append("truth")
    if fall_cause(table, claim.count) and table.options["true_fall"] == "pile_falls":
        play.after_laying(table, claim.seat, claim.count)
        return
    play.take_pile(table, challenger)
    play.refill(table, claim.seat)
    play.go_out(table, claim.seat)
    if table.phase == "over":
        return
    if table.options["after_truth"] == "left_of_challenger":
        table.give_turn(table.next_after(challenger))
    else:
        play.turn_to_or_after(table, claim.seat)


def take_off(table: Round) -> Claim:
    """End the window."""
    claim = table.claim
    assert claim is not None
    table.claim = None
    table.phase = "play"
    return claim
