"""Which moduli a core of others is given; its adapter refuses the others."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """Says which moduli are taken: odd ones, those with the highest bit set, none below `least`."""

    odd: bool = False
    full: bool = False
    least: int = 1

    def __call__(self, mod: int, nbits: int) -> bool:
        """Return whether a modulus of so many bits is taken."""
        return mod >= self.least and (mod % 2 == 1 or not self.odd) and self._full(mod, nbits)

    def _full(self, mod: int, nbits: int) -> bool:
        return not self.full or mod >> nbits - 1 == 1

    def verilog(self, mod: str, nbits: int) -> str:
        """Write the same of a signal."""
        terms = [f"{mod} >= {self.least}"]
        terms += [f"{mod}[0]"] if self.odd else []
        terms += [f"{mod}[{nbits - 1}]"] if self.full else []
        return " && ".join(terms)
