"""Simulate a mapped netlist on a recorded workload: toggles of every net, by window."""

import ctypes
import hashlib
import os
import random
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from flow.gates.netlist import HIGH, OPEN, Kind, Netlist, NetlistError
from flow.gates.timing import Timing
from flow.workload import Workload
from sim.paths import build_dir
from sim.toolchain import compiler, run_tool

SOURCE = Path(__file__).with_name("simulate.cpp")
FLAGS = ("-std=c++17", "-O2", "-march=native", "-fPIC", "-shared", "-fvisibility=hidden")
TICKS = 10_000  # of a delay in a ns
SAME, DIFFERENT, UNSETTLED = range(3)
ANY = 2

_i64, _u32, _pointer = ctypes.c_int64, ctypes.c_uint32, ctypes.c_void_p


class Mismatch(Exception):
    """The netlist does not do what the RTL did."""


# The following structures mirror those of simulate.cpp.


class _Design(ctypes.Structure):
    _fields_ = [
        *((n, _i64) for n in ("nets", "gates", "levels", "registers", "inputs", "outputs")),
        *((n, _pointer) for n in ("table", "output", "level")),
        *((n, _pointer) for n in ("fanout_start", "fanout_gate", "fanout_pin", "delay")),
        *((n, _pointer) for n in ("data", "state", "state_delay")),
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
        *((n, _pointer) for n in ("value", "stimulus", "expected", "window")),
        *((n, _i64) for n in ("wrong_cycle", "wrong_output")),
        ("latest", _u32),
    ]


@dataclass(frozen=True)
class Activity:
    """What the nets did in a window: toggles, cycles at 1, and in `sampled` of its cycles the
    toggles without and with delays."""

    name: str
    cycles: int
    toggles: np.ndarray
    high: np.ndarray
    sampled: int
    sampled_toggles: np.ndarray
    delayed_toggles: np.ndarray


@dataclass(frozen=True)
class Simulated:
    """The windows, and when the last net settled in the sampled cycles, in ns after the edge."""

    windows: tuple[Activity, ...]
    latest: float


def simulate(
    netlist: Netlist, timing: Timing, workload: Workload, samples: int = 0, seed: int = 1
) -> Simulated:
    """Replay the workload; Mismatch tells the first output that differs from the RTL's.

    Registers start with pseudo-random bits. Of each window about `samples` cycles, evenly spread,
    are simulated with delays, too.
    """
    keep: list[np.ndarray] = []  # as long as the C++ code may use it

    def address(array: np.ndarray, kind: type) -> int:
        keep.append(np.ascontiguousarray(array, kind))
        return keep[-1].ctypes.data

    gates = timing.gates
    fanout = _fanout(netlist.nets, gates.inputs)
    registers = list(netlist.registers())
    data = [kind.nets[_data_pin(kind)] for kind in registers]
    state = [_state_nets(kind) for kind in registers]
    state_nets = np.concatenate(state) if state else np.zeros((0, 2), np.int64)
    inputs = _port_bits(timing, workload.inputs, False)
    outputs = _port_bits(timing, workload.outputs, True)
    input_nets = np.array([net for net, _, _ in inputs], np.int64)

    design = _Design(
        nets=netlist.nets,
        gates=len(gates.outputs),
        levels=gates.depth,
        registers=len(state_nets),
        inputs=len(inputs),
        outputs=len(outputs),
        table=address(gates.tables, np.uint64),
        output=address(gates.outputs, np.int64),
        level=address(gates.levels, np.int64),
        fanout_start=address(fanout[0], np.int64),
        fanout_gate=address(fanout[1], np.int64),
        fanout_pin=address(fanout[2], np.uint8),
        delay=address(_ticks(timing.gate_delays), np.uint32),
        data=address(np.concatenate(data) if data else np.zeros(0), np.int64),
        state=address(state_nets, np.int64),
        state_delay=address(_ticks(timing.register_delays), np.uint32),
        input=address(input_nets, np.int64),
        input_delay=address(_ticks(timing.arrival[input_nets]), np.uint32),
        out=address(np.array([net for net, _, _ in outputs]), np.int64),
    )
    windows = [
        _window(begin, end, samples, netlist.nets, keep) for begin, end in workload.windows.values()
    ]
    structures = (_Window * len(windows))(*(window for window, _ in windows))
    run = _Run(
        cycles=workload.cycles,
        windows=len(windows),
        value=address(_start(netlist.nets, state_nets, seed), np.uint8),
        stimulus=address(workload.bits([(p, i) for _, p, i in inputs]), np.uint8),
        expected=address(workload.expected([(p, i) for _, p, i in outputs], ANY), np.uint8),
        window=ctypes.addressof(structures),
    )
    outcome = _library().gates_run(ctypes.byref(design), ctypes.byref(run))
    if outcome == DIFFERENT:
        _, port, bit = outputs[run.wrong_output]
        raise Mismatch(workload.difference(run.wrong_cycle, port, bit))
    if outcome == UNSETTLED:
        raise AssertionError("with delays a cycle ends in another state than without")
    found = (
        Activity(name, end - begin, arrays[0], arrays[1], window.sampled, *arrays[2:])
        for (name, (begin, end)), window, (_, arrays) in zip(
            workload.windows.items(), structures, windows, strict=True
        )
    )
    return Simulated(tuple(found), run.latest / TICKS)


