"""What an element of a row holds, and how its digits reach the first element."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff

from fl.array import delayed_by, row_words
from rtl.leaf.register import Register
from rtl.mul import array_element, array_two_stages
from rtl.mul.array_element import Element, TurningElement, element_value_bits
from rtl.mul.array_two_stages import TwoStageElement


class DigitFeed(Component):
    """Gives the digits of a word to the left, one per cycle from `go` on, then those of the right.

    A digit passes an element per cycle; the right neighbour begins with this word's last digit,
    so that the first element has them all in turn. source: whose digits are asked for; told early,
    it comes a cycle before `go`, and stays.
    """

    def construct(s, digit_bits: int, digits: int, source_bits: int, early: bool = False):
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

        if early:
            s.source //= s.kept_source

            @update_ff
            def keep_source():
                s.kept_source <<= s.source_in

        else:

            @update
            def choose():
                s.source @= s.kept_source
                if s.go:
                    s.source @= s.source_in

            @update_ff
            def keep_chosen():
                s.kept_source <<= s.source

        @update
        def pass_go():
            s.go_out @= s.at == last

        @update
        def give():
            s.now @= s.from_right
            if s.go | (s.at != 0):
                s.now @= s.digits[s.at]

        @update_ff
        def count():
            s.digit <<= s.now
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
    stages: int = field(default=1, kw_only=True)  # of an element

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
    make_element, from_left = Element, array_element.FROM_LEFT
    if sizes.stages > 1:
        make_element, from_left = TwoStageElement, array_two_stages.FROM_LEFT
    row = []
    for j in range(words):
        low, high = sizes.bounds(j)
        bits, last, digits = high - low, j + 1 == words, sizes.digits(j)
        kind = TurningElement if j == turns else make_element
        element = kind(w, bits, j == 0, last, Take)
        feed = DigitFeed(w, digits, clog2(1 + others), sizes.stages > 1)
        value_bits = bits + last if sizes.stages > 1 else element_value_bits(w, bits, last)
        word = make_word(bits, value_bits, w * digits)
        setattr(s, f"element_{j}", element)
        setattr(s, f"feed_{j}", feed)
        setattr(s, f"word_{j}", word)
        element.x //= word.x
        if sizes.stages == 1:
            word.value //= element.value
        word.take //= element.take
        word.source //= feed.source
        feed.word //= word.fed
        if row and j != turns:
            connect_neighbours(row[-1], (element, feed, word), from_left)
        row.append((element, feed, word))
    if sizes.stages > 1:
        connect_values(row, sizes)
    row[-1][1].from_right //= 0
    return row


def connect_neighbours(left_part: Part, part: Part, from_left: Mapping[str, str]) -> None:
    """Connect the element and the feed of a word with those of the word on the left, by ports of
    elements."""
    left, left_feed, _ = left_part
    element, feed, _ = part
    for port, of_left in from_left.items():
        connect(getattr(element, port), getattr(left, of_left))
    left.late_sum //= element.low_sum
    left.late_carry //= element.low_carry
    feed.go //= left_feed.go_out
    feed.source_in //= left_feed.source_out
    left_feed.from_right //= feed.digit


def connect_values(row: list[tuple[TwoStageElement, DigitFeed, RowWord]], sizes: RowSizes) -> None:
    """Connect words to what elements of two stages resolve: each to the element's bits above those
    of the one before, the first to its bits above the quotient digits that wait."""
    high_bits = sizes.digit_bits * delayed_by(sizes.stages)
    for j, (element, _, word) in enumerate(row):
        if j:
            word.value[0:high_bits] //= row[j - 1][0].high
        else:
            word.value[0:high_bits] //= element.waiting
        low, high = sizes.bounds(j)
        word.value[high_bits : high - low + (j + 1 == sizes.words)] //= element.value
