"""What a legal action does (rules, sections 3, 4 and 6 to 8)."""

from tests.reference import claims, ending
from tests.reference.cards import in_order, rank, remove
from tests.reference.laying import fall_cause, feeding, laying_error
from tests.reference.notation import Action
from tests.reference.state import Round, begin


def carry_out(table: Round, action: Action) -> None:
    """Do a legal action as one ply, then look whether the round ends (section 10)."""
    table.events = []
    table.picked_up = False
    table.ply += 1
    if table.phase == "swap":
        swap(table, action)
    elif action.kind in "!.":
        claims.answer(table, action)
    else:
        if table.phase == "respond":
            claims.stand(table)
        on_turn(table, action)
    ending.look(table)


def swap(table: Round, action: Action) -> None:
    """Give cards from the hand, take as many from the face-up row (section 3)."""
    seat = action.seat
    remove(table.hands[seat], action.cards)
    remove(table.up[seat], action.taken)
    table.hands[seat] += action.taken
    table.up[seat] += action.cards
    table.swapped.append(seat)
    table.events.append("swap")
    if len(table.swapped) == table.players:
        begin(table)


def on_turn(table: Round, action: Action) -> None:
    seat = action.seat
    if action.kind == "P":
        zone = table.hands[seat] if table.zone(seat) == "hand" else table.up[seat]
        lay(table, zone, action.cards, rank(action.cards[0]))
        table.events.append("play")
        after_laying(table, seat, len(action.cards))
    elif action.kind == "C":
        claims.make(table, action)
    elif action.kind == "B":
        turn_over(table, seat, action.slot)
    elif action.kind == "X":
        try_the_stock(table, seat)
    elif action.kind == "D":
        table.hands[seat].append(table.stock.pop(0))
        table.drawn = True
        table.events.append("draw_first")
    elif action.kind == "U":
        table.events.append("pick_up")
        take_pile(table, seat)
        table.give_turn(table.next_after(seat))
    else:
        pass_on(table, seat)


def lay(table: Round, zone: list[str], cards: list[str], named: str) -> None:
    """Cards onto the pile in canonical order; with a card laid, passes are forgotten."""
    remove(zone, cards)
    table.pile += in_order(cards)
    table.named += [named] * len(cards)
    table.must_open = None
    table.open_freely = False
    table.passes = 0


def after_laying(table: Round, seat: int, count: int) -> None:
    """Fall or feed, refill, out, then the turn (section 4, After any play)."""
    cause = fall_cause(table, count)
    feeds = feeding(table, count)
    taker = table.next_after(seat)
    if cause is not None:
        table.events.append(f"fall:{cause}")
        table.fallen += len(table.pile)
        table.pile, table.named, table.notes = [], [], []
    elif feeds is not None:
        table.events.append(f"fed:{taker}")
        take_pile(table, taker)
    refill(table, seat)
    go_out(table, seat)
    if table.phase == "over":
        return
    if cause is not None:
        turn_to_or_after(table, seat)
    elif feeds is None:
        table.give_turn(table.next_after(seat))
    elif feeds == "feeds_again" and seat in table.active():
        table.give_turn(seat)
    else:
        table.give_turn(table.next_after(taker))


def turn_over(table: Round, seat: int, slot: int) -> None:
    """A face-down card: a normal play if it fits, else it and the pile are his (section 8)."""
    card = table.down[seat][slot]
    assert card is not None
    table.down[seat][slot] = None
    lay_or_take(table, seat, card, "blind")


def try_the_stock(table: Round, seat: int) -> None:
    """The top stock card, judged when it is off the stock (section 7, stock_chance)."""
    lay_or_take(table, seat, table.stock.pop(0), "chance")


def lay_or_take(table: Round, seat: int, card: str, event: str) -> None:
    if laying_error(table, rank(card), 1) is None:
        lay(table, [card], [card], rank(card))
        table.events.append(event)
        after_laying(table, seat, 1)
        return
    table.events.append(f"{event}_failed")
    table.hands[seat].append(card)
    take_pile(table, seat)
    table.passes = 0
    table.give_turn(table.next_after(seat))


def take_pile(table: Round, seat: int) -> None:
    """The whole pile into a hand; nothing is drawn, and the position will be noted."""
    table.hands[seat] += table.pile
    table.pile, table.named = [], []
    table.picked_up = True


def pass_on(table: Round, seat: int) -> None:
    """Nothing fits an empty pile; when all have passed any card may open (section 4, Pass)."""
    table.events.append("pass")
    table.passes += 1
    if table.passes == len(table.active()):
        table.open_freely = True
    table.give_turn(table.next_after(seat))


def refill(table: Round, seat: int) -> None:
    """Draw up to `hand_size`, as far as the stock goes (section 7)."""
    size = table.options["hand_size"]
    drawn = 0
    while size != "all" and len(table.hands[seat]) < size and table.stock:
        table.hands[seat].append(table.stock.pop(0))
        drawn += 1
    if drawn:
        table.events.append(f"drew:{drawn}")


def go_out(table: Round, seat: int) -> None:
    """Who holds nothing is out; the last one left is the Paskahousu (section 4)."""
    if table.cards_held(seat) > 0:
        return
    table.out.append([seat])
    table.events.append(f"out:{seat}")
    if len(table.active()) == 1:
        table.out.append(table.active())
        ending.close(table, "over")


def turn_to_or_after(table: Round, seat: int) -> None:
    """The same player again if he is still in, else the next one."""
    table.give_turn(seat if seat in table.active() else table.next_after(seat))
