"""Sum up what the nets of a mapped netlist do in each cycle of many traces."""

import ctypes
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from flow.gates import simulator
from flow.gates.coupling import Coupled
from flow.gates.mapped import OPEN
from flow.gates.simulator import FLAGS, Prepared
from flow.gates.timing import Timing
from flow.netlist import HIGH
from sim.build_cache import kept
from sim.paths import build_dir
from sim.toolchain import compiler, run_tool

SOURCE = Path(__file__).with_suffix(".cpp")
FASTER = ("-O3",)
MOST = 255  # toggles of a net in a cycle, so that sums of squares hold
CYCLES_A_CALL = 1 << 8  # between calls Python sees an interrupt: seconds for a large netlist
FINE, TOO_MANY = range(2)

_i64, _pointer = ctypes.c_int64, ctypes.c_void_p


class _Batch(ctypes.Structure):
    """Mirrors Batch in traces.cpp, field by field."""

    _fields_ = [
        *((n, _i64) for n in ("cycles", "traces", "length", "delays")),
        *((n, _i64) for n in ("cycle", "until", "most")),
        *((n, _pointer) for n in ("stimulus", "seen", "begin", "group", "weight")),
        *((n, _pointer) for n in ("total", "sum", "square")),
    ]


class _Couplings(ctypes.Structure):
    """Mirrors Couplings in traces.cpp, field by field."""

    _fields_ = [(n, _pointer) for n in ("start", "other", "energy", "apart")]


class TooManyToggles(Exception):
    """A net toggles more often in a cycle than is counted."""


@dataclass(frozen=True)
class Summed:
    """Of some traces: the outputs, a row per cycle; the weights of all toggles, by trace and cycle;
    each net's toggles and their squares, by group, cycle and net."""

    seen: np.ndarray
    totals: np.ndarray
    sums: np.ndarray
    squares: np.ndarray


class Traces(Prepared):
    """A netlist that runs on and on: its registers keep what they hold from one run to the next."""

    def __init__(
        self,
        timing: Timing,
        inputs: list[int],
        outputs: list[int],
        weights: np.ndarray,
        delays: bool,
        start: np.random.Generator,
        coupled: Coupled | None = None,
    ) -> None:
        """Each net's toggle has a weight; with `delays` a net toggles as often as the gates' delays
        make it, else once in a cycle at most. Registers start with random bits. What nets take that
        are `coupled` is known with delays only."""
        super().__init__(timing, inputs, outputs)
        self.weights, self.delays = np.ascontiguousarray(weights, float), delays
        values = np.zeros(self.nets, np.uint8)
        values[HIGH] = 1
        bits = start.integers(0, 2, len(self.state_nets), np.uint8)
        for nets, state in zip(self.state_nets.T, (bits, 1 - bits), strict=True):
            values[nets[nets != OPEN]] = state[nets != OPEN]
        self.library = _library()
        self.handle = self.library.traces_new(
            ctypes.byref(self._design), values.ctypes.data, self._couplings(coupled)
        )

    def _couplings(self, coupled: Coupled | None) -> Any:
        if coupled is None:
            return None
        firsts, address = coupled.pairs[:, 0], self._address
        return ctypes.byref(
            _Couplings(
                start=address(np.searchsorted(firsts, np.arange(self.nets + 1)), np.int64),
                other=address(coupled.pairs[:, 1], np.int64),
                energy=address(coupled.energy, np.float64),
                apart=address(np.maximum(np.rint(coupled.apart * simulator.TICKS), 1), np.uint32),
            )
        )

    def sums(
        self,
        stimulus: np.ndarray,
        begins: Sequence[int],
        length: int,
        groups: Sequence[int],
        by_net: bool = True,
    ) -> Summed:
        """Go on by this stimulus, and sum up traces of so many cycles that begin at these, one
        after another, of groups 0 and 1. Sums by net are empty unless they are wanted."""
        stimulus = np.ascontiguousarray(stimulus, np.uint8)
        begin = np.array(begins, np.int64)
        group = np.array(groups, np.uint8)
        seen = np.zeros((len(stimulus), len(self.outputs)), np.uint8)
        totals = np.zeros((len(begin), length))
        sums, squares = np.zeros((2, 2, length if by_net else 0, self.nets), np.uint32)
        batch = _Batch(
            cycles=len(stimulus),
            traces=len(begin),
            length=length,
            delays=int(self.delays),
            most=MOST,
            stimulus=stimulus.ctypes.data,
            seen=seen.ctypes.data,
            begin=begin.ctypes.data,
            group=group.ctypes.data,
            weight=self.weights.ctypes.data,
            total=totals.ctypes.data,
            sum=sums.ctypes.data if by_net else None,
            square=squares.ctypes.data if by_net else None,
        )
        for cycle in range(0, batch.cycles, CYCLES_A_CALL):
            batch.cycle, batch.until = cycle, min(cycle + CYCLES_A_CALL, batch.cycles)
            if self.library.traces_run(self.handle, ctypes.byref(batch)) == TOO_MANY:
                raise TooManyToggles(f"a net toggles more than {MOST} times in a cycle")
        return Summed(seen, totals, sums, squares)

    def close(self) -> None:
        """Free the simulation."""
        self.library.traces_delete(self.handle)


@cache
def _library() -> ctypes.CDLL:
    """Compile the simulation, once for its source and the compiler, and load it."""
    tool, flags = compiler(), (*FLAGS, *FASTER)
    texts = [path.read_text() for path in (SOURCE, simulator.SOURCE)]
    key = hashlib.sha256("\0".join([*texts, tool.version, *flags]).encode()).hexdigest()

    def compiled(work: Path) -> Path:
        made = work / "traces.so"
        run_tool([tool.path, *flags, SOURCE, "-o", made])
        return made

    library = ctypes.CDLL(str(kept(build_dir("gates") / f"traces-{key[:16]}.so", compiled)))
    library.traces_new.restype = _pointer
    library.traces_new.argtypes = [_pointer, _pointer, _pointer]
    library.traces_run.argtypes = [_pointer, _pointer]
    library.traces_delete.argtypes = [_pointer]
    return library
