"""Runs a PyMTL3 component in PyMTL3's own simulator, through its val/rdy ports."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from pymtl3 import Component, DefaultPassGroup, mk_bits
from pymtl3.datatypes import is_bitstruct_inst
from pymtl3.passes.sim.DynamicSchedulePass import DynamicSchedulePass
from pymtl3.passes.sim.GenDAGPass import GenDAGPass
from pymtl3.passes.sim.PrepareSimPass import PrepareSimPass
from pymtl3.passes.sim.SimpleTickPass import SimpleTickPass
from pymtl3.passes.sim.WrapGreenletPass import WrapGreenletPass
from pymtl3.passes.tracing.LineTraceParamPass import LineTraceParamPass
from pymtl3.passes.tracing.VcdGenerationPass import VcdGenerationPass

import fl.widebits  # noqa: F401
from sim.transfers import (
    DRAIN_CYCLES,
    RESET_CYCLES,
    TRACE_LINES,
    SimulationTimeout,
    SpuriousResponse,
    Stalls,
    Transfer,
    pack,
    pack_requests,
)
from sim.verilated import replace_texts


class Passes(DefaultPassGroup):
    """Prepares a simulation as PyMTL3 does, but keeps no record of method calls, which is cleared
    in every cycle: line traces here show none."""

    def __call__(s, top: Component) -> None:
        if s.vcdwave:
            top.set_metadata(VcdGenerationPass.vcd_file_name, s.vcdwave)
        for prepare in (LineTraceParamPass, GenDAGPass, WrapGreenletPass, DynamicSchedulePass):
            prepare()(top)
        VcdGenerationPass()(top)
        PrepareSimPass(print_line_trace=False)(top)


def half_cycles(
    component: Component, vcd: Path | None = None
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Prepare a component for simulation; return what lets it settle, and what is its clock edge.

    PyMTL3's sim_tick evaluates before and after the edge, which blocks that must run once per
    cycle (those of FL and CL components) do not allow to be driven from outside. Here the
    inputs are driven first, every block runs once, the outputs are read, the clock rises.
    """
    if not component._dsl.constructed:
        component.elaborate()
    replace_texts(component)
    if vcd is not None:
        vcd.parent.mkdir(parents=True, exist_ok=True)
    wave = None if vcd is None else str(vcd.with_suffix(""))  # PyMTL3 adds .vcd
    component.apply(Passes(vcdwave=wave))
    edge_blocks = PrepareSimPass(print_line_trace=False).collect_ff_funcs(component)
    settle = SimpleTickPass.gen_tick_function(component._sched.update_schedule)
    return settle, SimpleTickPass.gen_tick_function(edge_blocks)


class PythonEngine:
    """Runs one component by half cycles: settle, then edge."""

    DEFAULT_MAX_CYCLES = 1_000_000

    def __init__(
        self, component: Component, recv: str, send: str, vcd: Path | None, name: str
    ) -> None:
        self.name = name
        self.top = component
        self.settle, self.edge = half_cycles(component, vcd)
        self.recv = reduce(getattr, recv.split("."), component)
        self.send = reduce(getattr, send.split("."), component)
        self._idle = self.recv.msg.clone()
        self._driven: Any = None  # the message at the port
        # Cycles in which nothing happens are left out, but not of waveforms.
        self._quiet = getattr(component, "quiet", None) if vcd is None else None
        self._open = True

    def reset(self) -> None:
        """Hold reset with idle inputs; the next settle is cycle 0."""
        if not self._open:
            raise ValueError(f"{self.name}: the simulation is closed")
        self._driven = None  # somebody else may have written to the port
        self._drive(False, False, self._idle)
        self.top.reset @= 1
        for _ in range(RESET_CYCLES):
            self.settle()
            self.edge()
        self.top.reset @= 0

    def run(
        self,
        requests: Sequence[Any],
        stalls: Stalls,
        max_cycles: int,
        trace: Callable[[str], None] | None,
    ) -> list[Transfer]:
        """Reset, send every request, return one transfer per response, in order."""
        messages = self._messages(requests)
        self.reset()
        recv, send = self.recv, self.send
        wait_in, wait_out = stalls.request[0], stalls.response[0]
        accepted: list[int] = []
        done: list[Transfer] = []
        last: deque[str] = deque(maxlen=TRACE_LINES)
        cycle = 0
        while len(done) < len(messages):
            if cycle >= max_cycles:
                raise SimulationTimeout(self.name, len(done), len(messages), cycle, last)
            valid = len(accepted) < len(messages) and wait_in == 0
            ready = wait_out == 0
            self._drive(valid, ready, messages[len(accepted)] if valid else self._idle)
            self.settle()
            if trace is not None or cycle >= max_cycles - TRACE_LINES:
                last.append(f"{cycle:5}: {self.line_trace()}")
                if trace is not None:
                    trace(last[-1])
            if valid and recv.rdy:
                accepted.append(cycle)
                wait_in = stalls.request[len(accepted) % len(stalls.request)]
            elif wait_in:
                wait_in -= 1
            if ready and send.val:
                number = len(done)
                if number >= len(accepted):
                    raise SpuriousResponse(self.name, number + 1, len(accepted), cycle)
                done.append(Transfer(pack(send.msg), accepted[number], cycle))
                wait_out = stalls.response[len(done) % len(stalls.response)]
            elif wait_out:
                wait_out -= 1
            self.edge()
            cycle += 1
            if self._quiet is not None and trace is None:
                skipped = min(self._quiet(), max_cycles - TRACE_LINES - cycle)
                if skipped > 0:
                    self.top.skip(skipped)
                    cycle += skipped
                    wait_in, wait_out = max(0, wait_in - skipped), max(0, wait_out - skipped)
        self._drain(len(messages), cycle)
        return done

    def line_trace(self) -> str:
        """Return the component's own trace, or that of its two interfaces."""
        if hasattr(self.top, "line_trace"):
            return str(self.top.line_trace())
        return f"{self.recv} > {self.send}"

    def close(self) -> None:
        """Unload an imported component's library; a second call does nothing."""
        if self._open and hasattr(self.top, "finalize"):
            self.top.finalize()
        self._open = False

    def _drive(self, valid: bool, ready: bool, message: Any) -> None:
        self.recv.val @= valid
        self.send.rdy @= ready
        if message is not self._driven:  # a wide message takes long to write
            self.recv.msg @= message
            self._driven = message

    def _drain(self, wanted: int, cycle: int) -> None:
        for late in range(DRAIN_CYCLES):
            self._drive(False, True, self._idle)
            self.settle()
            if self.send.val:
                raise SpuriousResponse(self.name, wanted + 1, wanted, cycle + late)
            self.edge()

    def _messages(self, requests: Sequence[Any]) -> list[Any]:
        as_bits = mk_bits(self._idle.nbits)
        packed = [as_bits(v) for v in pack_requests(self.name, requests, self._idle.nbits)]
        if is_bitstruct_inst(self._idle):
            return [type(self._idle).from_bits(bits) for bits in packed]
        return packed
