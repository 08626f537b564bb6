"""Lots drawn from a seed: the same seed and label give the same order, anywhere, for ever."""

import hmac
from collections.abc import Iterable, Mapping


def shuffled(seed: bytes, label: str, numbers: Iterable[int]) -> list[int]:
    """Put `numbers` in the order of their lots; the lot of one depends on no other."""
    return sorted(numbers, key=lambda number: (_lot(seed, label, number), number))


def seeding(ratings: Mapping[int, int | None], seed: bytes) -> tuple[int, ...]:
    """Entry numbers in order of seed: by rating, the unrated after them, equals by lot."""
    by_lot = shuffled(seed, "seeding", ratings)
    rated = {number: rating for number, rating in ratings.items() if rating is not None}
    return tuple(sorted(by_lot, key=lambda n: (n not in rated, -rated.get(n, 0))))


def _lot(seed: bytes, label: str, number: int) -> bytes:
    return hmac.digest(seed, f"{label}/{number}".encode(), "sha256")
