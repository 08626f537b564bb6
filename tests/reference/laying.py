"""What may be laid on the pile, and what then falls or feeds (rules, sections 5 and 6)."""

from tests.reference.cards import COURTS, JOKER, SPECIALS, strength
from tests.reference.state import Round

LOW = "3456789"


def effective_top(table: Round, named: list[str]) -> str | None:
    """The rank that is judged against; None for an empty pile or only invisible 3s."""
    for of_rank in reversed(named):
        if of_rank == "3" and table.options["invisible_threes"]:
            continue
        return of_rank
    return None


def relaxed(table: Round, name: str) -> bool:
    return not table.stock and name in table.options["relax_after_stock"]


def court_floor(table: Round) -> int:
    """`court_floor` as it holds now."""
    if relaxed(table, "courts"):
        return 0
    if not table.stock and table.options["court_floor_after_stock"] == 0:
        return 0
    floor: int = table.options["court_floor"]
    return floor


def reaches_floor(table: Round, top: str) -> bool:
    """One of 3-9, J, Q, K that is at least `court_floor`."""
    if top in COURTS:
        return True
    return top in LOW and int(top) >= court_floor(table)


def may_open(table: Round, of_rank: str) -> bool:
    """The three `..._on_empty` options, for a truly empty pile (section 5)."""
    if table.open_freely:
        return True
    if of_rank in COURTS:
        courts = table.options["courts_on_empty"]
        if courts == "yes" or relaxed(table, "courts"):
            return True
        return courts == "not_while_stock" and not table.stock
    if of_rank == "T":
        return bool(table.options["ten_on_empty"] != "illegal")
    if of_rank == "A":
        return bool(table.options["ace_on_empty"] != "illegal")
    return True


def fits(table: Round, of_rank: str, top: str) -> bool:
    """The table of section 5: may this rank be laid on that effective top?"""
    options = table.options
    after_two_any = options["after_two"] == "any" or relaxed(table, "twos")
    if of_rank == JOKER:
        return True
    if of_rank == "3" and options["invisible_threes"]:
        return True
    if top == "7" and options["seven_stop"]:
        return of_rank in "345672"
    if of_rank in LOW:
        if top == "2":
            return after_two_any
        return top in LOW and strength(top) <= strength(of_rank)
    if of_rank == "T":
        ten_on = "any" if relaxed(table, "tens") else options["ten_on"]
        if ten_on == "any":
            return True
        if ten_on == "not_two":
            return top != "2"
        return top in LOW or top == "T" or (top == "2" and after_two_any)
    if of_rank in COURTS:
        if top == "2":
            return after_two_any
        return reaches_floor(table, top) and strength(top) <= strength(of_rank)
    if of_rank == "A":
        if top == "2":
            return after_two_any
        if options["ace_on"] == "floor" and reaches_floor(table, top):
            return True
        return top in COURTS or top == "A"
    return options["two_on"] == "any" or top not in "AT"


def why_it_does_not_fit(table: Round, of_rank: str, top: str) -> str:
    """Section 12, step 5."""
    if top == "7" and table.options["seven_stop"]:
        return "seven_stop"
    if of_rank == "2":
        return "two_barred"
    if of_rank == "T":
        return "ten_barred"
    if top == "T":
        return "only_ten_on_ten"
    if top == "A":
        return "only_ace_on_ace"
    if top == "2":
        return "only_two_on_two"
    if of_rank == "A":
        return "court_floor" if table.options["ace_on"] == "floor" else "ace_needs_court"
    if of_rank in COURTS and top in LOW:
        return "court_floor"
    return "too_low"


def laying_error(table: Round, of_rank: str, count: int) -> str | None:
    """Section 12, step 4; None if the play is legal."""
    if table.must_open is not None:
        if of_rank != table.must_open:
            return "must_open_with"
    elif not table.pile:
        if not may_open(table, of_rank):
            return "may_not_open"
    else:
        top = effective_top(table, table.named)
        if top is not None and not fits(table, of_rank, top):
            return why_it_does_not_fit(table, of_rank, top)
    if count > 1 and of_rank in COURTS and table.options["courts_per_play"] == "one":
        return "one_court"
    if count > 1 and of_rank in SPECIALS and table.options["specials_per_play"] == "one":
        return "one_special"
    return None


def run_on_top(table: Round) -> int:
    """How many cards of the top rank lie there, invisible 3s skipped (section 6.3)."""
    top = table.named[-1]
    run = 0
    for of_rank in reversed(table.named):
        if of_rank == top:
            run += 1
        elif not (of_rank == "3" and table.options["invisible_threes"]):
            break
    return run


def fall_cause(table: Round, count: int) -> str | None:
    """Why the pile falls by the `count` cards just laid on it (section 6); the first cause."""
    options = table.options
    of_rank, before = table.named[-1], table.named[:-count]
    top = effective_top(table, before)
    if of_rank == "T":
        if before and top != "T":
            return "ten"
        if not before and options["ten_on_empty"] == "falls":
            return "ten"
    if of_rank == "A":
        if options["ace_falls"] and top is not None and top in COURTS:
            return "ace"
        if relaxed(table, "aces") and before:
            return "ace"
        if not before and options["ace_on_empty"] == "falls":
            return "ace"
    if of_rank == JOKER:
        return "joker"
    four_count = options["four_falls"] and (of_rank != "2" or options["four_twos_fall"])
    return "four" if four_count and run_on_top(table) >= 4 else None


def feeding(table: Round, count: int) -> str | None:
    """`feeds_again` or `feeds_pass` if the `count` cards just laid feed (section 6, Feeding).

    Four or more never do: they fall, or lie there where `four_falls` is off.
    """
    of_rank = table.named[-1]
    if len(table.pile) != count or of_rank not in "TA" or count >= 4:
        return None
    setting: str = table.options["ten_on_empty" if of_rank == "T" else "ace_on_empty"]
    return setting if setting in ("feeds_again", "feeds_pass") else None
