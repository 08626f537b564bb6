"""Actions as bytes: one for nearly all of them. Knows how codes are written, not what they do.

A code below 255 is its own byte. A wider one is 255, then seven bits a byte, lowest first, all but
the last with the high bit set.
"""

from collections.abc import Iterator

from games.engine.actions import parse_loose
from games.engine.game import Game
from games.engine.judge import judge
from games.engine.spoken import text_of

_ESCAPE = 255


def encode_action(game: Game, seat: int, text: str) -> bytes:
    """An action, before it is pushed. Raises `IllegalAction`."""
    return encode(judge(game, seat, parse_loose(text)))


def encode_log(game: Game) -> bytes:
    """All actions of a game."""
    return b"".join(map(encode, game.log))


def decode_actions(game: Game, data: bytes) -> Game:
    """Replay trusted bytes on the game they start from, and return it."""
    game.replay(decode(data) if _ESCAPE in data else data)
    return game


def count_actions(data: bytes) -> int:
    """How many actions the bytes hold.

    >>> count_actions(encode(127) + encode(300))
    2
    """
    return sum(1 for _ in decode(data)) if _ESCAPE in data else len(data)


def iter_actions(game: Game, data: bytes) -> Iterator[tuple[int, str]]:
    """As `decode_actions`, giving seat and canonical text of each action once it is pushed."""
    for code in decode(data):
        said = text_of(game, code)
        game.push(code)
        yield said


def encode(code: int) -> bytes:
    """One code as bytes.

    >>> encode(127), encode(300)
    (b'\\x7f', b'\\xff\\xac\\x02')
    """
    if code < _ESCAPE:
        return bytes((code,))
    out = [_ESCAPE]
    while code > 0x7F:
        out.append(code & 0x7F | 0x80)
        code >>= 7
    return bytes((*out, code))


def decode(data: bytes) -> Iterator[int]:
    """The codes that bytes hold."""
    at = iter(data)
    for byte in at:
        yield byte if byte != _ESCAPE else _wide(at)


def _wide(at: Iterator[int]) -> int:
    code = shift = 0
    for byte in at:
        code |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return code
