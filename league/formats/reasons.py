"""Why organisers change what stands: codes, told in the ledger; prose goes into notes."""

from typing import Final

RESULT_REASONS: Final = ["typo", "swapped", "wrong_deal", "duplicate", "ruling", "other"]
CHIP_REASONS: Final = ["late", "absent", "conduct", "table", "bonus", "other"]
UNDO: Final = "undo"
