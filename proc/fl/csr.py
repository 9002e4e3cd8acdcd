"""The CSRs of the functional processor: counters, manager, statistics, accelerator, interrupts."""

from proc import csr
from proc.fl.interrupts import Interrupts
from proc.fl.xcel_port import XcelPort
from proc.manager import Manager


class CsrFile:
    """Reads and writes legal CSRs; time is the number of instructions retired before."""

    def __init__(
        self,
        manager: Manager,
        xcel: XcelPort,
        core_id: int,
        interrupts: Interrupts | None = None,
    ):
        self.interrupts = interrupts
        self.manager = manager
        self.xcel = xcel
        self.core_id = core_id
        self.windows: list[tuple[int, int]] = []
        self._stats_from: int | None = None

    def takes(self, number: int, reads: bool, writes: bool) -> bool:
        """Return whether a CSR takes such an access."""
        return csr.is_legal(number, reads, writes, self.interrupts is not None)

    def read(self, number: int, retired: int) -> int:
        """Return the value of a CSR."""
        if number in csr.INTERRUPTS:
            return self.interrupts.read(number)
        if number == csr.MNGR2PROC:
            return self.manager.send()
        if csr.is_xcel(number):
            return self.xcel.read(number - csr.XCEL_FIRST) & 0xFFFFFFFF
        if number == csr.STATS_EN:
            return int(self._stats_from is not None)
        if number == csr.MHARTID:
            return self.core_id
        return retired >> (32 if number in csr.HIGH_HALVES else 0) & 0xFFFFFFFF

    def write(self, number: int, value: int, retired: int) -> None:
        """Write a CSR."""
        if number in csr.INTERRUPTS:
            self.interrupts.write(number, value)
        elif number == csr.PROC2MNGR:
            self.manager.receive(value)
        elif csr.is_xcel(number):
            self.xcel.write(number - csr.XCEL_FIRST, value)
        elif value & 1 and self._stats_from is None:
            self._stats_from = retired + 1
        elif not value & 1 and self._stats_from is not None:
            self.windows.append((self._stats_from, retired))
            self._stats_from = None
