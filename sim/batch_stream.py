"""The batch runner of val/rdy units: whole requests in, responses and their cycles out."""

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pymtl3 import Component

from sim.batch import BatchModel
from sim.handshake import HandshakeError, changed, depends, fell
from sim.transfers import (
    DRAIN_CYCLES,
    TRACE_LINES,
    SimulationTimeout,
    SpuriousResponse,
    Stalls,
    Transfer,
    pack_requests,
)
from sim.translate import Translation, port_name
from sim.verilate import stored_bytes

LOOP = Path(__file__).parent / "stream_loop.cpp"
CYCLES_A_CALL = 1 << 20  # between calls Python sees an interrupt
TRACED_A_CALL = 1 << 10
NEVER = 1 << 40  # probes after which there are no more
OUTCOMES = range(8)
DONE, MORE, SPURIOUS, VAL_FELL, MSG_CHANGED, RDY_ON_VAL, VAL_ON_RDY, MSG_ON_RDY = OUTCOMES
DEPENDS = {RDY_ON_VAL: ("rdy", "val"), VAL_ON_RDY: ("val", "rdy"), MSG_ON_RDY: ("msg", "rdy")}

_u64 = ctypes.c_uint64
_waits = ctypes.POINTER(ctypes.c_uint32)
_times = ctypes.POINTER(ctypes.c_uint64)


class StreamRun(ctypes.Structure):
    """Mirrors StreamRun in stream_loop.cpp, field by field."""

    _fields_ = [
        ("requests", ctypes.c_char_p),
        ("request_waits", _waits),
        ("response_waits", _waits),
        ("count", _u64),
        ("request_period", _u64),
        ("response_period", _u64),
        ("responses", ctypes.c_void_p),
        ("accepted", _times),
        ("arrived", _times),
        ("trace", ctypes.c_void_p),
        ("traced", _u64),
        ("cycle", _u64),
        ("until", _u64),
        ("sent", _u64),
        ("received", _u64),
        ("request_wait", _u64),
        ("response_wait", _u64),
        ("waits", _u64),
        ("probes", _u64),
    ]


