"""How the bits of an exponent stand in words, of which one at a time is shifted out."""

FEWEST_TURNS = 4


def turns_to_end(nbits: int) -> int:
    """Return the turns of a word for about as many bits in a word as there are words."""
    turns = FEWEST_TURNS
    while 4 * turns * turns <= nbits:
        turns *= 2
    return turns


def skipping_cycles(nbits: int) -> int:
    """Count the cycles in which the most leading zeros leave: words of them, then the last ones."""
    turns = turns_to_end(nbits)
    return -(-nbits // turns) - 1 + turns - 1
