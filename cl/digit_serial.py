"""The time of document 003's processor, for n-bit moduli in words of S bits, M words a number.

A pass over the M words of a number takes M cycles. Where the next one asks for what only the
last word tells, the pipeline runs empty before it, in 2 more.

    product     A is loaded, 2B + N is made, n + 3 additions, pipeline: (2M + 2) + (n + 3)M
    loading     a cycle, N into its memory: M + 1
    R^2         as many doublings as fl/digit_serial.py says, and a correction: M + 2 each
    end         P - N for its sign, then P or P - N into the result: M + 2 each

The document gives the end 2M + 1 cycles, and finds R^2 beforehand.
"""

from fl.digit_serial import doublings, serial_words
from fl.schedule import RIGHT_TO_LEFT

PIPELINE = 2  # cycles from the last word's fetch to its sum's use


def serial_product_cycles(nbits: int, word_bits: int) -> int:
    """Count (2M + 2) + (n + 3)M cycles."""
    words = serial_words(nbits, word_bits)
    return 2 * words + PIPELINE + (nbits + 3) * words


def serial_unit_latency(nbits: int, word_bits: int) -> int:
    """Count the cycles of a product by itself: its result leaves in words, too."""
    return serial_product_cycles(nbits, word_bits) + serial_words(nbits, word_bits) + 1


def serial_products(exp: int, nbits: int, with_z: bool) -> int:
    """Count products one after the other, for exp >= 1 of H bits.

    With the Z-processor H + 2, else one per squaring and multiplication, and three to convert:
    1, the base and the result.
    """
    return exp.bit_length() + 2 if with_z else RIGHT_TO_LEFT.counts(exp, nbits).total + 3


def printed_cycles(nbits: int, word_bits: int, products: int) -> int:
    """Count cycles as the document does: the products, then 2M + 1."""
    words = serial_words(nbits, word_bits)
    return products * serial_product_cycles(nbits, word_bits) + 2 * words + 1


def loading_cycles(nbits: int, word_bits: int, mod: int) -> int:
    """Count what the document leaves out: loading, R^2, and 3 cycles of the pipeline at the end."""
    words = serial_words(nbits, word_bits)
    _, count = doublings(mod, nbits)
    return words + 1 + (count + 1) * (words + PIPELINE) + 3


def serial_latency(nbits: int, word_bits: int, with_z: bool, exp: int, mod: int) -> int:
    """latency = loading + what is printed, for exp >= 1."""
    products = serial_products(exp, nbits, with_z)
    return loading_cycles(nbits, word_bits, mod) + printed_cycles(nbits, word_bits, products)
