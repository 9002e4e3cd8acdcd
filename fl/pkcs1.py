"""The blocks of PKCS#1 v1.5, k bytes for a modulus of k bytes (document 000, equations 27 and 28).

    kind 2  00 02 PS 00 M  encrypts: PS of random bytes, none of them 0
    kind 1  00 01 PS 00 M  signs: PS of bytes FF

PS has 8 bytes or more, so that k - 11 are left for the message M. As integers the last byte of M is
the lowest: M stands in a block where it stands by itself, and nothing is shifted.

OAEP and PSS are not here: their masks are made by a hash, which is hardware of its own. Software
that has one pads by them, and asks for the power alone.
"""

from collections.abc import Sequence

PLAIN, SIGNATURE, ENCRYPTION = range(3)  # kinds of block; PLAIN is none

LEAST_PADDING = 8
OVERHEAD = LEAST_PADDING + 3
LEAST_BYTES = OVERHEAD + 1  # of a modulus for which blocks are made
FIRST_END = LEAST_PADDING + 2  # the least place, from the top, of the 00 before M


def modulus_bytes(modulus: int) -> int:
    """Return k, the bytes of the modulus."""
    return -(-modulus.bit_length() // 8)


def has_blocks(kind: int, k: int) -> bool:
    """Return whether there are blocks of this kind with k bytes, and room for a message."""
    return kind in (SIGNATURE, ENCRYPTION) and k >= LEAST_BYTES


def pad(kind: int, message: int, length: int, k: int, drawn: Sequence[int] = ()) -> int:
    """Return the block around the low bytes of the message, at most k - 11 of them.

    drawn: k random bytes, none of them 0, one for each place from the top; those of PS are used.
    """
    length = min(length, k - OVERHEAD)
    padding = drawn[2 : k - 1 - length] if kind == ENCRYPTION else b"\xff" * (k - 3 - length)
    low = message & (1 << 8 * length) - 1
    return int.from_bytes(bytes([0, kind, *padding, 0]) + low.to_bytes(length), "big")


def unpad(kind: int, block: int, k: int) -> int | None:
    """Return the length of the message in a block of k bytes, None if it is no such block."""
    content = block.to_bytes(k)
    end = content.find(0, 2)
    if content[:2] != bytes([0, kind]) or end < FIRST_END:
        return None
    if kind == SIGNATURE and set(content[2:end]) != {0xFF}:
        return None
    return k - 1 - end
