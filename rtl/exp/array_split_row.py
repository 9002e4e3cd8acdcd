"""The row of elements that is also two rows: what stands before their first elements."""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, Wire, clog2, update, update_ff, zext

from fl.array_split import SplitShape
from rtl.exp.array_row import RELAYED
from rtl.exp.array_split_word import SplitWord, mk_split_take
from rtl.leaf.register import Register
from rtl.leaf.relay import Relay
from rtl.mul.array_cut import Cut
from rtl.mul.array_word import RowSizes, make_row


@dataclass(frozen=True)
class SplitSizes(RowSizes):
    """Tells the sizes of a row of two halves, of the first of which the last word has less bits."""

    low_words: int
    low_bits: int

    @property
    def words(self) -> int:
        """Return how many elements there are."""
        return 2 * self.low_words

    @property
    def row_bits(self) -> int:
        """Return the bits of all words."""
        return self.value_bits

    def bounds(self, j: int) -> tuple[int, int]:
        """Return which bits of a value word j has."""
        k, words = self.word_bits, self.low_words
        if j < words:
            return j * k, min((j + 1) * k, self.low_bits)
        low = self.low_bits + (j - words) * k
        return low, min(low + k, self.value_bits)

    def digits(self, j: int) -> int:
        """Return how many digits word j is taken for."""
        low, high = self.bounds(j)
        bits = high - low if j + 1 == self.low_words else self.word_bits
        return bits // self.digit_bits


class SplitRow(Component):
    """Takes an order per cycle, which every element follows in its turn; if `split` the second half
    takes one of its own, a cycle later.

    digit: the first digit of a product; or, with `go`, source says whose digits they are; or `low`,
    the lowest one of the word that the first element resolved before the last one. None may come
    in the cycle after a reset, in which the elements are reset.
    """

    def construct(s, shape: SplitShape, entries: int):
        w, nbits, half_bits, words = shape.digit_bits, shape.nbits, shape.half_bits, shape.words
        low_bits = shape.low_bits
        sizes = SplitSizes(w, shape.word_bits, shape.joined.value_bits, words, low_bits)
        row_bits = sizes.row_bits
        high_bits = row_bits - low_bits
        source_bits = clog2(1 + entries)
        Take = mk_split_take(clog2(entries))
        s.n = InPort(nbits)
        s.base_in = InPort(nbits)
        s.p = InPort(half_bits)
        s.q = InPort(half_bits)
        s.q_inverse = InPort(half_bits)
        s.split = InPort()
        s.whole = InPort()
        s.of_modulus = InPort()  # the operand: n, or q and p, else
        s.of_key = InPort()  # q, or q and qInv, else the base
        s.take = InPort(Take)
        s.digit = InPort(w)
        s.low = InPort()
        s.go = InPort()
        s.source = InPort(source_bits)
        s.plus_one = InPort()
        s.plus_mod = InPort()
        s.second_take = InPort(Take)
        s.second_digit = InPort(w)
        s.second_go = InPort()
        s.second_source = InPort(source_bits)
        s.fed = OutPort(w)  # the digit that the first element adds
        s.second_fed = OutPort(w)
        s.fits = OutPort()
        s.answer = OutPort(nbits)
        # of each half
        s.low_operand = Wire(low_bits)
        s.high_operand = Wire(high_bits)
        s.kept_answer = Wire(row_bits)
        s.whole_n = Wire(row_bits)
        s.whole_base = Wire(row_bits)
        s.kept_low = Register(w)
        s.answer //= s.kept_answer[0:nbits]

        def make_word(word_bits: int, value_bits: int, digits_bits: int) -> SplitWord:
            at = len(made)
            top = shape.half.value_bits - (words - 1) * shape.word_bits
            ends = top if at + 1 == words else None
            word = SplitWord(
                word_bits, value_bits, digits_bits, Take, entries, at in (0, words), ends
            )
            made.append(word)
            return word

        made: list[SplitWord] = []
        row = make_row(s, sizes, Take, entries, make_word, turns=words)
        s.cut = Cut(w, Take, source_bits)
        s.cut.connect(row[words - 1], row[words])
        right = None
        for j, (element, feed, word) in reversed(list(enumerate(row))):
            if not right or j % RELAYED == RELAYED - 1:
                relay = Relay()
                setattr(s, f"relay_{j}", relay)
                relay.in_ //= s.reset
            if j == words:
                s.cut.clear //= relay.out
            element.clear //= relay.out
            feed.clear //= relay.out
            low, high = sizes.bounds(j)
            if j < words:
                word.operand //= s.low_operand[low:high]
            else:
                word.operand //= s.high_operand[low - low_bits : high - low_bits]
            element.m //= word.mod
            s.kept_answer[low:high] //= word.answer
            if right:
                word.fits_in //= right.fits
            right = word
        first, first_feed, first_word = row[0]
        middle, middle_feed, middle_word = row[words]
        row[words - 1][2].split //= s.split
        first_word.is_lowest //= 1
        middle_word.is_lowest //= s.split
        s.fits //= first_word.fits
        s.fed //= first.a
        s.second_fed //= middle.a
        first.take_in //= s.take
        first.plus_one_in //= s.plus_one
        first.plus_mod_in //= s.plus_mod
        first_feed.go //= s.go
        first_feed.source_in //= s.source
        s.cut.split_in //= s.split
        s.cut.whole_in //= s.whole
        s.cut.first_a //= first.a
        s.cut.own_take //= s.second_take
        s.cut.own_digit //= s.second_digit
        s.cut.own_go //= s.second_go
        s.cut.own_source //= s.second_source
        s.cut.own_plus_one //= s.plus_one
        s.middle_take = Wire(Take)
        s.middle_take //= middle.take

        @update
        def whole_operands():
            s.whole_n @= zext(s.n, row_bits)
            s.whole_base @= zext(s.base_in, row_bits)

        @update
        def operands():
            s.low_operand @= s.whole_base[0:low_bits]
            s.high_operand @= s.whole_base[low_bits:row_bits]
            if s.of_modulus & ~s.split:
                s.low_operand @= s.whole_n[0:low_bits]
                s.high_operand @= s.whole_n[low_bits:row_bits]
            elif s.of_modulus:
                s.low_operand @= zext(s.q, low_bits)
                s.high_operand @= zext(s.p, high_bits)
            elif s.of_key & ~s.split:
                s.low_operand @= zext(s.q, low_bits)
                s.high_operand @= 0
            elif s.of_key:
                s.low_operand @= zext(s.q, low_bits)
                s.high_operand @= zext(s.q_inverse, high_bits)

        @update
        def first_digit():
            s.element_0.a_in @= s.feed_0.now | s.digit
            if s.low:
                s.element_0.a_in @= s.kept_low
            elif s.go & (s.source == 0) & s.element_0.take.ends & s.element_0.take.x:
                s.element_0.a_in @= s.element_0.low

        @update
        def resolving():
            s.cut.resolving @= s.middle_take.ends & s.middle_take.x

        @update_ff
        def keep_low():
            if s.element_0.take.ends:
                s.kept_low <<= s.element_0.low

    def line_trace(s) -> str:
        return f"{s.element_0.line_trace()} {s.cut.line_trace()}"
