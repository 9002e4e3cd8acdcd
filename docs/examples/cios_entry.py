"""The entry of cios: a word-serial Montgomery multiplier in VHDL, with operands in memories."""

from pathlib import Path

from eval.foreign.core import Core
from eval.foreign.designs import foreign_multiplier
from rtl.foreign.protocols import word_memory
from rtl.foreign.steps import Drive


def word(nbits: int) -> int:
    """Give words 16 bits, or half of a narrow operand: ghdl takes no array of one word."""
    return min(16, -(-nbits // 2))


def words(nbits: int) -> int:
    """Count the words of an operand."""
    return -(-nbits // word(nbits))


CORE = Core(
    Path(__file__).parent,
    files=("cios.vhd",),
    top="cios",
    clock="clk",
    reset="reset",
    parameters={"W": word, "WORDS": words},
)


def handshake(nbits: int) -> Drive:
    """Write the operands, start, wait, read the result."""
    return word_memory(
        word=word(nbits),
        operands={"a": 0, "b": 64, "m": 128},
        result=192,
        done="ready",
        latency=0,
        pins={"minus_inverse": "m_inv"},
        constants={"m_inv": "m_inv"},
    )(nbits)


DESIGNS = foreign_multiplier(
    "cios", CORE, handshake, radix=lambda nbits: word(nbits) * words(nbits), widths=(8, 1024)
)
FAULTS = {
    "a quotient of another word": ("cios.vhd", "sum := t(0) *", "sum := t(1) *"),
    "the other difference": ("cios.vhd", "when borrow = 1 and", "when borrow = 0 and"),
}
