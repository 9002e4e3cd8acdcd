"""Blocks of PKCS#1 v1.5 that are none, each wrong in one way, and the right ones next to them."""

from collections.abc import Iterator
from random import Random

from fl.pkcs1 import ENCRYPTION, OVERHEAD, SIGNATURE


def padding(kind: int, length: int, rng: Random) -> bytes:
    """The bytes of PS."""
    return b"\xff" * length if kind == SIGNATURE else bytes(rng.choices(range(1, 256), k=length))


def good_blocks(kind: int, k: int, seed: int) -> Iterator[tuple[str, bytes, bytes]]:
    """(name, block, message): messages of every length that fits, of random bytes and of zeros."""
    rng = Random(f"good {kind} {k} {seed}")
    for length in sorted({0, 1, (k - OVERHEAD) // 2, k - OVERHEAD}):
        for message in sorted({rng.randbytes(length), bytes(length)}):
            head = bytes([0, kind]) + padding(kind, k - 3 - length, rng)
            yield f"{length} bytes", head + b"\0" + message, message


def bad_blocks(kind: int, k: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """(name, block): a byte too many, too few or wrong at every place of the head."""
    rng = Random(f"bad {kind} {k} {seed}")
    for name, good, message in good_blocks(kind, k, seed):
        for first in (1, 0x40):
            yield f"begins with {first:02x}, {name}", bytes([first]) + good[1:]
        for second in sorted({0, 1, 2, 3, kind | 0x80, 0xFF} - {kind}):
            yield f"of kind {second:02x}, {name}", good[:1] + bytes([second]) + good[2:]
        end = k - 1 - len(message)
        for place in range(2, 10):
            yield f"ends at {place}, {name}", good[:place] + b"\0" + good[place + 1 :]
        if kind == SIGNATURE:
            for place in range(2, end):
                wrong = rng.choice((0xFE, 0x7F, 0x01))
                changed = good[:place] + bytes([wrong]) + good[place + 1 :]
                yield f"{wrong:02x} at {place}, {name}", changed
    yield "without an end", bytes([0, kind]) + padding(kind, k - 2, rng)
    yield "zero", bytes(k)
    if kind == ENCRYPTION:
        yield "random", b"\0\3" + rng.randbytes(k - 2)
