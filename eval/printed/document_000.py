"""What table 5 of document 000 prints: multipliers of a modulus and of its pseudo-modulus, 180 nm.

m2 = 2^n + k with k = 2^(n-2) + 2^(n-4) + ... + 1, and m1 = 2^(n+2) - 1 = 3*m2. The areas are
printed in um, meant in um2. Its product for 2^4+5, 6.417e6, is a misprint: 407 * 15965 is 6.498e6.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class PrintedMultiplier:
    """Delay in ps and area in um2 of one multiplier."""

    delay_ps: float
    area_um2: float

    @property
    def product(self) -> float:
        """Area x delay."""
        return self.delay_ps * self.area_um2


@dataclass(frozen=True)
class PrintedPair:
    """A modulus 2^n + k and its pseudo-modulus."""

    n: int
    modulus: PrintedMultiplier
    pseudo: PrintedMultiplier

    @property
    def ratio(self) -> float:
        """Area x delay of the pseudo-modulus' multiplier by that of the modulus'."""
        return self.pseudo.product / self.modulus.product


TABLE_5 = (
    PrintedPair(4, PrintedMultiplier(407, 15965), PrintedMultiplier(393, 15792)),
    PrintedPair(6, PrintedMultiplier(463, 24000), PrintedMultiplier(457, 22000)),
    PrintedPair(8, PrintedMultiplier(509, 32951), PrintedMultiplier(480, 24458)),
    PrintedPair(10, PrintedMultiplier(525, 38500), PrintedMultiplier(501, 32000)),
)
