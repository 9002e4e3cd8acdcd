"""Runs programs on a Verilated processor system with its memory: millions of cycles per second."""

import ctypes
from array import array
from collections.abc import Callable
from pathlib import Path
from struct import Struct

from pymtl3 import Component

from proc.retire import Access, Retire
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
from proc.run.timing import DEPTH, DMEM, IMEM, MNGR2PROC, PROC2MNGR, Timing
from sim.batch import BatchModel
from sim.handshake import HandshakeError, changed, fell
from sim.translate import Translation

LOOP = Path(__file__).with_name("system_loop.cpp")
INTERFACES = {
    **{"imem_req": "imem.req", "imem_resp": "imem.resp"},
    **{"dmem_req": "dmem.req", "dmem_resp": "dmem.resp"},
    **{"get": "mngr2proc", "put": "proc2mngr", "retire": "retire", "current": "current"},
}
CYCLES_A_CALL = 1 << 22  # between calls Python sees an interrupt
RECORDS_A_CALL = 1 << 14
PORTS_A_CALL = 1 << 10
WINDOWS_A_CALL = 64
OUTCOMES = range(7)
MORE, OUTPUT, ERROR, STARVED, OUTSIDE, DMEM_CHANGED, PUT_CHANGED = OUTCOMES
RETIRED = Struct("5I4B")

_u32, _u64 = ctypes.c_uint32, ctypes.c_uint64


# The following structures mirror those of system_loop.cpp.


class _Draws(ctypes.Structure):
    _fields_ = [("state", _u32), ("longest", _u32), ("latency", _u32)]


class _Answer(ctypes.Structure):
    _fields_ = [("due", _u64), ("data", _u32), ("padding", _u32)]


class _Port(ctypes.Structure):
    _fields_ = [("draws", _Draws), ("waiting", _u32), ("answers", _Answer * DEPTH)]


class _Window(ctypes.Structure):
    _fields_ = [("cycles", _u64), ("instructions", _u64)]


class _Offered(ctypes.Structure):
    _fields_ = [("waits", _u32), ("msg", _u32 * 3)]


class _Run(ctypes.Structure):
    _fields_ = [
        ("memory", ctypes.c_void_p),
        ("memory_size", _u64),
        ("inputs", ctypes.c_void_p),
        ("inputs_left", _u64),
        ("retired", ctypes.c_void_p),
        ("retired_count", _u64),
        ("retired_space", _u64),
        ("windows", ctypes.c_void_p),
        ("window_count", _u64),
        ("window_space", _u64),
        ("window", _Window),
        ("cycle", _u64),
        ("until", _u64),
        ("instructions", _u64),
        ("imem", _Port),
        ("dmem", _Port),
        ("get", _Draws),
        ("put", _Draws),
        ("stats", _u32),
        ("ending", _u32),
        ("output", _u32),
        ("pc", _u32),
        ("word", _u32),
        ("address", _u32),
        ("padding", _u32),
        ("dmem_offered", _Offered),
        ("put_offered", _Offered),
        ("ports", ctypes.c_void_p),
    ]


