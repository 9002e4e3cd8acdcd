"""The modular adder behind a compression tree: r = (a + b + constant) mod m, canonical.

2^n drops the carry. 2^n-1 brings it back (end-around carry), 2^n+1 brings it back inverted; both
are one prefix adder with one more level. For every other modulus, adders of a + b + constant - j*m
stand side by side, for each j that can be the quotient, and signs select (document 000,
figure 6; its equation 6 cannot tell a + b < m from m <= a + b < 2m, the sign of each can).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fl.modulus import Modulus
from fl.prefix import NETWORKS, Level, carries

DROP, AROUND, INVERTED, SELECT = "drop", "around", "inverted", "select"
Signals = list[int]


@dataclass(frozen=True)
class ModularSum:
    """r = (a + b + constant) mod modulus for a and b of `width` bits with a + b <= limit.

    With `all_ones_excluded` a and b are never both 2^n - 1.
    """

    modulus: Modulus
    width: int
    limit: int
    constant: int = 0
    all_ones_excluded: bool = False
    adder: str = "brent-kung"

    @property
    def kind(self) -> str:
        """Return how it reduces: DROP, AROUND, INVERTED or SELECT."""
        modulus = self.modulus
        if modulus.offset == 0:
            return DROP
        if self.width == modulus.n and modulus.offset == 1:
            return INVERTED
        once = self.limit < 2 * modulus.value or self.all_ones_excluded
        if self.width == modulus.n and modulus.offset == -1 and once and not self.constant:
            return AROUND
        return SELECT

    @property
    def quotients(self) -> range:
        """Return each j that (a + b + constant) // m can be, for SELECT."""
        m = self.modulus.value
        return range(self.constant // m, (self.constant + self.limit) // m + 1)

    @property
    def adders(self) -> int:
        """Return how many prefix adders stand side by side."""
        return len(self.quotients) if self.kind == SELECT else 1

    @property
    def select_bits(self) -> int:
        """Return how wide a two's complement holds every a + b + constant - j*m, for SELECT."""
        most = self.constant + self.limit - self.quotients[0] * self.modulus.value
        least = self.constant - self.quotients[-1] * self.modulus.value
        return max(most.bit_length(), (-least).bit_length()) + 1

    @property
    def addends(self) -> tuple[int, ...]:
        """Return constant - j*m for each j as two's complements, for SELECT."""
        bits = 1 << self.select_bits
        return tuple((self.constant - j * self.modulus.value) % bits for j in self.quotients)

    @property
    def row(self) -> int | None:
        """Return the third row that INVERTED adds; None where the constant is 1.

        The inverted carry of the sum adds 1, and so does that of the row's full adders.
        """
        row = (self.constant - 2) % self.modulus.value
        return None if row == 1 << self.modulus.n else row

    def levels(self, nbits: int) -> tuple[Level, ...]:
        """Return the carry network of its adders."""
        return NETWORKS[self.adder](nbits)

    def evaluate(self, a: Sequence[int], b: Sequence[int], ones: int) -> Signals:
        """Return the bits of r; each is an integer that holds one bit per case."""
        if self.kind == SELECT:
            return self._select(a, b, ones)
        a, b = a[: self.modulus.n], b[: self.modulus.n]
        if self.kind == INVERTED and self.row is not None:
            sums, kept = with_row(a, b, self.row, ones)
            a, b = sums, [ones ^ kept[-1], *kept[:-1]]
        half = [x ^ y for x, y in zip(a, b, strict=True)]
        g, p = carries(
            [x & y for x, y in zip(a, b, strict=True)], half, self.levels(self.modulus.n)
        )
        back = {DROP: 0, AROUND: g[-1] | p[-1], INVERTED: ones ^ g[-1]}[self.kind]
        into = [back, *(x | y & back for x, y in zip(g[:-1], p[:-1], strict=True))]
        top = [p[-1]] if self.kind == INVERTED else []
        return [x ^ c for x, c in zip(half, into, strict=True)] + top

    def _select(self, a: Sequence[int], b: Sequence[int], ones: int) -> Signals:
        bits = self.select_bits
        wide_a, wide_b = ([*row, *[0] * (bits - len(row))] for row in (a, b))
        best, *others = (
            self._plain(*self.with_addend(wide_a, wide_b, addend, ones)) for addend in self.addends
        )
        for total in others:
            below = total[-1]
            best = [x & below | y & ~below for x, y in zip(best, total, strict=True)]
        return best[: self.modulus.width]

    @staticmethod
    def with_addend(
        a: Sequence[int], b: Sequence[int], addend: int, ones: int
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Return two rows with the sum a + b + addend, modulo 2^len(a)."""
        if not addend:
            return a, b
        sums, kept = with_row(a, b, addend, ones)
        return sums, [0, *kept[:-1]]

    def _plain(self, a: Sequence[int], b: Sequence[int]) -> Signals:
        half = [x ^ y for x, y in zip(a, b, strict=True)]
        g, _ = carries([x & y for x, y in zip(a, b, strict=True)], half, self.levels(len(a)))
        return [x ^ c for x, c in zip(half, [0, *g[:-1]], strict=True)]


def with_row(a: Sequence[int], b: Sequence[int], row: int, ones: int) -> tuple[Signals, Signals]:
    """Return sums and carries of full adders over a, b and a constant row."""
    bits = [ones if row >> i & 1 else 0 for i in range(len(a))]
    sums = [x ^ y ^ z for x, y, z in zip(a, b, bits, strict=True)]
    kept = [x & y | z & (x | y) for x, y, z in zip(a, b, bits, strict=True)]
    return sums, kept
