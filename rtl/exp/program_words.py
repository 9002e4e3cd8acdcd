"""The operations of a program as words of bits, a field for each thing that they say."""

from collections.abc import Mapping, Sequence

from pymtl3 import Component, Wire, connect

from rtl.leaf.register import Register


def hold_words(
    s: Component, fields: Mapping[str, int], rows: Sequence[Sequence[int]], places: int
) -> None:
    """Give a component the words of the operations, by address, and the register `word`, whose
    fields are the wires op_NAME. fields: their bits, by name; rows: their values."""
    word_bits = sum(fields.values())
    s.word = Register(word_bits)
    at = 0
    for name, nbits in fields.items():
        setattr(s, f"op_{name}", Wire(nbits))
        connect(getattr(s, f"op_{name}"), s.word[at : at + nbits])
        at += nbits
    s.words = [Wire(word_bits) for _ in range(places)]
    for word in s.words[len(rows) :]:
        connect(word, 0)
    for i, values in enumerate(rows):
        word, at = 0, 0
        for value, nbits in zip(values, fields.values(), strict=True):
            word |= int(value) << at
            at += nbits
        connect(s.words[i], word)
