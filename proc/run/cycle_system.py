"""Runs programs on the cycle-level processor: no signals, the cycles of the hardware."""

from collections.abc import Callable
from typing import Any

from pymtl3 import Component

from proc.cl.accelerated import AcceleratedCL
from proc.cl.beside import DeviceBeside, XcelBeside
from proc.cl.interruptible import InterruptibleCL
from proc.cl.processor import ProcessorCL
from proc.cl.retire_trace import RetireTrace
from proc.cl.trace import LineTrace
from proc.run.system_run import Asked, RunsPrograms, SystemRun, check_entry, unfinished
from proc.run.timing import PORTS, Draws, Timing
from rtl.port.xcel import NullXcelRTL
from sim.trace_key import KEY, trace_key


class CycleSystem(RunsPrograms):
    """Runs ProcessorCL with the accelerator that mk_xcel() makes, reset before every run."""

    def __init__(self, mk_xcel: Callable[[], Component], divider: str) -> None:
        accelerator = mk_xcel()
        # The few lines of NullXcelPort stand for it, if nobody looks at its trace.
        self._is_null = isinstance(accelerator, NullXcelRTL)
        self._hold(XcelBeside(accelerator), divider)

    def run_asked(self, asked: Asked) -> SystemRun:
        """Run a program as PythonSystem does, with the same cycles and the same lines."""
        manager, timing, limit = asked.manager, asked.timing, asked.limit
        start = asked.image, manager, self._divider, asked.memory_size, timing.latency
        processor = self._processor(start, asked.on_line is not None)
        self.memory = processor.memory
        check_entry(asked.image)
        if asked.on_retire:
            processor.trace = RetireTrace(asked.on_retire)
        if asked.on_line:
            processor.on_cycle = LineTrace(processor, self._beside.line_trace, asked.on_line).show
        self._pass_cycles(processor, timing, limit)
        if not processor.closed:
            last = processor.last
            completed = (last.pc, last.word) if last else (0, 0)
            raise unfinished(limit, processor.completed, *completed)
        if processor.error is not None:
            raise processor.error
        windows = processor.statistics.windows
        return SystemRun(
            manager.exit_code, manager.reason, processor.cycle, processor.completed, windows
        )

    def trace_key(self) -> list[str]:
        """List what the parts of a line say of themselves."""
        return [*KEY, f"processor: {_shown_by(LineTrace.line)}", *self._key_beside()]

    def close(self) -> None:
        """Release what the simulation of the component holds."""
        self._beside.close()

    def _hold(self, beside: XcelBeside | DeviceBeside, divider: str) -> None:
        self.memory = bytearray()
        self.cycle = 0  # the one in which what on_retire tells is complete
        self._beside: Any = beside
        self._divider = divider

    def _key_beside(self) -> list[str]:
        return trace_key(self._beside.top)[len(KEY) :]

    def _processor(self, start: tuple[Any, ...], lines: bool) -> ProcessorCL:
        if self._is_null and not lines:
            return ProcessorCL(*start)
        self._beside.reset()
        return AcceleratedCL(*start, accelerator=self._beside)

    def _pass_cycles(self, processor: ProcessorCL, timing: Timing, limit: int) -> None:
        ports = processor.imem, processor.dmem, processor.get, processor.put
        draws = [(port, Draws(timing, i)) for i, port in zip(PORTS, ports, strict=True)]
        if timing.seed is None:
            draws = []  # every port is ready in every cycle
        rests = isinstance(processor, AcceleratedCL) and not draws and processor.on_cycle is None
        while processor.cycle <= processor.ends and (processor.cycle < limit or processor.closed):
            for port, drawn in draws:
                port.ready, port.latency = drawn.next()
            self.cycle = processor.cycle
            processor.step()
            if rests:
                processor.rest(limit)


class CycleBusSystem(CycleSystem):
    """Runs InterruptibleCL with the device that mk_device() makes, reset before every run."""

    def __init__(self, mk_device: Callable[[], Component], divider: str) -> None:
        self._hold(DeviceBeside(mk_device()), divider)

    def _processor(self, start: tuple[Any, ...], lines: bool) -> ProcessorCL:
        self._beside.reset()
        return InterruptibleCL(*start, device=self._beside)

    def _key_beside(self) -> list[str]:
        bridge = f"bridge: {_shown_by(DeviceBeside.bridge_trace)}"
        return [bridge, *(line.replace("all:", "device:", 1) for line in super()._key_beside())]


def _shown_by(line_trace: Callable[..., str]) -> str:
    """Return what the first sentence of its docstring says that it shows."""
    return " ".join((line_trace.__doc__ or "").removeprefix("Show ").split())
