"""Runs programs on a processor system in PyMTL3's simulator: line traces, waveforms, any level."""

from pathlib import Path

from pymtl3 import Component

from proc.manager import Manager
from proc.retire import Access, Retire
from proc.run.memory import MemoryPort, Outside
from proc.run.system_run import (
    CYCLES_TO_RETIRE,
    SYSTEM,
    Asked,
    RunsPrograms,
    SystemRun,
    Window,
    check_entry,
    error_of,
    outside,
    starved,
    unfinished,
)
from proc.run.timing import DMEM, IMEM, MNGR2PROC, PROC2MNGR, Draws, Timing
from sim.handshake import Offers
from sim.python import PythonEngine


class PythonSystem(RunsPrograms):
    """Runs one ProcessorSystem with trace ports, prepared once and reset before every run."""

    def __init__(self, system: Component, vcd: Path | None = None):
        self.top = system
        self.memory = bytearray()
        self._engine = PythonEngine(system, "mngr2proc", "proc2mngr", vcd, SYSTEM)

    def run_asked(self, asked: Asked) -> SystemRun:
        """Run a program, cycle by cycle."""
        self.memory = asked.image.memory(asked.memory_size)
        check_entry(asked.image)
        world = _World(self.top, self.memory, asked.manager, asked.timing)
        self._engine.reset()
        while world.cycle < asked.limit and not world.ended:
            world.drive()
            self._engine.settle()
            if asked.on_line:
                asked.on_line(f"{world.cycle:6}: {self.top.line_trace()}")
            if asked.on_retire and self.top.retire.val:
                asked.on_retire(_retired(self.top))
            world.observe()
            self._engine.edge()
        if not world.ended:
            raise unfinished(asked.limit, world.instructions, *world.completed)
        return world.result()

    def close(self) -> None:
        """Release what the simulation holds."""
        self._engine.close()


class _World:
    """Plays what is around the processor during a run: memory and manager; and counts."""

    def __init__(self, top: Component, memory: bytearray, manager: Manager, timing: Timing):
        self.top, self.manager, self.size = top, manager, len(memory)
        self.cycle = self.instructions = 0
        self.completed = 0, 0  # pc and word of the last instruction
        self.windows: list[Window] = []
        self._window = [0, 0]
        self._stats = False
        self._imem = MemoryPort(top.imem, memory, timing, IMEM, fetches=True)
        self._dmem = MemoryPort(top.dmem, memory, timing, DMEM, fetches=False)
        self._get, self._put = Draws(timing, MNGR2PROC), Draws(timing, PROC2MNGR)
        # Not imem.req: a jump redirects a fetch that waits.
        streams = {"dmem.req": top.dmem.req, "proc2mngr": top.proc2mngr}
        self._offers = [Offers(SYSTEM, name, port) for name, port in streams.items()]
        self._last: int | None = None  # the cycle after which the run is over
        self._error: Exception | None = None

    @property
    def ended(self) -> bool:
        return self._last is not None and self.cycle > self._last

    def drive(self) -> None:
        top, inputs = self.top, self.manager.inputs
        self._imem.drive(self.cycle)
        self._dmem.drive(self.cycle)
        top.mngr2proc.val @= self._get.next()[0] and bool(inputs)
        top.mngr2proc.msg @= inputs[0] & 0xFFFFFFFF if inputs else 0
        top.proc2mngr.rdy @= self._put.next()[0] and self._last is None

    def observe(self) -> None:
        top = self.top
        if top.retire.val:
            self.completed = int(top.retire.pc), int(top.retire.word)
        self._count(bool(top.retire.val), bool(top.stats_en))
        if self._last is None:
            current = tuple(int(v) for v in (top.current.pc, top.current.word, top.current.address))
            if top.error:
                self._end(0, error_of(*current, self.size))
            elif top.mngr2proc.rdy and not self.manager.inputs:
                self._end(0, starved())
            else:
                self._transfer(current)
        self.cycle += 1

    def _transfer(self, current: tuple[int, int, int]) -> None:
        top = self.top
        for offers in self._offers:
            offers.see(self.cycle)
        self._imem.observe(self.cycle)
        try:
            self._dmem.observe(self.cycle)
        except Outside:
            self._end(1, outside(*current))  # in the next cycle all before it are complete
        if top.mngr2proc.val and top.mngr2proc.rdy:
            self.manager.inputs.popleft()
        if top.proc2mngr.val and top.proc2mngr.rdy:
            self.manager.receive(int(top.proc2mngr.msg))
            if self.manager.done:
                self._end(CYCLES_TO_RETIRE, None)

    def _end(self, cycles: int, error: Exception | None) -> None:
        self._last, self._error = self.cycle + cycles, error

    def _count(self, retires: bool, stats: bool) -> None:
        self.instructions += retires
        if stats:
            self._window[0] += 1
            self._window[1] += retires and self._stats
        elif self._stats:
            self.windows.append(Window(*self._window))
            self._window = [0, 0]
        self._stats = stats

    def result(self) -> SystemRun:
        if self._error:
            raise self._error
        manager = self.manager
        return SystemRun(
            manager.exit_code, manager.reason, self.cycle, self.instructions, self.windows
        )


def _retired(top: Component) -> Retire:
    port = top.retire
    access = None
    if port.mem:
        size = 1 << (int(port.word) >> 12 & 3)
        access = Access(bool(port.write), int(port.addr), size, int(port.data))
    rd = int(port.rd) if port.wen else 0
    return Retire(int(port.pc), int(port.word), rd, int(port.value), access)
