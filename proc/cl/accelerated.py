"""The cycle-level processor with an accelerator that is a component."""

from operator import is_
from typing import Any

from proc.cl.beside import XcelBeside
from proc.cl.processor import ProcessorCL


class AcceleratedCL(ProcessorCL):
    """Runs as ProcessorCL does, and clocks the accelerator."""

    def __init__(self, *args: Any, accelerator: XcelBeside, **options: Any) -> None:
        self.accelerator = accelerator
        self._stood: tuple[Any, ...] = ()  # in the stages, a cycle ago
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

    def rest(self, until: int) -> None:
        """Leave out cycles, up to that one, in which M waits for the accelerator, and nothing else
        moves: not if what is fetched is still to come."""
        m, fetch = self.M, self.fetch
        if m is None or not m.is_xcel or self.closed:
            return
        stands = self.D, self.X, m, self.W, fetch.pc, fetch.due, fetch.overtaken
        stood, self._stood = self._stood, stands
        comes = max(fetch.due or 0, fetch.overtaken or 0)
        if len(stood) == len(stands) and all(map(is_, stood, stands)) and comes < self.cycle:
            cycles = min(self.accelerator.quiet(), until - self.cycle)
            if cycles > 0:
                self.accelerator.skip(cycles)
                self.cycle += cycles
