"""Which moduli a third-party core accepts: others never reach it."""

from dataclasses import dataclass

from pymtl3 import Component, InPort, OutPort, mk_bits, update


@dataclass(frozen=True)
class Taken:
    """Selects moduli: odd ones, those with the highest bit set, none below `least`, and only those
    that leave `spare` top bits 0: m < 2^(n - spare)."""

    odd: bool = False
    full: bool = False
    least: int = 1
    spare: int = 0

    def __call__(self, mod: int, nbits: int) -> bool:
        """Return whether the core accepts a modulus at a width."""
        least, most = self.range(nbits)
        return least <= mod <= most and (mod % 2 == 1 or not self.odd)

    def range(self, nbits: int) -> tuple[int, int]:
        """Return the least and the greatest modulus of a width."""
        bits = nbits - self.spare
        return max(self.least, 1 << bits - 1 if self.full else 0), (1 << bits) - 1

    def verilog(self, mod: str, nbits: int) -> str:
        """Write the same condition on a signal in Verilog."""
        terms = [f"{mod} >= {self.least}"]
        terms += [f"{mod}[0]"] if self.odd else []
        terms += [f"{mod}[{nbits - self.spare - 1}]"] if self.full else []
        terms += [f"{mod} <= {nbits}'d{self.range(nbits)[1]}"] if self.spare else []
        return " && ".join(terms)


class TakenModulus(Component):
    """takes = (least <= mod <= most, and mod is odd where only odd moduli are accepted)."""

    def construct(s, nbits: int, taken: Taken):
        kind = mk_bits(nbits)
        least, most = map(kind, taken.range(nbits))
        even = mk_bits(1)(not taken.odd)
        s.mod = InPort(nbits)
        s.takes = OutPort()

        @update
        def judge():
            s.takes @= (s.mod >= least) & (s.mod <= most) & (s.mod[0] | even)

    def line_trace(s) -> str:
        """Show whether the modulus is accepted."""
        return "." if s.takes else "!"
