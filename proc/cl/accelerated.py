"""The cycle-level processor with an accelerator that is a component."""

from typing import Any

from proc.cl.beside import XcelBeside
from proc.cl.processor import ProcessorCL


class AcceleratedCL(ProcessorCL):
    """Runs as ProcessorCL does, and clocks the accelerator."""

    def __init__(self, *args: Any, accelerator: XcelBeside, **options: Any) -> None:
        self.accelerator = accelerator
        super().__init__(*args, xcel=accelerator, **options)

    def step(self) -> None:
        """Pass a cycle."""
        x, m = self.X, self.M
        waits = m is not None and m.is_xcel
        wants = None
        if x is not None and x.is_xcel and (m is None or waits or self.due <= self.cycle):
            type_, register, data = x.detail
            wants = type_, register, data(self.regs)
        self.accelerator.settle(wants, waits)
        super().step()
        self.accelerator.edge()
