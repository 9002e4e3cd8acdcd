"""The time of the peripheral of a design that makes private operations by CRT."""

from cl.exponentiator import Exponentiator
from cl.peripheral import after_padding, pass_cycles
from fl.component.peripheral_crt import PeripheralCrtFL
from fl.peripheral_map import LOADED, Fixed


class PeripheralCrtCL(PeripheralCrtFL):
    """Answers as PeripheralCrtFL, and is busy for as long as the hardware."""

    def construct(s, exponentiator: Exponentiator, fixed: Fixed = LOADED, design: str = ""):
        nbits = exponentiator.nbits
        super().construct(
            exponentiator,
            fixed,
            design,
            lambda draws: pass_cycles(nbits) - draws,
            lambda *operands: after_padding(nbits, s.latency(exponentiator, *operands)),
        )

    def latency(s, exponentiator: Exponentiator, base: int, exp: int, mod: int) -> int:
        """Return the cycles of the exponentiator, for the operation that was started."""
        if s.registers.is_private:
            return exponentiator.private_latency(s.registers.key.e, mod)
        return exponentiator.latency(base, exp, mod)
