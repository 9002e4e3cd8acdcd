"""Lift PyMTL3's limit on the width of Bits, so that every design runs at 8 to 4096 bits.

PyMTL3 3.1 refuses Bits of 1024 and more in two places of one module: the check in
``Bits.__init__`` and the length of its two tables of bounds. Both are widened here;
narrow Bits keep PyMTL3's own code. Importing this module is enough.
"""

from pymtl3.datatypes import PythonBits

MAX_BITS = 16384  # a 4096-bit exponentiation request has 12288 bits
FIRST_WIDE = 1024

_narrow_init = PythonBits.Bits.__init__


def _wide_init(
    self: PythonBits.Bits, nbits: int, v: int | PythonBits.Bits = 0, trunc_int: bool = False
) -> None:
    """Make Bits of any width up to MAX_BITS, by the rules and errors of PyMTL3's narrow Bits."""
    nbits = int(nbits)
    if nbits < FIRST_WIDE or nbits > MAX_BITS:
        _narrow_init(self, nbits, v, trunc_int)
        return
    if isinstance(v, PythonBits.Bits):
        if v.nbits != nbits:
            raise ValueError(f"Bits{v.nbits} does not fit Bits{nbits}: use zext, sext or trunc")
        v = v.uint()
    v = int(v)
    low, high = PythonBits._lower[nbits], PythonBits._upper[nbits]
    if not trunc_int and not low <= v <= high:
        raise ValueError(f"Value {v:#x} is too wide for Bits{nbits}")
    self._nbits = nbits
    self._uint = v & high


def lift_limit() -> None:
    """Widen PyMTL3's bounds once; calling it again changes nothing."""
    for nbits in range(len(PythonBits._upper), MAX_BITS + 1):
        PythonBits._upper.append((1 << nbits) - 1)
        PythonBits._lower.append(-(1 << (nbits - 1)))
    PythonBits.Bits.__init__ = _wide_init


lift_limit()
