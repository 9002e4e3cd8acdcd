"""A functional processor that is made to leave out one instruction of a program."""

from collections.abc import Callable
from dataclasses import replace

from fl.xcel import GO, READ, RESULT, WRITE, Registers
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import XcelPort
from proc.manager import Manager
from proc.programs.image import Image
from proc.retire import Stopped
from proc.run.functional_system import FunctionalSystem
from proc.run.system_run import Asked, SystemRun


class XcelAtOnce:
    """An accelerator whose results are there at once, behind the FL processor."""

    def __init__(self, registers: Registers):
        self._registers = registers

    def read(self, register: int) -> int:
        """Return the value of a register."""
        return self._registers.access(READ, register, 0)

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        self._registers.access(WRITE, register, value)


class XcelWrongOnce(XcelAtOnce):
    """One whose result number `wrong`, from 0, is wrong in its lowest bit."""

    def __init__(self, registers: Registers, wrong: int):
        super().__init__(registers)
        self._good = wrong + 1  # results, and the one that is not

    def read(self, register: int) -> int:
        """Return the value of a register."""
        value = super().read(register)
        if register == RESULT and self._good == 0:
            self._good = -1
            return value ^ 1
        return value

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        super().write(register, value)
        if register == GO and self._good > 0:
            self._good -= 1


class SkippingProcessor(ProcessorFL):
    """Does nothing in place of the instruction that it comes to when it has done `skipped`."""

    skipped: int

    def run(self, limit: int = 100_000_000) -> int:
        """Run until the manager is done, as ProcessorFL does."""
        try:
            return super().run(min(self.skipped, limit))
        except Stopped:
            if self.retired != self.skipped:
                raise
        self.pc += 4
        self.retired += 1
        return super().run(limit)


class SkippingSystem(FunctionalSystem):
    """Runs SkippingProcessor with the accelerator that mk_xcel() makes for each run, `limit`
    instructions at most, whatever is asked for."""

    def __init__(self, mk_xcel: Callable[[], XcelPort], skipped: int, limit: int):
        super().__init__(mk_xcel)
        self._skipped, self._limit = skipped, limit

    def run_asked(self, asked: Asked) -> SystemRun:
        """Run a program as FunctionalSystem does, but not for longer."""
        return super().run_asked(replace(asked, limit=self._limit))

    def _processor(self, image: Image, manager: Manager, memory_size: int) -> ProcessorFL:
        processor = SkippingProcessor(image, manager, self._mk_xcel(), memory_size)
        processor.skipped = self._skipped
        return processor
