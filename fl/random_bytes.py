"""A stand-in for a source of random bytes, in simulations: Marsaglia's xorshift of 32 bits.

What it gives can be foretold, so that no key or padding of worth may be made
of it. Every state but 0 comes once in 2^32 - 1 steps, from the same first one always.
"""

from collections.abc import Iterator

FIRST = 0x9E3779B9
MASK = 0xFFFFFFFF


def step(state: int) -> int:
    """Return the state after this one."""
    state ^= state << 13 & MASK
    state ^= state >> 17
    return state ^ (state << 5 & MASK)


def random_bytes() -> Iterator[int]:
    """Yield the low byte of each state."""
    state = FIRST
    while True:
        yield state & 0xFF
        state = step(state)
