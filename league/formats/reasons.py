"""How and why organisers change what stands: codes, which the ledger tells; prose is in notes."""

from typing import Final

RESULT_REASONS: Final = ["typo", "swapped", "wrong_deal", "duplicate", "ruling", "other"]
CHIP_REASONS: Final = ["late", "absent", "conduct", "table", "bonus", "other"]
CHANGES: Final = ["correct", "void", "undo"]
UNDO: Final = "undo"
