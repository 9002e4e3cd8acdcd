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
from sim.handshake import Offers, depends, probes_in
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


REPEATED = 200  # cycles of a run that may be repeated


class PythonEngine:
    """Runs one component by half cycles: settle, then edge.

    probed: whether some cycles are driven otherwise for a moment, as sim/handshake.py says.
    """

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
        self._streams = recv, send
        self.probed = True
        # Blocks that must run once per cycle cannot be probed within one: the run is repeated.
        self._once = self._repeats = bool(component.get_all_update_once())
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
        offers = Offers(self.name, self._streams[1], send)
        accepted: list[int] = []
        done: list[Transfer] = []
        driven: list[tuple[bool, bool, Any]] = []
        probes = 0
        last: deque[str] = deque(maxlen=TRACE_LINES)
        cycle = 0
        while len(done) < len(messages):
            if cycle >= max_cycles:
                waits = accepted[len(done)] if len(done) < len(accepted) else None
                raise SimulationTimeout(self.name, len(messages), cycle, last, waits, done)
            valid = len(accepted) < len(messages) and wait_in == 0
            ready = wait_out == 0
            message = messages[len(accepted)] if valid else self._idle
            self._drive(valid, ready, message)
            self.settle()
            if trace is not None or cycle >= max_cycles - TRACE_LINES:
                last.append(f"{cycle:5}: {self.line_trace()}")
                if trace is not None:
                    trace(last[-1])
            offers.see(cycle, len(done))
            taken, answered = bool(valid and recv.rdy), bool(ready and send.val)
            if self._once:
                driven += [(valid, ready, message)] * (len(driven) < REPEATED)
            elif self.probed and probes_in(cycle, taken or answered, probes):
                self._probe(cycle, valid, ready, len(accepted), len(done))
                probes += 1
            if taken:
                accepted.append(cycle)
                wait_in = stalls.request[len(accepted) % len(stalls.request)]
            elif wait_in:
                wait_in -= 1
            if answered:
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
                    driven += driven[-1:] * min(skipped, REPEATED - len(driven))
                    wait_in, wait_out = max(0, wait_in - skipped), max(0, wait_out - skipped)
        self._drain(len(messages), cycle)
        if self._repeats and done[0].arrived < len(driven):
            self._repeat(driven, done[0])
            self._repeats = False
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

    def _probe(self, cycle: int, valid: bool, ready: bool, sent: int, received: int) -> None:
        """Drive a settled cycle without its val, then with the other rdy, then as it was;
        HandshakeError if an output follows that may not."""
        recv, send = self.recv, self.send
        was_ready, offers = bool(recv.rdy), bool(send.val)
        message = pack(send.msg) if offers else None
        if valid:
            recv.val @= False
            self.settle()
            if bool(recv.rdy) != was_ready:
                raise depends(self.name, self._streams[0], "rdy", "val", cycle, sent)
            recv.val @= True
        send.rdy @= not ready
        self.settle()
        self._compare(offers, message, cycle, received)
        send.rdy @= ready
        self.settle()

    def _repeat(self, driven: Sequence[tuple[bool, bool, Any]], first: Transfer) -> None:
        """Repeat a run up to the cycle of its first request without that val, and up to that of
        its first response without that rdy; HandshakeError if an output follows that may not."""
        for cycle, taken in ((first.accepted, False), (first.arrived, True)):
            self.reset()
            for inputs in driven[:cycle]:
                self._drive(*inputs)
                self.settle()
                self.edge()
            valid, ready, message = driven[cycle]
            self._drive(valid and taken, ready and not taken, message)
            self.settle()
            if taken:
                self._compare(True, first.response, cycle, 0)
            elif not self.recv.rdy:
                raise depends(self.name, self._streams[0], "rdy", "val", cycle, 0)
            self.edge()

    def _compare(self, offers: bool, message: int | None, cycle: int, received: int) -> None:
        """Raise HandshakeError unless val and message are as with the other rdy."""
        if bool(self.send.val) != offers:
            raise depends(self.name, self._streams[1], "val", "rdy", cycle, received)
        if offers and pack(self.send.msg) != message:
            raise depends(self.name, self._streams[1], "msg", "rdy", cycle, received)

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
