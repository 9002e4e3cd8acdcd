"""The CSRs of the cycle-level processor: proc/fl's, where time is cycles."""

from collections.abc import Callable

from proc import csr
from proc.fl.csr import CsrFile
from proc.fl.interrupts import Interrupts
from proc.fl.xcel_port import NullXcel
from proc.manager import Manager

OF_CYCLES = frozenset((csr.MCYCLE, csr.CYCLE, csr.MCYCLEH, csr.CYCLEH))


class TimedCsrFile(CsrFile):
    """Reads and writes legal CSRs but the accelerator's; `stats` is bit 0 of stats_en."""

    def __init__(
        self, manager: Manager, interrupts: Interrupts | None, cycle: Callable[[], int]
    ) -> None:
        super().__init__(manager, NullXcel(), 0, interrupts)
        self.stats = 0
        self._cycle = cycle

    def read(self, number: int, retired: int) -> int:
        """Return the value of a CSR."""
        if number in OF_CYCLES:
            return super().read(number, self._cycle())
        if number == csr.STATS_EN:
            return self.stats
        return super().read(number, retired)

    def write(self, number: int, value: int, retired: int) -> None:
        """Write a CSR."""
        if number == csr.STATS_EN:
            self.stats = value & 1
        else:
            super().write(number, value, retired)
