"""The peripheral of fl/peripheral_crt.py behind the ports of the hardware."""

from collections.abc import Callable

from fl.component.peripheral import PeripheralFL
from fl.peripheral_crt import CrtRegisters
from fl.peripheral_map import LOADED, Fixed
from fl.xcel_crt import Signs


class PeripheralCrtFL(PeripheralFL):
    """Answers on the bus as CrtRegisters do; before and after are PeripheralFL's."""

    def construct(
        s,
        exponentiator: Signs,
        fixed: Fixed = LOADED,
        design: str = "",
        before: Callable[[int], int] = lambda draws: 0,
        after: Callable[[int, int, int], int] = lambda base, exp, mod: 0,
    ):
        nbits = exponentiator.nbits
        super().construct(nbits, exponentiator.value, fixed, design, before, after)
        s.registers = CrtRegisters(exponentiator, fixed, design)
