"""The row of elements for RSA sizes: a digit of w bits per step modulo M = c*m, words of k bits.

The product is fl/scaled.py's: M = -1 mod 2^w, and with M' = (M + 1) / 2^w a step is
s -> (s >> w) + (s mod 2^w) * M' + a_i * b. All products stay below 2^(n+w+1) if their operands do.

R^2 mod M is found by products alone: -m * 2^l, with l such that m * 2^l has all bits of a value, is
2^v modulo m and has a bit less; its square, and the squares of that, are higher powers yet, until
2^(2r) is reached. How many steps each square takes is planned when the hardware is made.

In two stages an element adds its rows a cycle later, and the first one finds a quotient digit in a
cycle of its own: a digit is used d = 2 steps after it stands in the sum (Orup). So c has d more
digits, M = -1 mod 2^(w(d+1)), and a step is, with M'' = (M + 1) / 2^(w(d+1)),

    s -> (s >> w) + ((s mod 2^w) * M'' + a_i * b) * 2^(wd)

Neither product changes the lowest d digits of s >> w: they are the quotient digits that wait to be
used. Elements hold what stands above them. After D steps, a * b / 2^(w(D-1-d)) + M bounds s.
"""

from dataclasses import dataclass, field
from functools import cache

from fl.scaled import low_guard_bits, low_radix

WORD_BITS = {1: 16, 2: 16, 4: 16, 8: 32, 16: 64}  # of an element, by the bits of a digit


def low_steps(nbits: int, digit_bits: int) -> int:
    """Return how many steps a product takes: one per digit of R, and one."""
    return low_radix(nbits, digit_bits) // digit_bits + 1


def delayed_by(stages: int) -> int:
    """Return d: how many steps late an element of so many stages uses a quotient digit."""
    return 2 * (stages - 1)


def pause(stages: int) -> int:
    """Return the cycles from the last step of a product to the first one of the next.

    Words resolve in one of them, or in two after a second stage.
    """
    return 2 * stages - 1


def row_words(value_bits: int, word_bits: int) -> int:
    """Return how many elements hold a value; a first and a last one at least."""
    return max(2, -(-value_bits // word_bits))


@dataclass(frozen=True)
class Square:
    """Squares 2^shift times the value in so many steps, on the way to R^2.

    A shift below 0 is a product by 2^(w+shift), which is divided by 2^w.
    """

    shift: int
    steps: int


@dataclass(frozen=True)
class RowShape:
    """Tells the sizes of a row of elements that exponentiates by itself."""

    nbits: int
    digit_bits: int
    word_bits: int
    stages: int = field(default=1, kw_only=True)  # of an element

    @property
    def delay(self) -> int:
        """Return d: how many steps late a quotient digit is used."""
        return delayed_by(self.stages)

    @property
    def low_digits(self) -> int:
        """Return how many digits c has, and M + 1 ends in as many that are 0."""
        return self.delay + 1

    @property
    def low_bits(self) -> int:
        """Return the bits of so many digits."""
        return self.digit_bits * self.low_digits

    @property
    def value_bits(self) -> int:
        """Return the bits of a value: more than products have, so that the way to R^2 has room."""
        return planned(self.nbits, self.digit_bits, self.word_bits, self.delay)[0]

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the way from 2^v, v = value_bits, to R^2 mod M."""
        return planned(self.nbits, self.digit_bits, self.word_bits, self.delay)[1]

    @property
    def words(self) -> int:
        """Return how many elements there are."""
        return row_words(self.value_bits, self.word_bits)

    @property
    def steps(self) -> int:
        """Return how many steps a product takes."""
        return steps_of(self.nbits, self.digit_bits, self.value_bits, self.delay)

    @property
    def radix(self) -> int:
        """Return r of R = 2^r."""
        return self.digit_bits * (self.steps - self.low_digits)

    @property
    def shift_bits(self) -> int:
        """Return by how many bits `low_digits` steps shift a value at most.

        Their digits are a power of 2 below 2^low_bits; where that is 1, words are taken doubled.
        """
        return max(self.low_bits - 1, 1)

    @property
    def shifts(self) -> int:
        """Return how many such shifts bring every m up to all bits of a value."""
        return -(-(self.value_bits - 1) // self.shift_bits)


def steps_of(nbits: int, digit_bits: int, value_bits: int, delay: int = 0) -> int:
    """Return how many steps a product takes in a row of values of so many bits."""
    if not delay:
        return max(low_steps(nbits, digit_bits), -(-value_bits // digit_bits))
    low_bits = digit_bits * (delay + 1)
    # short ones take more, so that what leaves the row is below 2m for the smallest m, too
    radix_bits = nbits + low_bits + 2 + max(0, low_bits - nbits)
    return max(-(-radix_bits // digit_bits) + 1 + delay, -(-value_bits // digit_bits))


@cache
def planned(
    nbits: int, digit_bits: int, word_bits: int, delay: int = 0
) -> tuple[int, tuple[Square, ...]]:
    """Return the bits of a value, and the way to R^2: that with the fewest steps of a product.

    With a delay the last element has more bits than the digits that wait.
    """
    least = nbits + low_guard_bits(digit_bits * (delay + 1)) + 1
    ways = {}
    for value_bits in range(max(least, word_bits + 1), least + word_bits + 4 * digit_bits + 8):
        if delay and (value_bits - 1) % word_bits < digit_bits * delay:
            continue
        if squares := way_to_r_squared(nbits, digit_bits, value_bits, delay=delay):
            ways[steps_of(nbits, digit_bits, value_bits, delay), value_bits] = squares
    if not ways:
        raise ValueError(f"no way to R^2 for {nbits} bits by digits of {digit_bits}")
    (_, value_bits), squares = min(ways.items())
    return value_bits, squares


def way_to_r_squared(
    nbits: int, digit_bits: int, value_bits: int, detour: int = 0, delay: int = 0
) -> tuple[Square, ...]:
    """Return squares that lead from a value of at most 2^(v-1), 2^v modulo m, to 2^(2r); or none.

    A square of a power 2^e of at most B, in i + 1 + d steps, is 2^(2e - iw) of at most
    B^2 / 2^(iw) + M. Each goes as far as its bound allows; so many may lead to a lower power.
    """
    late = 1 + delay
    most = ((1 << digit_bits * late) - 1) * ((1 << nbits) - 1)  # of M
    least = -(-value_bits // digit_bits) - late  # all digits of the operand are to be taken
    goal = 2 * digit_bits * (steps_of(nbits, digit_bits, value_bits, delay) - late)
    shifts = [*range(digit_bits), *(range(-1, -digit_bits, -1) if delay else ())]
    power, bound = value_bits, 1 << value_bits - 1
    way: list[Square] = []
    while power != goal:
        ways = []
        for shift in shifts:
            shifted = bound << shift if shift >= 0 else (bound >> -shift) + most + 1
            if shifted >> value_bits:
                continue
            digits = least
            while (shifted * shifted >> digits * digit_bits) + most >> value_bits:
                digits += 1
            reached = 2 * (power + shift) - digits * digit_bits
            if reached >= goal:
                digits += (reached - goal) // digit_bits
                reached = 2 * (power + shift) - digits * digit_bits
            ways.append((reached, shift, digits))
        reached, shift, digits = min(ways, key=lambda one: abs(one[0] - goal))
        detour -= reached <= power
        if reached == power or detour < 0:
            return ()
        shifted = bound << shift if shift >= 0 else (bound >> -shift) + most + 1
        power, bound = reached, (shifted * shifted >> digits * digit_bits) + most
        way.append(Square(shift, digits + late))
    return tuple(way)
