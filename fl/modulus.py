"""Moduli near a power of two, 2^n + offset, and how weights of 2^n and above fold under them.

Document 000, section 2.2.1: 2^n, 2^n-1, 2^n+1, 2^n-k and 2^n+k.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache


def residue_bits(modulus: int) -> int:
    """Return the bits of a residue in [0, modulus), for a modulus above 2."""
    return (modulus - 1).bit_length()


@dataclass(frozen=True)
class Digit:
    """Stands for one signed bit: +2^column, or -2^column if negative."""

    column: int
    negative: bool = False

    @property
    def value(self) -> int:
        """Return the number that it stands for."""
        return -(1 << self.column) if self.negative else 1 << self.column


@dataclass(frozen=True)
class Modulus:
    """Stands for 2^n + offset, with n >= 2 and -2^(n-1) < offset < 2^n."""

    n: int
    offset: int = 0

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ValueError(f"n must be at least 2, not {self.n}")
        if not -(1 << self.n - 1) < self.offset < 1 << self.n:
            raise ValueError(
                f"k of 2^n-k must be below {1 << self.n - 1}, k of 2^n+k below {1 << self.n}"
            )

    @classmethod
    def parse(cls, form: str, n: int) -> "Modulus":
        """Return the modulus that a form such as 2^n, 2^n-1 or 2^n+85 means at n."""
        match = re.fullmatch(r"2\^n([+-]0*[1-9][0-9]{0,999})?", form.replace(" ", ""))
        if not match:
            raise ValueError("a form is 2^n, 2^n-K or 2^n+K with a number K from 1 on")
        return cls(n, int(match[1] or 0))

    @classmethod
    def of(cls, value: int) -> "Modulus":
        """Return the modulus of a value >= 3 by the nearest power of two, the lower if both are."""
        n = max(value.bit_length() - 1, 2)
        if (1 << n + 1) - value < value - (1 << n):
            n += 1
        return cls(n, value - (1 << n))

    @property
    def form(self) -> str:
        """Return the modulus in n: 2^n, 2^n-1, 2^n+85 ..."""
        return f"2^n{self.offset:+d}" if self.offset else "2^n"

    @property
    def text(self) -> str:
        """Return the modulus with n's value: 2^8-1, 2^8+85 ..."""
        return self.form.replace("n", str(self.n))

    @property
    def name(self) -> str:
        """Return the name of files and modules: 2p8m1, 2p8, 2p8p85 ..."""
        sign = "m" if self.offset < 0 else "p"
        return f"2p{self.n}" + (f"{sign}{abs(self.offset)}" if self.offset else "")

    @cached_property
    def value(self) -> int:
        """Return the modulus as an integer."""
        return (1 << self.n) + self.offset

    @cached_property
    def width(self) -> int:
        """Return the bits of a residue in [0, value): n, or n + 1 above 2^n."""
        return residue_bits(self.value)

    def fold(self, weight: int) -> tuple[Digit, ...]:
        """Return signed bits below column n whose sum is 2^weight mod value.

        They are of the residue r or of r - value, whichever has fewer ones and fits n bits; of r if
        both do.
        """
        return _fold(self, weight)


@lru_cache(None)
def _fold(modulus: Modulus, weight: int) -> tuple[Digit, ...]:
    if weight < modulus.n:
        return (Digit(weight),)
    residue = pow(2, weight, modulus.value)
    forms = [(residue, False), (modulus.value - residue, True)]
    size, negative = min(
        (form for form in forms if form[0] < 1 << modulus.n),
        key=lambda form: (form[0].bit_count(), form[1]),
    )
    return tuple(Digit(c, negative) for c in range(modulus.n) if size >> c & 1)


def third(n: int) -> int:
    """Return k = 2^(n-2) + 2^(n-4) + ..., document 000's equation 22.

    For even n, 2^n + k is (2^(n+2) - 1) / 3.
    """
    return ((1 << n) - 1) // 3
