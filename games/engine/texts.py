"""Plain sentences for options, error codes, readings and tips (rules.md sections 11 to 14).

English by message id, translated elsewhere. Says which of them a rule set makes true; decides no
rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from games.engine.rules import (
    AceOn,
    AfterTwo,
    OnEmpty,
    PerPlay,
    PickUp,
    Rules,
    StockChance,
    TenOn,
    TwoOn,
)

ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "malformed_action": "This is not an action.",
        "round_over": "The deal is over.",
        "option_off": "These rules have no such action.",
        "wrong_phase": "This can't be done now.",
        "already_acted": "You have already answered.",
        "not_your_turn": "It is not your turn.",
        "window_closed": "It is too late to answer the claim.",
        "may_not_challenge": "You are not asked about this claim.",
        "not_your_card": "You do not hold this card.",
        "wrong_zone": "You can't play from there yet.",
        "claim_required": "Cards from the hand are laid face down, with a claim.",
        "mixed_ranks": "Cards laid together must be of one rank.",
        "no_such_slot": "No face-down card lies there.",
        "pile_empty": "The pile is empty.",
        "stock_empty": "The stock is empty.",
        "not_stuck": "This is only for a player who can't lay anything.",
        "already_drawn": "You have already drawn a card this turn.",
        "can_act": "You may pass only when you can do nothing else.",
        "swap_unequal": "Give and take the same number of cards.",
        "must_open_with": "The first play must be of the rank that decided who begins.",
        "may_not_open": "This rank may not open an empty pile.",
        "seven_stop": "After a 7 only 3 to 7, a 2 or a joker may be laid.",
        "two_barred": "A 2 may not be laid on an ace or a ten.",
        "ten_barred": "A ten may not be laid here.",
        "only_ten_on_ten": "Only a ten may be laid on a ten.",
        "only_ace_on_ace": "Only an ace may be laid on an ace.",
        "only_two_on_two": "Only a 2 may be laid on a 2.",
        "ace_needs_court": "An ace may be laid on a court or an ace only.",
        "court_floor": "The card on top is too low for this one.",
        "too_low": "The card must be equal to the top card or higher.",
        "one_court": "Only one court may be laid at a time.",
        "one_special": "Only one 2, ten or ace may be laid at a time.",
        "unknown_preset": "There is no such preset.",
        "unknown_option": "There is no such option.",
        "bad_option_value": "This option has no such value.",
        "option_conflict": "These options do not go together.",
        "deal_impossible": "There are not enough cards for so many players.",
        "malformed_record": "This is not a record that can be read.",
    }
)

_BOOL: Final = {
    "ace_falls": ("An ace laid on a court stays.", "An ace laid on a court makes the pile fall."),
    "four_falls": ("Four of a kind stay.", "Four of a kind on top make the pile fall."),
    "four_twos_fall": ("Four 2s stay.", "Four 2s fall like any four of a kind."),
    "invisible_threes": (
        "A 3 is an ordinary card.",
        "A 3 may be laid on anything, and the card below it still counts.",
    ),
    "seven_stop": (
        "A 7 is an ordinary card.",
        "On a 7 only 3 to 7, a 2 or a joker may be laid.",
    ),
    "draw_first": (
        "Cards are drawn after a play.",
        "Once a turn a card may be drawn before playing.",
    ),
    "bluff": (
        "Cards are laid face up.",
        "Cards from the hand are laid face down and named; whoever doubts may challenge.",
    ),
}
_WORD: Final = {
    "swap": {
        "none": "Rows stay as dealt.",
        "before_play": "Before play each may swap cards between hand and face-up row.",
    },
    "first_player": {
        "left_of_dealer": "The player left of the dealer begins.",
        "most_lowest": "Whoever holds most 3s begins; if nobody has any, most 4s, and so on.",
    },
    "opening": {
        "any": "The first play may be of any rank.",
        "deciding_rank": "The first play must be of the rank that decided who begins.",
    },
    "ten_on": {
        "any": "A ten may be laid on anything.",
        "low": "A ten may be laid on 3 to 9 and on a ten.",
        "not_two": "A ten may be laid on anything but a 2.",
    },
    "ten_on_empty": {
        "falls": "A ten laid on an empty pile falls.",
        "stays": "A ten laid on an empty pile stays.",
        "feeds_again": "A ten laid on an empty pile goes to the next player; its owner plays on.",
        "feeds_pass": "A ten laid on an empty pile goes to the next player, who misses a turn.",
        "illegal": "A ten may not open an empty pile.",
    },
    "ace_on": {
        "courts": "An ace may be laid on courts and aces.",
        "floor": "An ace may be laid on what courts may be laid on, and on aces.",
    },
    "ace_on_empty": {
        "falls": "An ace laid on an empty pile falls.",
        "stays": "An ace laid on an empty pile stays.",
        "feeds_again": "An ace laid on an empty pile goes to the next player; its owner plays on.",
        "feeds_pass": "An ace laid on an empty pile goes to the next player, who misses a turn.",
        "illegal": "An ace may not open an empty pile.",
    },
    "two_on": {
        "except_ace_ten": "A 2 may be laid on anything but an ace or a ten.",
        "any": "A 2 may be laid on anything.",
    },
    "after_two": {
        "any": "On a 2 anything may be laid.",
        "twos": "On a 2 only a 2 may be laid.",
    },
    "courts_on_empty": {
        "yes": "Courts may open an empty pile.",
        "no": "Courts may not open an empty pile.",
        "not_while_stock": "Courts may open an empty pile only once the stock is gone.",
    },
    "courts_per_play": {
        "any": "Several courts of a rank may be laid at once.",
        "one": "Courts are laid one at a time.",
    },
    "specials_per_play": {
        "any": "Several 2s, tens or aces may be laid at once.",
        "one": "2s, tens and aces are laid one at a time.",
    },
    "pick_up": {
        "when_stuck": "The pile is picked up by who can't lay anything.",
        "any_time": "The pile may be picked up at any time.",
    },
    "stock_chance": {
        "off": "A player who can't lay anything picks up.",
        "when_stuck": "Who can't lay anything may try the top card of the stock.",
    },
    "challengers": {
        "anyone": "All others may challenge a claim.",
        "next_player": "Only the next player may challenge a claim.",
    },
    "challenge_mode": {
        "sealed": "All answer a claim unseen; of several challenges the nearest clockwise counts.",
        "first": "The first challenge counts; when the next player plays on it is too late.",
    },
    "after_truth": {
        "claimant_opens": "After a true claim was challenged its player opens.",
        "left_of_challenger": "After a true claim was challenged the player after the challenger "
        "opens.",
    },
    "after_lie": {
        "left_of_liar": "After a lie was caught the player after the liar opens.",
        "challenger_opens": "After a lie was caught the challenger opens.",
    },
    "true_fall": {
        "challenger_takes": "A true claim that would fall goes to the challenger.",
        "pile_falls": "A true claim that would fall falls although it was challenged.",
    },
}
_RELAXED: Final = {
    "aces": "an ace makes any pile fall that it is laid on",
    "courts": "courts may open and go on any lower card",
    "tens": "a ten goes on anything",
    "twos": "anything goes on a 2",
}


def _floor(value: object) -> str:
    return f"Courts may be laid on a {value} or higher." if value else "Courts go on any low card."


def _relaxations(value: object) -> str:
    if not isinstance(value, tuple) or not value:
        return "Nothing changes when the stock is gone."
    return f"Once the stock is gone {', '.join(_RELAXED[name] for name in value)}."


_NUMBER: Final[Mapping[str, Callable[[object], str]]] = {
    "decks": lambda v: "As many packs as are needed." if v == "auto" else f"Packs: {v}.",
    "second_deck_from": lambda v: (
        f"From {v} players on there are two packs." if v else "A second pack only when needed."
    ),
    "jokers": lambda v: f"Jokers in the pack: {v}." if v else "There are no jokers.",
    "hand_size": lambda v: (
        "All cards are dealt; there is no stock."
        if v == "all"
        else f"Each holds {v} cards and draws up to {v}."
    ),
    "hand_batches": lambda v: (
        f"Hands are dealt in batches of {', '.join(map(str, v))}."
        if isinstance(v, tuple)
        else "Hands are dealt one card at a time."
    ),
    "face_down": lambda v: f"Face-down cards each: {v}." if v else "There is no face-down row.",
    "face_up": lambda v: f"Face-up cards each: {v}." if v else "There is no face-up row.",
    "court_floor": _floor,
    "court_floor_after_stock": lambda v: (
        "Courts need the same card below them to the end."
        if v is None
        else "Once the stock is gone courts go on any low card."
    ),
    "relax_after_stock": _relaxations,
    "max_plies": lambda v: f"A deal ends at the latest after {v} actions.",
    "stalemate_repeats": lambda v: f"The same position {v} times is a stalemate.",
}


def option_text(rules: Rules, option: str) -> tuple[str, str]:
    """Message id and sentence of what a rule set says about one option."""
    value = getattr(rules, option)
    if option in _BOOL:
        return f"option.{option}.{'yes' if value else 'no'}", _BOOL[option][bool(value)]
    if option in _WORD:
        return f"option.{option}.{value}", _WORD[option][str(value)]
    return f"option.{option}", _NUMBER[option](value)


READINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "five_need_two_packs": "Five players need 55 cards, so two packs are used.",
        "ten_never_stays": "Every ten clears itself, so nothing is ever laid on a ten.",
        "ten_on_ace": "No source bars a ten from any card.",
        "out_from_hand": "Who holds nothing is out, whatever the last card came from.",
        "free_slot": "A face-down card is chosen by its owner, who has not seen it.",
        "long_row_overhang": "Two of the five face-up cards lie on nothing.",
        "threes_skip": "An invisible 3 neither counts in another four of a kind nor breaks it.",
        "seven_stop_specials": "A 2 and a joker pass the stop of a 7, a ten does not.",
        "bluff_table": "Rows are played openly, and the pile may be picked up at any time.",
        "draw_first_off": "Drawing before playing is a house rule here.",
        "relax_aces": "Relaxed aces clear whatever they are laid on.",
        "one_court_per_play": "The extra play after a fall is a new turn.",
        "two_spanish": "Two different games are called Spanish; this one deals three of each.",
        "at_most_six": "Six can play here; a table with typed results seats up to ten.",
        "sealed_answers": "Claims are answered unseen, so that speed does not decide.",
        "stalemate": "No source ends a loop: here a position that comes again too often does.",
    }
)

_TOUCHED: Final[Mapping[str, Callable[[Rules], bool]]] = {
    "five_need_two_packs": lambda r: r.decks == "auto" and _dealt(r) * 5 > 52 + r.jokers,
    "ten_never_stays": lambda r: r.ten_on is TenOn.ANY and r.ten_on_empty is OnEmpty.FALLS,
    "ten_on_ace": lambda r: r.ten_on is TenOn.ANY,
    "out_from_hand": lambda r: r.face_down > 0,
    "free_slot": lambda r: r.face_down > 0,
    "long_row_overhang": lambda r: r.face_up > r.face_down > 0,
    "threes_skip": lambda r: r.invisible_threes,
    "seven_stop_specials": lambda r: r.seven_stop,
    "bluff_table": lambda r: r.bluff and r.face_up > 0,
    "draw_first_off": lambda r: not r.draw_first and r.hand_size != "all",
    "relax_aces": lambda r: "aces" in r.relax_after_stock,
    "one_court_per_play": lambda r: PerPlay.ONE in (r.courts_per_play, r.specials_per_play),
    "two_spanish": lambda r: r.hand_size == r.face_down == r.face_up == 3,
    "at_most_six": lambda r: r.second_deck_from == 6,
    "sealed_answers": lambda r: r.bluff and r.challenge_mode == "sealed",
    "stalemate": lambda _: True,
}


def readings(rules: Rules) -> list[str]:
    """Names of the readings that touch a rule set, in the order of section 13."""
    return [name for name in READINGS if _TOUCHED[name](rules)]


def _dealt(rules: Rules) -> int:
    hand = 1 if rules.hand_size == "all" else rules.hand_size
    return rules.face_down + rules.face_up + hand


TIPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tip_swap": "2s, 10s and aces belong in the face-up row: they are the way out when blind "
        "cards turn up.",
        "tip_keep": "Keep a 2 or a 10 for the moment a heavy pile would be yours: after a 2 others "
        "may go on low, a 10 takes the pile away.",
        "tip_threshold": "On a low card no court goes until somebody lays 7, 8, 9 or a 2: do not "
        "be left with kings.",
        "tip_count": "Count tens and twos: when all tens are gone only four of a kind or a joker "
        "clears.",
        "tip_high": "When the stock is empty and hands shrink, get rid of high cards: rows are "
        "riskier than a hand.",
        "tip_ace": "Keep an ace for when somebody is about to go out: on an ace hardly anything "
        "goes.",
    }
)

_TIP_HOLDS: Final[Mapping[str, Callable[[Rules], bool]]] = {
    "tip_swap": lambda r: r.swaps and r.face_down > 0,
    "tip_keep": lambda r: r.after_two is AfterTwo.ANY and r.ten_on is TenOn.ANY,
    "tip_threshold": lambda r: r.court_floor > 0 and r.after_two is AfterTwo.ANY,
    "tip_count": lambda r: r.four_falls and not r.ace_falls and r.ten_on is TenOn.ANY,
    "tip_high": lambda r: r.face_up + r.face_down > 0 and r.hand_size != "all",
    "tip_ace": lambda r: (
        r.ace_on is AceOn.COURTS
        and r.two_on is TwoOn.EXCEPT_ACE_TEN
        and not r.ace_falls
        and r.pick_up is PickUp.WHEN_STUCK
        and r.stock_chance is StockChance.OFF
    ),
}


def tips(rules: Rules) -> list[str]:
    """Message ids of the tips that a rule set makes true."""
    return [name for name in TIPS if _TIP_HOLDS[name](rules)]