def _window(
    begin: int, end: int, samples: int, nets: int, keep: list[np.ndarray]
) -> tuple[_Window, list[np.ndarray]]:
    """A window's structure and the arrays that it counts in."""
    arrays = [np.zeros(nets, np.uint32) for _ in range(4)]
    keep += arrays
    every = max(1, (end - begin) // samples) if samples else 0
    return _Window(begin, end, every, *(array.ctypes.data for array in arrays)), arrays


def _ticks(delays: np.ndarray) -> np.ndarray:
    """Whole ticks, one at least."""
    return np.maximum(np.rint(delays * TICKS), 1)


def _fanout(nets: int, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each net where its gates begin; the gates and their pins."""
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
    """The nets of the register's state and of its inverse; a column each."""
    nets = np.full((len(kind.cells), 2), OPEN)
    for pin in kind.cell.outputs:
        nets[:, kind.cell.states.index(kind.cell.pins[pin].function)] = kind.nets[pin]
    return nets


def _start(nets: int, state_nets: np.ndarray, seed: int) -> np.ndarray:
    """Nets at 0, those of registers at random."""
    values = np.zeros(nets, np.uint8)
    values[HIGH] = 1
    rng = random.Random(seed)
    for state, inverse in state_nets:
        bit = rng.getrandbits(1)
        if state != OPEN:
            values[state] = bit
        if inverse != OPEN:
            values[inverse] = 1 - bit
    return values


def _port_bits(timing: Timing, names: list[str], output: bool) -> list[tuple[int, str, int]]:
    """(net, port, bit) of the ports of a direction but for the clock; the workload has names."""
    ports = [
        port
        for port in timing.netlist.ports.values()
        if port.output == output and port.nets != (timing.clock,)
    ]
    if missing := sorted({port.name for port in ports} - set(names)):
        raise Mismatch(f"the workload does not say what port {missing[0]} does")
    return [(net, port.name, bit) for port in ports for bit, net in enumerate(port.nets)]


@cache
def _library() -> ctypes.CDLL:
    """The compiled simulator, built once for its source and the compiler."""
    tool = compiler()
    key = hashlib.sha256("\0".join([SOURCE.read_text(), tool.version, *FLAGS]).encode())
    target = build_dir("gates") / f"simulate-{key.hexdigest()[:16]}.so"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".building-") as folder:
            made = Path(folder) / target.name
            run_tool([tool.path, *FLAGS, SOURCE, "-o", made])
            os.replace(made, target)
    return ctypes.CDLL(str(target))
