"""Hand the compiled simulator a netlist as its C++ code takes it, and take what it counts."""

import ctypes
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from flow.gates.mapped import OPEN, Kind, NetlistError
from flow.gates.timing import Timing
from flow.netlist import HIGH
from sim.build_cache import kept
from sim.paths import build_dir
from sim.toolchain import compiler, run_tool

SOURCE = Path(__file__).with_suffix(".cpp")
FLAGS = ("-std=c++17", "-O2", "-march=native", "-fPIC", "-shared", "-fvisibility=hidden")
TICKS = 10_000  # of a delay in a ns
DONE, UNSETTLED = range(2)

_i64, _u32, _pointer = ctypes.c_int64, ctypes.c_uint32, ctypes.c_void_p


# The following structures mirror those of simulator.cpp.


class _Design(ctypes.Structure):
    _fields_ = [
        *((n, _i64) for n in ("nets", "gates", "levels", "registers", "clock_gates")),
        *((n, _i64) for n in ("inputs", "outputs")),
        *((n, _pointer) for n in ("table", "output", "level")),
        *((n, _pointer) for n in ("fanout_start", "fanout_gate", "fanout_pin", "delay")),
        *((n, _pointer) for n in ("data", "enable", "state", "state_delay")),
        *((n, _pointer) for n in ("gated", "opener")),
        *((n, _pointer) for n in ("input", "input_delay", "out")),
    ]


class _Window(ctypes.Structure):
    _fields_ = [
        *((n, _i64) for n in ("begin", "end", "every")),
        *((n, _pointer) for n in ("toggles", "high", "sampled_toggles", "delayed_toggles")),
        ("sampled", _i64),
    ]


class _Run(ctypes.Structure):
    _fields_ = [
        *((n, _i64) for n in ("cycles", "windows")),
        *((n, _pointer) for n in ("value", "stimulus", "seen", "window", "last")),
        ("latest", _u32),
    ]


