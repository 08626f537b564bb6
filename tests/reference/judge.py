"""Which actions are legal, and the error of those that are not (rules, sections 4 and 12)."""

from collections.abc import Sequence

from tests.reference import claims
from tests.reference.cards import JOKER, RANKS, contains, rank
from tests.reference.laying import laying_error
from tests.reference.notation import Action
from tests.reference.state import Round


def error_of(table: Round, action: Action) -> str | None:
    """The first error in the order of section 12; None if the action is legal."""
    if table.phase == "over":
        return "round_over"
    if is_off(table, action):
        return "option_off"
    error = out_of_turn(table, action)
    if error is not None:
        return error
    if table.phase == "swap":
        return swap_error(table, action)
    if action.kind in "!.":
        return None
    if table.phase == "respond":
        table = claims.as_if_it_stood(table)
    return by_action(table, action)


def is_off(table: Round, action: Action) -> bool:
    """An action that these rules do not have (section 12, step 1)."""
    options = table.options
    if action.kind == "S":
        return not table.has_swap()
    if action.kind in "C!.":
        no_such_joker = action.named == JOKER and options["jokers"] == 0
        return not options["bluff"] or no_such_joker
    if action.kind == "X":
        return bool(options["stock_chance"] == "off")
    if action.kind == "D":
        return not options["draw_first"]
    return action.kind == "B" and options["face_down"] == 0


def out_of_turn(table: Round, action: Action) -> str | None:
    """Phase and seat (section 12, step 2)."""
    if table.phase == "swap":
        if action.kind != "S":
            return "wrong_phase"
        return "already_acted" if action.seat in table.swapped else None
    if action.kind == "S":
        return "wrong_phase"
    if table.phase == "play":
        if action.kind in "!.":
            return "window_closed"
        return None if action.seat == table.turn else "not_your_turn"
    assert table.claim is not None
    if action.kind in "!.":
        if action.seat not in table.claim.asked:
            return "may_not_challenge"
        return "already_acted" if action.seat in table.claim.answers else None
    if claims.closer(table) is None:
        return "wrong_phase"
    return None if action.seat == claims.closer(table) else "not_your_turn"


def swap_error(table: Round, action: Action) -> str | None:
    if not contains(table.hands[action.seat], action.cards):
        return "not_your_card"
    if not contains(table.up[action.seat], action.taken):
        return "not_your_card"
    return "swap_unequal" if len(action.cards) != len(action.taken) else None


def by_action(table: Round, action: Action) -> str | None:
    """Section 12, step 3, for the seat on turn."""
    seat = action.seat
    if action.kind in "PC":
        return card_error(table, action)
    if action.kind == "B":
        if table.zone(seat) != "down":
            return "wrong_zone"
        row = table.down[seat]
        there = action.slot < len(row) and row[action.slot] is not None
        return None if there else "no_such_slot"
    if action.kind == "U":
        if not table.pile:
            return "pile_empty"
        return None if may_pick_up(table, seat) else "not_stuck"
    if action.kind == "X":
        if not table.pile:
            return "pile_empty"
        if not table.stock:
            return "stock_empty"
        return None if is_stuck(table, seat) else "not_stuck"
    if action.kind == "D":
        if table.drawn:
            return "already_drawn"
        return None if table.stock else "stock_empty"
    assert action.kind == "-"
    return None if may_pass(table, seat) else "can_act"


def card_error(table: Round, action: Action) -> str | None:
    """`P` and `C` of section 12, step 3, then step 4."""
    hand, row = table.hands[action.seat], table.up[action.seat]
    zone = table.zone(action.seat)
    if action.kind == "P" and zone == "down":
        return "wrong_zone"
    if action.kind == "C" and zone != "hand":
        return "wrong_zone"
    if not contains(hand + row, action.cards):
        return "not_your_card"
    if not contains(hand if zone == "hand" else row, action.cards):
        return "wrong_zone"
    if action.kind == "C":
        return laying_error(table, action.named, len(action.cards))
    if table.options["bluff"] and zone == "hand":
        return "claim_required"
    ranks = [rank(card) for card in action.cards]
    if len(set(ranks)) > 1:
        return "mixed_ranks"
    return laying_error(table, ranks[0], len(ranks))


def zone_cards(table: Round, seat: int) -> list[str]:
    """The cards of the current zone that may be laid by name."""
    return {"hand": table.hands[seat], "up": table.up[seat], "down": []}[table.zone(seat)]


def is_stuck(table: Round, seat: int) -> bool:
    """No card of the hand or face-up row may be laid; never a bluffer's hand (section 4)."""
    if table.zone(seat) == "down":
        return False
    if table.zone(seat) == "hand" and table.options["bluff"]:
        return False
    return all(laying_error(table, rank(card), 1) for card in zone_cards(table, seat))


def may_pick_up(table: Round, seat: int) -> bool:
    return table.options["pick_up"] == "any_time" or is_stuck(table, seat)


def may_draw(table: Round, seat: int) -> bool:
    """`draw_first`: once per turn, from a stock, into a hand (section 7)."""
    wanted = table.options["draw_first"] and not table.drawn
    return bool(wanted and table.stock and table.zone(seat) == "hand")


def may_pass(table: Round, seat: int) -> bool:
    return not table.pile and is_stuck(table, seat) and not may_draw(table, seat)


def legal(table: Round) -> dict[str, list[str]]:
    """Per seat that may act what it may do (records, `legal`)."""
    return {str(seat): sorted(legal_of(table, seat)) for seat in to_act(table)}


def to_act(table: Round) -> list[int]:
    """The seats that may act now (records, `to_act`)."""
    if table.phase == "over":
        return []
    if table.phase == "swap":
        return [seat for seat in range(table.players) if seat not in table.swapped]
    if table.phase == "play":
        assert table.turn is not None
        return [table.turn]
    assert table.claim is not None
    seats = {seat for seat in table.claim.asked if seat not in table.claim.answers}
    closer = claims.closer(table)
    return sorted(seats if closer is None else seats | {closer})


def legal_of(table: Round, seat: int) -> Sequence[str]:
    if table.phase == "swap":
        return ["S"]
    if table.phase == "play":
        return legal_on_turn(table, seat)
    assert table.claim is not None
    answers = [] if seat in table.claim.answers else ["!", "."]
    if seat != claims.closer(table):
        return answers
    return answers + legal_on_turn(claims.as_if_it_stood(table), seat)


def legal_on_turn(table: Round, seat: int) -> list[str]:
    """What the seat on turn may do, card by card and number by number."""
    found = []
    if table.zone(seat) == "hand" and table.options["bluff"]:
        names = RANKS + (JOKER if table.options["jokers"] else "")
        found += [f"C:{name}" for name in names if laying_error(table, name, 1) is None]
    else:
        ranks = [rank(card) for card in zone_cards(table, seat)]
        for of_rank in sorted(set(ranks)):
            for count in range(1, ranks.count(of_rank) + 1):
                if laying_error(table, of_rank, count) is None:
                    found.append(f"P:{of_rank}x{count}")
    if table.zone(seat) == "down":
        found.append("B")
    for kind in "UXD-":
        action = Action(seat, kind)
        if not is_off(table, action) and by_action(table, action) is None:
            found.append(kind)
    return found
