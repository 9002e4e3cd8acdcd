"""The time of systolic arrays: document 002's takes 3s + 2 cycles a product, load, 3s, answer.

In the cycles after `load` element j adds for word i of x in cycle 2i + j + 2: two cycles a word,
and one more from each element to the next.
"""

from fl.systolic import scaled_elements, scaled_words


def array_cycles(words: int, elements: int) -> int:
    """Count the cycles from the one after `load` to the last element's sum of the last word."""
    return 2 * words + elements


def systolic_latency(words: int) -> int:
    """Count cycles from the request, in which registers load, to that in which the answer stands.

    Both are of the 3s + 2. The next request may be taken with the answer, so that products follow
    each other in 3s + 1; as the document has it, in the cycle after.
    """
    return array_cycles(words, words) + 1


def late_latency(words: int) -> int:
    """Count the same of LateSystolic: a word of x more; the answer is in cycle 3s + 3."""
    return array_cycles(words + 1, words) + 1


def scaled_latency(nbits: int, digit_bits: int) -> int:
    """Count the same of ScaledSystolic, whose modulus is a word longer."""
    words, elements = scaled_words(nbits, digit_bits), scaled_elements(nbits, digit_bits)
    return array_cycles(words, elements) + 1


def twin_latency(words: int) -> int:
    """Count the same of TwinSystolic, whose elements need a cycle less for a word."""
    return late_latency(words) - 1
