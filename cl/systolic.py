"""The time of document 002's array: 3s + 2 cycles a product, load, 3s, answer.

Element j adds for word i of x in cycle 2i + j + 2 of the 3s: two cycles a word, and one more from
each element to the next. The last of s elements ends the last of s words in cycle 3s - 1.
"""


def array_cycles(words: int) -> int:
    """Count the cycles from the one after `load` to the last element's last sum."""
    return 3 * words


def systolic_latency(words: int) -> int:
    """Count cycles from the request, in which registers load, to that in which the answer stands.

    Both are of the 3s + 2. The next request may be taken with the answer, so that products follow
    each other in 3s + 1; as the document has it, in the cycle after.
    """
    return array_cycles(words) + 1
