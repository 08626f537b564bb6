"""Lots drawn from a seed: the same seed and label give the same order, anywhere, for ever."""

import hmac
from collections.abc import Iterable


def shuffled(seed: bytes, label: str, numbers: Iterable[int]) -> list[int]:
    """Put `numbers` in the order of their lots; the lot of one depends on no other."""
    return sorted(numbers, key=lambda number: (_lot(seed, label, number), number))


def _lot(seed: bytes, label: str, number: int) -> bytes:
    return hmac.digest(seed, f"{label}/{number}".encode(), "sha256")
