"""The cycle-level processor with interrupts, and a device on its bus."""

from typing import Any

from proc.bus_map import in_window
from proc.cl.beside import DeviceBeside
from proc.cl.decoded import Decoded
from proc.cl.execute import wait_for_M
from proc.cl.ports import NEVER
from proc.cl.processor import ProcessorCL
from proc.fl.interrupts import Interrupts
from proc.retire import Cause, Trap


class InterruptibleCL(ProcessorCL):
    """Runs as ProcessorCL does, and takes machine mode's external interrupt.

    An interrupt goes from D on in the place of the instruction before which it is taken; it does
    not retire, and is not counted.
    """

    def __init__(self, *args: Any, device: DeviceBeside, **options: Any) -> None:
        self.device = device
        self.line = False  # of the device, a cycle ago
        self.interrupts = Interrupts(lambda: self.line)
        super().__init__(*args, interrupts=self.interrupts, **options)

    def step(self) -> None:
        """Pass a cycle."""
        m = self.M
        self.device.settle(m is not None and m.is_memory)
        super().step()
        self.line = self.device.irq
        self.device.edge()

    def issue(self, d: Decoded, x: Decoded | None, stalled: Decoded | None) -> Decoded | None:
        """Return what goes from D to X: as of any processor, or an interrupt in its place."""
        interrupts = self.interrupts
        if x is not None and x.accesses:
            return None
        if d.sleeps and not interrupts.wakes:
            return None
        if interrupts.pending and not d.sleeps:
            if self.operand_late(d, x, stalled):
                return None
            return self._interrupt(d)
        issued = super().issue(d, x, stalled)
        if issued is not None and d.returns:
            self.resumes = interrupts.leave()
        return issued

    def _interrupt(self, d: Decoded) -> Decoded:
        self.resumes = self.interrupts.enter(d.pc)
        taken = Decoded(d.pc, d.word, "irq", wait_for_M)
        taken.hidden = True
        return taken

    def access_elsewhere(self, x: Decoded, address: int) -> bool:
        """Hand an access of the window to the bridge."""
        if not in_window(address):
            return False
        self.device.bridge.begin(x, address, self.regs[x.second])
        self.due = NEVER
        return True

    def answered(self, m: Decoded) -> bool:
        """Return whether what M waits for has come; an access that is refused ends the run."""
        if not m.is_memory:
            return super().answered(m)
        device = self.device
        if device.refused and not self.closed:
            cause = Cause.REFUSED_LOAD if m.late else Cause.REFUSED_STORE
            self.end(0, Trap(cause, m.pc, m.word, device.bridge.byte_address))
        if device.answer is None:
            return False
        if m.late:
            self.write_late(m, device.bridge.part(m, device.answer))
        return True
