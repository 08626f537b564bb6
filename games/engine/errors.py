"""What the engine refuses, each with a code and data. Knows nothing of HTTP or of languages."""

from enum import StrEnum


class Code(StrEnum):
    """Error codes of illegal actions (rules.md section 12)."""

    MALFORMED_ACTION = "malformed_action"
    ROUND_OVER = "round_over"
    OPTION_OFF = "option_off"
    WRONG_PHASE = "wrong_phase"
    ALREADY_ACTED = "already_acted"
    NOT_YOUR_TURN = "not_your_turn"
    WINDOW_CLOSED = "window_closed"
    MAY_NOT_CHALLENGE = "may_not_challenge"
    NOT_YOUR_CARD = "not_your_card"
    WRONG_ZONE = "wrong_zone"
    CLAIM_REQUIRED = "claim_required"
    MIXED_RANKS = "mixed_ranks"
    NO_SUCH_SLOT = "no_such_slot"
    PILE_EMPTY = "pile_empty"
    STOCK_EMPTY = "stock_empty"
    NOT_STUCK = "not_stuck"
    ALREADY_DRAWN = "already_drawn"
    CAN_ACT = "can_act"
    SWAP_UNEQUAL = "swap_unequal"
    MUST_OPEN_WITH = "must_open_with"
    MAY_NOT_OPEN = "may_not_open"
    SEVEN_STOP = "seven_stop"
    TWO_BARRED = "two_barred"
    TEN_BARRED = "ten_barred"
    ONLY_TEN_ON_TEN = "only_ten_on_ten"
    ONLY_ACE_ON_ACE = "only_ace_on_ace"
    ONLY_TWO_ON_TWO = "only_two_on_two"
    ACE_NEEDS_COURT = "ace_needs_court"
    COURT_FLOOR = "court_floor"
    TOO_LOW = "too_low"
    ONE_COURT = "one_court"
    ONE_SPECIAL = "one_special"


class RulesCode(StrEnum):
    """Error codes of rule sets and deals (rules.md sections 2 and 11)."""

    UNKNOWN_PRESET = "unknown_preset"
    UNKNOWN_OPTION = "unknown_option"
    BAD_OPTION_VALUE = "bad_option_value"
    OPTION_CONFLICT = "option_conflict"
    DEAL_IMPOSSIBLE = "deal_impossible"


class EngineError(Exception):
    """Base of all refusals: `code` for machines, `data` beside it."""

    def __init__(self, code: str, data: dict[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = str(code)
        self.data = data or {}


class IllegalAction(EngineError):  # noqa: N818
    """An action that the rules refuse; the game is unchanged."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)


class RulesError(EngineError):
    """A rule set or a deal that can't be; `option` names the option at fault, if one is."""

    def __init__(self, code: RulesCode, option: str | None = None) -> None:
        super().__init__(code, {} if option is None else {"option": option})
        self.option = option


class MalformedRecord(EngineError):  # noqa: N818
    """A record that can't be read; `detail` as records.md lists them."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed_record", {"detail": detail})
        self.detail = detail
