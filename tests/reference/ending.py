"""Stalemate and cap (rules, section 10)."""

from tests.reference.state import Round, position


def look(table: Round) -> None:
    """Note the position after a pick-up; end the round at a repetition or the last ply."""
    if table.phase == "over":
        return
    if table.picked_up and not (table.options["bluff"] and table.stock):
        table.notes.append(position(table))
        if table.notes.count(table.notes[-1]) >= table.options["stalemate_repeats"]:
            rank_by_cards(table)
            close(table, "stalemate")
            return
    if table.ply >= table.options["max_plies"]:
        rank_by_cards(table)
        close(table, "ply_cap")


def rank_by_cards(table: Round) -> None:
    """Those left follow by number of cards held, fewest first; equal shares a place."""
    left = table.active()
    for number in sorted({table.cards_held(seat) for seat in left}):
        table.out.append([seat for seat in left if table.cards_held(seat) == number])


def close(table: Round, event: str) -> None:
    table.phase = "over"
    table.turn = None
    table.claim = None
    table.events.append(event)
