"""What an element of a row holds, and how its digits reach the first element."""

from collections.abc import Callable
from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff

from fl.array import row_words
from rtl.leaf.register import Register
from rtl.mul.array_element import Element, TurningElement, element_value_bits


class DigitFeed(Component):
    """Gives the digits of a word to the left, one per cycle from `go` on, then those of the right.

    A digit passes an element per cycle; the right neighbour begins with this word's last digit,
    so that the first element has them all in turn. source: whose digits are asked for.
    """

    def construct(s, digit_bits: int, digits: int, source_bits: int):
        word_bits = digit_bits * digits
        Count = mk_bits(clog2(digits))
        last = Count(digits - 1)  # yosys takes a difference of constants for a wider one
        s.clear = InPort()  # no digit is given
        s.go = InPort()
        s.source_in = InPort(source_bits)
        s.source = OutPort(source_bits)
        s.word = InPort(word_bits)
        s.from_right = InPort(digit_bits)
        s.now = OutPort(digit_bits)
        s.digit = OutPort(digit_bits)
        s.go_out = OutPort()
        s.source_out = OutPort(source_bits)
        s.at = Register(Count)
        s.kept_source = Register(source_bits)
        s.source_out //= s.kept_source
        s.digits = [Wire(digit_bits) for _ in range(digits)]
        for i, digit in enumerate(s.digits):
            connect(digit, s.word[i * digit_bits : (i + 1) * digit_bits])

        @update
        def choose():
            s.source @= s.kept_source
            if s.go:
                s.source @= s.source_in
            s.go_out @= s.at == last

        @update
        def give():
            s.now @= s.from_right
            if s.go | (s.at != 0):
                s.now @= s.digits[s.at]

        @update_ff
        def count():
            s.digit <<= s.now
            s.kept_source <<= s.source
            if s.clear:
                s.at <<= 0
            elif s.go:
                s.at <<= 1
            elif s.at == last:
                s.at <<= 0
            elif s.at != 0:
                s.at <<= s.at + 1

    def line_trace(s) -> str:
        return f"{s.at}"


class RowWord(Component):
    """Holds an element's word of x, and gives the feed x or one of the other words.

    Who inherits says what x is taken from, and connects s.others.
    """

    def construct(s, word_bits: int, value_bits: int, digits_bits: int, Take: type, others: int):
        s.take = InPort(Take)
        s.value = InPort(value_bits)
        source_bits = clog2(1 + others)
        s.source = InPort(source_bits)
        s.x = OutPort(word_bits)
        s.fed = OutPort(digits_bits)
        s.others = [Wire(word_bits) for _ in range(others)]
        s.sources = [Wire(digits_bits) for _ in range(1 << source_bits)]
        for source, word in zip(s.sources, [s.x, *s.others], strict=False):
            connect(source[0:word_bits], word)
            if word_bits < digits_bits:
                connect(source[word_bits:digits_bits], 0)
        for source in s.sources[1 + others :]:
            connect(source, 0)

        @update
        def read():
            s.fed @= s.sources[s.source]

    def line_trace(s) -> str:
        return f"{s.x}"


@dataclass(frozen=True)
class RowSizes:
    """Tells the sizes of a row: bits of a digit, a word and a value; the last word has the rest."""

    digit_bits: int
    word_bits: int
    value_bits: int

    @property
    def words(self) -> int:
        """Return how many elements there are."""
        return row_words(self.value_bits, self.word_bits)

    @property
    def row_bits(self) -> int:
        """Return the bits of all words: at least one in the last."""
        return max(self.value_bits, self.word_bits * (self.words - 1) + 1)

    def bounds(self, j: int) -> tuple[int, int]:
        """Return which bits of a value word j has."""
        return j * self.word_bits, min((j + 1) * self.word_bits, self.row_bits)

    def digits(self, j: int) -> int:
        """Return how many digits word j is taken for."""
        return self.word_bits // self.digit_bits


Part = tuple[Element, DigitFeed, RowWord]


def make_row(
    s: Component,
    sizes: RowSizes,
    Take: type,
    others: int,
    make_word: Callable[..., RowWord],
    turns: int | None = None,
) -> list[Part]:
    """Make the elements, feeds and words of a row in a component, and connect neighbours.

    turns: the element that may begin a row of its own. Its maker connects it to the left.
    """
    w, words = sizes.digit_bits, sizes.words
    row = []
    for j in range(words):
        low, high = sizes.bounds(j)
        digits = sizes.digits(j)
        kind = TurningElement if j == turns else Element
        element = kind(w, high - low, j == 0, j + 1 == words, Take)
        feed = DigitFeed(w, digits, clog2(1 + others))
        word = make_word(high - low, element_value_bits(w, high - low, j + 1 == words), w * digits)
        setattr(s, f"element_{j}", element)
        setattr(s, f"feed_{j}", feed)
        setattr(s, f"word_{j}", word)
        element.x //= word.x
        word.value //= element.value
        word.take //= element.take
        word.source //= feed.source
        feed.word //= word.fed
        if row and j != turns:
            connect_neighbours(row[-1], (element, feed, word))
        row.append((element, feed, word))
    row[-1][1].from_right //= 0
    return row


def connect_neighbours(left_part: Part, part: Part) -> None:
    """Connect the element and the feed of a word with those of the word on the left."""
    left, left_feed, _ = left_part
    element, feed, _ = part
    element.a_in //= left.a
    element.q_in //= left.q
    element.take_in //= left.take
    element.sum_in //= left.sum_out
    element.carry_in //= left.carry_out
    element.resolve_in //= left.resolve_out
    left.late_sum //= element.low_sum
    left.late_carry //= element.low_carry
    feed.go //= left_feed.go_out
    feed.source_in //= left_feed.source_out
    left_feed.from_right //= feed.digit
