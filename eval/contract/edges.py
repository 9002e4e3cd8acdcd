"""The integers at the edges of a width, which every table of cases takes."""


def edges(nbits: int) -> dict[str, int]:
    """Name the integers at the edges of nbits; nbits >= 2."""
    ones, top = (1 << nbits) - 1, 1 << (nbits - 1)
    return {
        "0": 0,
        "1": 1,
        "2": 2,
        "3": 3,
        "ones": ones,
        "ones-1": ones - 1,
        "top": top,
        "top+1": top + 1,
        "top-1": top - 1,
    }
