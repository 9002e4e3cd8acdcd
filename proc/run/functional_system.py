"""Runs programs on the functional processor, as the RTL systems do but without time."""

from collections.abc import Callable

from proc.fl.bus_processor import BusProcessorFL, Device
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import NullXcel, XcelPort
from proc.manager import Manager
from proc.programs.image import Image
from proc.run.system_run import Asked, RunsPrograms, SystemRun, Window


class FunctionalSystem(RunsPrograms):
    """Runs ProcessorFL with the accelerator that mk_xcel() makes for each run."""

    def __init__(self, mk_xcel: Callable[[], XcelPort]):
        self._mk_xcel = mk_xcel
        self.memory = bytearray()

    def run_asked(self, asked: Asked) -> SystemRun:
        """Run a program as PythonSystem does, but `limit` is of instructions, a line is of one.

        `timing` has no effect.
        """
        manager = asked.manager
        processor = self._processor(asked.image, manager, asked.memory_size)
        self.memory = processor.memory
        if asked.on_retire or asked.on_line:
            while not manager.done and processor.retired < asked.limit:
                retired = processor.step()
                if asked.on_retire:
                    asked.on_retire(retired)
                if asked.on_line:
                    asked.on_line(str(retired))
        processor.run(asked.limit)
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