class BatchEngine:
    """Runs a BatchModel behind the stream loop.

    probed: whether some cycles are driven otherwise for a moment, as sim/handshake.py says.
    """

    DEFAULT_MAX_CYCLES = 200_000_000

    def __init__(
        self,
        design: Component | Translation,
        recv: str,
        send: str,
        vcd: Path | None,
        name: str,
        signals: bool = False,
    ) -> None:
        self.name = name
        self.model = BatchModel(design, LOOP, {"recv": recv, "send": send}, vcd, signals)
        self.model.lib.stream_drain.restype = _u64
        self.held: dict[str, int] = {}  # inputs beside the interfaces, and what stands there
        self.probed = True
        self._streams = recv, send
        self._request = self.model.ports[port_name(f"{recv}.msg")][1]
        self._response = self.model.ports[port_name(f"{send}.msg")][1]

    def reset(self) -> None:
        """Hold reset with idle inputs; the next settle is cycle 0."""
        self.model.reset()
        for name, value in self.held.items():
            self.model.poke(name, value)

    def close(self) -> None:
        """Delete the model and finish its VCD."""
        self.model.close()

    def run(
        self,
        requests: Sequence[Any],
        stalls: Stalls,
        max_cycles: int,
        trace: Callable[[str], None] | None,
    ) -> list[Transfer]:
        """Reset, send every request, return one transfer per response, in order."""
        run = self.begin(requests, stalls)
        traced_from = 0 if trace else max(0, max_cycles - TRACE_LINES)
        count = run.count
        last: list[str] = []
        outcome = MORE
        while outcome == MORE and run.cycle < max_cycles:
            outcome, lines = self._advance(run, max_cycles, traced_from)
            last = [*last, *lines][-TRACE_LINES:]
            if trace:
                for line in lines:
                    trace(line)
        if outcome == MORE:
            done = run.received
            waits = run.accepted[done] if done < run.sent else None
            raise SimulationTimeout(
                self.name, count, run.cycle, last, waits, self.transfers(run, done)
            )
        if outcome == SPURIOUS:
            raise SpuriousResponse(self.name, run.received + 1, run.sent, run.cycle)
        late = self.model.lib.stream_drain(self.model.handle, _u64(DRAIN_CYCLES))
        if late < DRAIN_CYCLES:
            raise SpuriousResponse(self.name, count + 1, count, run.cycle + late)
        return self.transfers(run)

    def begin(self, requests: Sequence[Any], stalls: Stalls) -> StreamRun:
        """Reset, and prepare a run of these requests; its first cycle is 0."""
        packed = pack_requests(self.name, requests, self._request.nbits)
        count, size = len(packed), stored_bytes(self._request)
        responses = ctypes.create_string_buffer(count * stored_bytes(self._response))
        run = StreamRun(
            requests=b"".join(v.to_bytes(size, "little") for v in packed),
            request_waits=(ctypes.c_uint32 * len(stalls.request))(*stalls.request),
            response_waits=(ctypes.c_uint32 * len(stalls.response))(*stalls.response),
            count=count,
            request_period=len(stalls.request),
            response_period=len(stalls.response),
            responses=ctypes.addressof(responses),
            accepted=(_u64 * count)(),
            arrived=(_u64 * count)(),
            request_wait=stalls.request[0],
            response_wait=stalls.response[0],
            probes=0 if self.probed else NEVER,
        )
        run.kept = responses  # which the run has as an address only
        self.reset()
        return run

    def advance(self, run: StreamRun, until: int, traced: bool) -> tuple[int, bytes]:
        """Go on to cycle `until`, or to the last response; the outcome, and what the ports did in
        each of the cycles if they are `traced`: records as of BatchModel.record_bytes;
        HandshakeError where a rule is broken."""
        run.until, run.traced = until, traced
        buffer = ctypes.create_string_buffer(
            max(1, self.model.record_bytes * (until - run.cycle)) if traced else 1
        )
        run.trace = ctypes.addressof(buffer)
        outcome = self.model.lib.stream_run(self.model.handle, ctypes.byref(run))
        if outcome > SPURIOUS:
            raise self._broken(run, outcome)
        return outcome, buffer.raw[: run.trace - ctypes.addressof(buffer)]

    def _advance(self, run: StreamRun, max_cycles: int, traced_from: int) -> tuple[int, list[str]]:
        """Call the loop once; return its outcome and the trace lines of the cycles that passed."""
        start, traced = run.cycle, run.cycle >= traced_from
        until = start + TRACED_A_CALL if traced else min(traced_from, start + CYCLES_A_CALL)
        outcome, raw = self.advance(run, min(max_cycles, until), traced)
        size = self.model.record_bytes
        return outcome, [
            f"{start + i:5}: {self.model.describe(raw[i * size : (i + 1) * size])}"
            for i in range(len(raw) // size)
        ]

    def transfers(self, run: StreamRun, count: int | None = None) -> list[Transfer]:
        """List what changed hands in a run that is done, or so many transfers."""
        raw = run.kept.raw
        return [
            Transfer(self._kept(raw, i), run.accepted[i], run.arrived[i])
            for i in range(run.count if count is None else count)
        ]

    def _kept(self, raw: bytes, number: int) -> int:
        """Return a response of a run."""
        size = stored_bytes(self._response)
        return int.from_bytes(raw[number * size : (number + 1) * size], "little")

    def _broken(self, run: StreamRun, outcome: int) -> HandshakeError:
        """Say which rule was broken in the cycle in which a run ended."""
        (recv, send), done = self._streams, run.received
        if outcome == VAL_FELL:
            return fell(self.name, send, run.cycle, done)
        if outcome == MSG_CHANGED:
            values = self._kept(run.kept.raw, done), self.model.peek(f"{send}.msg")
            return changed(self.name, send, run.cycle, values, done)
        signal, on = DEPENDS[outcome]
        if signal == "rdy":
            return depends(self.name, recv, signal, on, run.cycle, run.sent)
        return depends(self.name, send, signal, on, run.cycle, done)