class BatchSystem(RunsPrograms):
    """Runs one ProcessorSystem with trace ports behind the C++ loop, reset before every run."""

    tells = ("on_retire", "on_ports")

    def __init__(self, system: Component | Translation, vcd: Path | None = None):
        self.memory = bytearray()
        self._model = BatchModel(system, LOOP, INTERFACES, vcd)
        self._records = ctypes.create_string_buffer(RETIRED.size * RECORDS_A_CALL)
        self._windows = (_Window * WINDOWS_A_CALL)()

    def run_asked(self, asked: Asked) -> SystemRun:
        """Run a program as PythonSystem does, with the same cycles."""
        manager, timing, on_retire = asked.manager, asked.timing, asked.on_retire
        self.memory = asked.image.memory(asked.memory_size)
        check_entry(asked.image)
        memory = (ctypes.c_char * asked.memory_size).from_buffer(self.memory)
        inputs = array("I", (word & 0xFFFFFFFF for word in manager.inputs))
        run = _Run(
            memory=ctypes.addressof(memory),
            memory_size=asked.memory_size,
            inputs=inputs.buffer_info()[0],
            inputs_left=len(inputs),
            retired=ctypes.addressof(self._records) if on_retire else None,
            retired_space=RECORDS_A_CALL,
            windows=ctypes.addressof(self._windows),
            window_space=WINDOWS_A_CALL,
            imem=_Port(draws=_draws(timing, IMEM)),
            dmem=_Port(draws=_draws(timing, DMEM)),
            get=_draws(timing, MNGR2PROC),
            put=_draws(timing, PROC2MNGR),
        )
        windows: list[Window] = []
        self._model.reset()
        outcome = MORE
        while outcome == MORE and run.cycle < asked.limit:
            outcome = self._advance(run, asked.limit, windows, on_retire, asked.on_ports)
            if outcome == OUTPUT:
                manager.receive(run.output)
                outcome = OUTPUT if manager.done else MORE
        for _ in range(len(inputs) - run.inputs_left):
            manager.inputs.popleft()
        if outcome in (DMEM_CHANGED, PUT_CHANGED):
            raise self._changed(run, outcome)
        if outcome == MORE:
            raise unfinished(asked.limit, run.instructions, run.pc, run.word)
        self._finish(run, outcome, windows, on_retire)
        return SystemRun(manager.exit_code, manager.reason, run.cycle, run.instructions, windows)

    @property
    def model(self) -> BatchModel:
        """Return what is simulated, with its ports."""
        return self._model

    def close(self) -> None:
        """Delete the model and finish its VCD."""
        self._model.close()

    def _advance(
        self,
        run: _Run,
        limit: int,
        windows: list[Window],
        on_retire: Callable[[Retire], None] | None,
        on_ports: Callable[[bytes], None] | None = None,
    ) -> int:
        run.until = min(limit, run.cycle + (PORTS_A_CALL if on_ports else CYCLES_A_CALL))
        run.retired_count = run.window_count = 0
        size = self._model.record_bytes * PORTS_A_CALL if on_ports else 0
        ports = ctypes.create_string_buffer(size) if on_ports else None
        run.ports = start = ctypes.addressof(ports) if on_ports else None
        outcome = self._model.lib.system_run(self._model.handle, ctypes.byref(run))
        if on_ports:
            on_ports(ports.raw[: run.ports - start])
        windows += [Window(w.cycles, w.instructions) for w in self._windows[: run.window_count]]
        if on_retire:
            recorded = memoryview(self._records)[: RETIRED.size * run.retired_count]
            for fields in RETIRED.iter_unpack(recorded):
                on_retire(_retired(*fields))
        return outcome

    def _changed(self, run: _Run, outcome: int) -> HandshakeError:
        """Say what became of a message that was offered and not taken."""
        is_memory = outcome == DMEM_CHANGED
        name = "dmem.req" if is_memory else "proc2mngr"
        before = run.dmem_offered if is_memory else run.put_offered
        if not self._model.peek(f"{name}.val"):
            return fell(SYSTEM, name, run.cycle)
        words = before.msg if is_memory else before.msg[:1]
        was = sum(word << 32 * i for i, word in enumerate(words))
        return changed(SYSTEM, name, run.cycle, (was, self._model.peek(f"{name}.msg")))

    def _finish(
        self,
        run: _Run,
        outcome: int,
        windows: list[Window],
        on_retire: Callable[[Retire], None] | None,
    ) -> None:
        """Let what lacks its last stages only retire; raise what ended the run."""
        if outcome == ERROR:
            raise error_of(run.pc, run.word, run.address, run.memory_size)
        if outcome == STARVED:
            raise starved()
        error = outside(run.pc, run.word, run.address)
        run.ending = 1
        cycles = CYCLES_TO_RETIRE if outcome == OUTPUT else 1
        self._advance(run, run.cycle + cycles, windows, on_retire)
        if outcome == OUTSIDE:
            raise error


def _draws(timing: Timing, port: int) -> _Draws:
    return _Draws(state=timing.start(port), longest=timing.latency)


def _retired(
    pc: int, word: int, value: int, addr: int, data: int, rd: int, mem: int, write: int, _: int
) -> Retire:
    access = Access(bool(write), addr, 1 << (word >> 12 & 3), data) if mem else None
    return Retire(pc, word, rd, value, access)
