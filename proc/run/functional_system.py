"""Runs programs on the functional processor, as the RTL systems do but without time."""

from collections.abc import Callable

from proc.fl.bus_processor import BusProcessorFL, Device
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import NullXcel, XcelPort
from proc.manager import Manager
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import Retire
from proc.run.system_run import DEFAULT_LIMIT, SystemRun, Window
from proc.run.timing import FAST, Timing


class FunctionalSystem:
    """Runs ProcessorFL with the accelerator that mk_xcel() makes for each run."""

    def __init__(self, mk_xcel: Callable[[], XcelPort]):
        self._mk_xcel = mk_xcel
        self.memory = bytearray()

    def run(
        self,
        image: Image,
        manager: Manager,
        timing: Timing = FAST,
        limit: int = DEFAULT_LIMIT,
        memory_size: int = DEFAULT_MEMORY,
        on_retire: Callable[[Retire], None] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> SystemRun:
        """Run a program as PythonSystem.run does, but `limit` is of instructions, a line is of one.

        `timing` has no effect.
        """
        processor = self._processor(image, manager, memory_size)
        self.memory = processor.memory
        if on_retire or on_line:
            while not manager.done and processor.retired < limit:
                retired = processor.step()
                if on_retire:
                    on_retire(retired)
                if on_line:
                    on_line(str(retired))
        processor.run(limit)
        windows = [Window(0, end - start) for start, end in processor.windows]
        return SystemRun(manager.exit_code, manager.reason, 0, processor.retired, windows)

    def _processor(self, image: Image, manager: Manager, memory_size: int) -> ProcessorFL:
        return ProcessorFL(image, manager, self._mk_xcel(), memory_size)

    def close(self) -> None:
        """Do nothing, as nothing is held."""


class FunctionalBusSystem(FunctionalSystem):
    """Runs BusProcessorFL with the device that mk_device() makes for each run."""

    def __init__(self, mk_device: Callable[[], Device]):
        super().__init__(NullXcel)
        self._mk_device = mk_device

    def _processor(self, image: Image, manager: Manager, memory_size: int) -> ProcessorFL:
        return BusProcessorFL(image, manager, self._mk_device(), memory_size)
