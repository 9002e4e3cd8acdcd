"""The entry of cios: a word-serial Montgomery multiplier in VHDL, with operands in memories."""

from pathlib import Path

from eval.foreign.core import Core
from eval.foreign.designs import foreign_multiplier
from rtl.foreign.protocols import word_memory

WORD = 16


def words(nbits: int) -> int:
    """Count the words of an operand: two at least, as ghdl takes no array of one."""
    return max(2, -(-nbits // WORD))


CORE = Core(
    Path(__file__).parent,
    files=("cios.vhd",),
    top="cios",
    clock="clk",
    reset="reset",
    parameters={"W": WORD, "WORDS": words},
)
HANDSHAKE = word_memory(
    word=WORD,
    operands={"a": 0, "b": 64, "m": 128},
    result=192,
    write="write_enable",
    done="ready",
    latency=0,
    pins={"minus_inverse": "m_inv"},
    constants={"m_inv": "m_inv"},
)
DESIGNS = foreign_multiplier(
    "cios", CORE, HANDSHAKE, radix=lambda nbits: WORD * words(nbits), widths=(8, 1024)
)
FAULTS = {
    "a quotient of another word": ("cios.vhd", "sum := t(0) *", "sum := t(1) *"),
    "the other difference": ("cios.vhd", "when borrow = 1 and", "when borrow = 0 and"),
}
