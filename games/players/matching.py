"""Guests to rooms: one way to give everybody a room that he may have. Knows no cards."""

from collections.abc import Iterator, Sequence


def placed(may: Sequence[int], room: Sequence[int], order: Sequence[int]) -> list[int] | None:
    """For each guest a room out of the set `may`, no room fuller than `room` says; by augmenting
    paths, guests in this order. None if there is no way."""
    inside: list[list[int]] = [[] for _ in room]
    for guest in order:
        if not _place(guest, may, room, inside, set()):
            return None
    at = [0] * len(may)
    for number, guests in enumerate(inside):
        for guest in guests:
            at[guest] = number
    return at


def _place(
    guest: int, may: Sequence[int], room: Sequence[int], inside: list[list[int]], tried: set[int]
) -> bool:
    rooms = [number for number in bits(may[guest]) if number not in tried]
    for number in rooms:
        if len(inside[number]) < room[number]:
            inside[number].append(guest)
            return True
    for number in rooms:
        if number in tried:
            continue
        tried.add(number)
        for index, other in enumerate(inside[number]):
            if _place(other, may, room, inside, tried):
                inside[number][index] = guest
                return True
    return False


def bits(mask: int) -> Iterator[int]:
    """The members of a set of small numbers."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