class Activity:
    """What each net does in a window of cycles [begin, end): its toggles, and the cycles in which
    it settles at 1; in about `samples` cycles, evenly spread, toggles without and with delays."""

    def __init__(self, name: str, begin: int, end: int, samples: int, nets: int) -> None:
        self.name, self.cycles = name, end - begin
        self.sampled = 0  # how many cycles were, once they are simulated
        counts = np.zeros((4, nets), np.uint32)
        self.toggles, self.high, self.sampled_toggles, self.delayed_toggles = counts
        every = max(1, self.cycles // samples) if samples else 0
        self.structure = _Window(begin, end, every, *(row.ctypes.data for row in counts))


@dataclass(frozen=True)
class Outcome:
    """What a simulation ends in: the outputs, a row per cycle; what each register takes with the
    edge after the last; when the last net settled in the sampled cycles, ns."""

    seen: np.ndarray
    last: np.ndarray
    latest: float


class Prepared:
    """A netlist as the C++ code takes it."""

    def __init__(self, timing: Timing, inputs: list[int], outputs: list[int]) -> None:
        netlist = timing.netlist
        self._keep: list[np.ndarray] = []  # as long as the C++ code may use it
        self.nets, self.outputs = netlist.nets, outputs
        gates, address = timing.gates, self._address
        starts, fanout_gates, fanout_pins = _fanout(netlist.nets, gates.inputs)
        registers = list(netlist.registers())
        data = [kind.nets[_data_pin(kind)] for kind in registers]
        enables = [timing.clocks.enables_of(kind) for kind in registers]
        state = [_state_nets(kind) for kind in registers]
        self.state_nets = np.concatenate([np.zeros((0, 2), np.int64), *state])
        numbers = np.concatenate([np.zeros(0, np.int64), *(kind.cells for kind in registers)])
        self.registers = [netlist.instances[number].name for number in numbers]
        self._design = _Design(
            nets=netlist.nets,
            gates=len(gates.outputs),
            levels=gates.depth,
            registers=len(self.state_nets),
            clock_gates=len(timing.clocks.gated),
            inputs=len(inputs),
            outputs=len(outputs),
            table=address(gates.tables, np.uint64),
            output=address(gates.outputs, np.int64),
            level=address(gates.levels, np.int64),
            fanout_start=address(starts, np.int64),
            fanout_gate=address(fanout_gates, np.int64),
            fanout_pin=address(fanout_pins, np.uint8),
            delay=address(_ticks(timing.gate_delays), np.uint32),
            data=address(np.concatenate([np.zeros(0), *data]), np.int64),
            enable=address(np.concatenate([np.zeros(0), *enables]), np.int64),
            state=address(self.state_nets, np.int64),
            state_delay=address(_ticks(timing.register_delays), np.uint32),
            gated=address(timing.clocks.gated, np.int64),
            opener=address(timing.clocks.enables, np.int64),
            input=address(np.array(inputs), np.int64),
            input_delay=address(_ticks(timing.arrival[inputs]), np.uint32),
            out=address(np.array(outputs), np.int64),
        )

    def _address(self, array: np.ndarray, kind: type) -> int:
        self._keep.append(np.ascontiguousarray(array, kind))
        return self._keep[-1].ctypes.data

    def run(self, stimulus: np.ndarray, bits: np.ndarray, windows: list[Activity]) -> Outcome:
        """Simulate with registers that start with these bits, and fill in the windows."""
        values = np.zeros(self.nets, np.uint8)
        values[HIGH] = 1
        for column, start in enumerate((bits, 1 - bits)):
            used = self.state_nets[:, column] != OPEN
            values[self.state_nets[used, column]] = start[used]
        stimulus = np.ascontiguousarray(stimulus)
        seen = np.zeros((len(stimulus), len(self.outputs)), np.uint8)
        last = np.zeros(len(self.state_nets), np.uint8)
        structures = (_Window * len(windows))(*(window.structure for window in windows))
        run = _Run(
            cycles=len(stimulus),
            windows=len(windows),
            value=values.ctypes.data,
            stimulus=stimulus.ctypes.data,
            seen=seen.ctypes.data,
            window=ctypes.addressof(structures),
            last=last.ctypes.data,
        )
        if _library().gates_run(ctypes.byref(self._design), ctypes.byref(run)) == UNSETTLED:
            raise AssertionError("with delays a cycle ends in another state than without")
        for window, structure in zip(windows, structures, strict=True):
            window.sampled = structure.sampled
        return Outcome(seen, last, run.latest / TICKS)


def _ticks(delays: np.ndarray) -> np.ndarray:
    """Round delays to whole ticks, one at least."""
    return np.maximum(np.rint(delays * TICKS), 1)


def _fanout(nets: int, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the gates and pins that nets drive, one net after another; where each net begins."""
    gate, pin = np.nonzero(inputs != OPEN)
    net = inputs[gate, pin]
    order = np.argsort(net, kind="stable")
    return np.searchsorted(net[order], np.arange(nets + 1)), gate[order], pin[order]


def _data_pin(kind: Kind) -> str:
    cell = kind.cell
    if cell.next_state not in cell.inputs:
        raise NetlistError(f"register {cell.name} computes its next state: not simulated")
    return cell.next_state


def _state_nets(kind: Kind) -> np.ndarray:
    """Find the nets of each register's state and of its inverse; a column each."""
    nets = np.full((len(kind.cells), 2), OPEN)
    for pin in kind.cell.outputs:
        nets[:, kind.cell.states.index(kind.cell.pins[pin].function)] = kind.nets[pin]
    return nets


@cache
def _library() -> ctypes.CDLL:
    """Compile the simulator, once for its source and the compiler, and load it."""
    tool = compiler()
    key = hashlib.sha256("\0".join([SOURCE.read_text(), tool.version, *FLAGS]).encode())

    def compiled(work: Path) -> Path:
        made = work / "simulate.so"
        run_tool([tool.path, *FLAGS, SOURCE, "-o", made])
        return made

    target = build_dir("gates") / f"simulate-{key.hexdigest()[:16]}.so"
    return ctypes.CDLL(str(kept(target, compiled)))
