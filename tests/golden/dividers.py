"""Integer division, and dividers by their messages, their time and their components."""

from dataclasses import dataclass

from pymtl3 import Component

from cl.div_rem import div_001_latency, div_latency
from cl.model import Model
from fl.messages import mk_div_msgs
from rtl.mul.div_rem import DivRemRTL
from rtl.mul.div_rem_001 import DivRem001RTL


def div_rem(a: int, b: int, bits: int) -> tuple[int, int]:
    """Return (a // b, a % b) for 0 <= a, b < 2^bits; for b = 0 all ones and a, as RISC-V does."""
    if not 0 <= a < 1 << bits:
        raise ValueError(f"a must be from 0 to 2^{bits}-1, not {a}")
    if not 0 <= b < 1 << bits:
        raise ValueError(f"b must be from 0 to 2^{bits}-1, not {b}")
    if b == 0:
        return (1 << bits) - 1, a
    return divmod(a, b)


@dataclass(frozen=True)
class Divider(Model):
    """Describes what dividers of these widths have in common."""

    dividend_bits: int
    divisor_bits: int

    @property
    def messages(self) -> tuple[type, type]:
        """Return the messages: requests of a and b, responses of quotient and remainder."""
        return mk_div_msgs(self.dividend_bits, self.divisor_bits)

    def value(self, a: int, b: int) -> tuple[int, int]:
        """Return quotient and remainder."""
        return div_rem(a, b, self.dividend_bits)


@dataclass(frozen=True)
class DivRem(Divider):
    """Describes the divider at its widths; early: how it treats leading zeros of the quotient."""

    early: str = "zeros"

    def latency(self, a: int, b: int) -> int:
        """Count cycles to the response."""
        return div_latency(self.dividend_bits, a, b, self.early)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return DivRemRTL(self.dividend_bits, self.divisor_bits, self.early)


@dataclass(frozen=True)
class DivRem001(Divider):
    """Describes document 001's divider at its widths."""

    def latency(self, a: int, b: int) -> int:
        """Count cycles to the response."""
        return div_001_latency(self.dividend_bits, a, b)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return DivRem001RTL(self.dividend_bits, self.divisor_bits)
