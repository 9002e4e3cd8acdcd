"""Traces of an accelerator at gates: the toggles of its nets, weighted by their capacitance.

Without glitches a net toggles once in a cycle at most. With them gates have their delays, and nets
toggle as often as their inputs make them; a pulse shorter than a gate's delay does not get through.
After layout they do so, too, and wires side by side take more or less by what both do.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from eval.catalog.point import Point
from eval.foreign.given import host_says
from eval.tasks.leakage.levels import DELAYED, GATES, LAYOUT
from eval.tasks.leakage.netlists import OfGates, mapped
from eval.tasks.leakage.operations import Operands
from eval.tasks.leakage.rtl import LIMIT, PartSums, check_answers, messages_of, usual
from eval.tasks.port import PORTS
from eval.tasks.unit import ACCELERATOR, OnStep, translation
from flow.gates.traces import TooManyToggles, Traces
from rtl.foreign.host import PORT
from sim.batch_stream import DONE, BatchEngine
from sim.errors import RunError, UserError
from sim.transfers import RESET_CYCLES, Stalls
from sim.translate import Port
from sim.verilate import stored_bytes

AT_ONCE = 100  # traces between which random bits go on, but one operation is not counted
BYTES = 1 << 30  # of which nets toggle in the cycles of the traces that are simulated at once
CHANGED = 4  # bytes of it for each net and cycle: half of the nets toggle
HALF = 0.5

Bits = dict[str, np.ndarray]  # of each port, a row per cycle


class _Running(BatchEngine):
    """Is reset once, so that a source of random bits in the design goes on from run to run."""

    begun = False

    def reset(self) -> None:
        """Hold reset before the first run."""
        if not self.begun:
            super().reset()
        self.begun = True


def _netlist(point: Point, level: str, on_step: OnStep) -> OfGates:
    if level != LAYOUT:
        return mapped(point, on_step)
    from eval.tasks.leakage.layouts import laid_out

    return laid_out(point, on_step)


class GateTraces:
    """Measures traces of so many cycles on a point's mapped netlist, which is fed what the ports
    of its RTL do, and must answer the same; keeps the sums of its nets' toggles, if it is to,
    `by_part`."""

    def __init__(
        self,
        point: Point,
        cycles: int,
        on_step: OnStep,
        level: str = GATES,
        by_part: bool = True,
    ) -> None:
        self.point, self.cycles, self.by_part = point, cycles, by_part
        found = _netlist(point, level, on_step)
        timing, names = found.timing, found.names
        self.nets = timing.netlist.nets
        self.names = [names.get(net, str(net)) for net in range(self.nets)]
        self.energies = HALF * timing.load * timing.library.voltage**2  # fJ of a toggle
        self.at_once = max(1, min(AT_ONCE, BYTES // (CHANGED * self.nets * cycles)))
        self.engine = _Running(translation(point, ACCELERATOR), *PORTS, None, str(point))
        ports = [port for _, port in self.engine.model.ports.values() if port.name != "clk"]
        self.inputs, self.outputs = (
            [port for port in ports if port.direction == way] for way in ("input", "output")
        )
        inputs, outputs = (
            [net for port in some for net in timing.netlist.ports[port.name].nets]
            for some in (self.inputs, self.outputs)
        )
        start = np.random.default_rng(1)
        self.design = Traces(
            *(timing, inputs, outputs, self.energies, level in DELAYED, start, found.coupled)
        )
        self.clear()

    def clear(self) -> None:
        """Forget the nets' sums."""
        self.parts = PartSums()

    def measure(self, drawn: Iterable[tuple[int, Operands]]) -> tuple[np.ndarray, np.ndarray]:
        """Return the traces of operations, in fJ, and their groups; answers are checked."""
        groups, operands = zip(*drawn, strict=True)
        rows = [
            self._measure(operands[at : at + self.at_once], groups[at : at + self.at_once])
            for at in range(0, len(operands), self.at_once)
        ]
        return np.concatenate(rows), np.array(groups)

    def _measure(self, operands: Sequence[Operands], groups: Sequence[int]) -> np.ndarray:
        """Go on with the operations, and one that does not count, so that the last trace has all
        its cycles; the first that ever run follow one, too."""
        reset = 0 if self.engine.begun else RESET_CYCLES
        first = operands[:1] if reset else ()
        begins, bits = self._recorded((*first, *operands, operands[0]), reset)
        # What an edge changes is of the cycle that it ends, as at RTL.
        counted = [begin + 1 for begin in begins[len(first) : -1]]
        try:
            found = self.design.sums(
                _joined(bits, self.inputs), counted, self.cycles, groups, self.by_part
            )
        except TooManyToggles as error:
            raise RunError(f"{self.point}: {error}") from None
        self._check(bits, found.seen, reset)
        if self.by_part:
            self.parts.add(found.sums, found.squares, np.array(groups))
        return found.totals

    def _recorded(self, operands: Sequence[Operands], reset: int) -> tuple[list[int], Bits]:
        """Run the RTL on, with pauses of a trace's length: where the operations begin, and what its
        ports do, behind so many cycles of reset."""
        self._give(operands)
        messages = [messages_of(self.point.nbits, one) for one in operands]
        each = len(messages[0])
        apart = Stalls("apart", (self.cycles, *[0] * (each - 1)), (0,))
        run = self.engine.begin([message for one in messages for message in one], apart)
        limit = len(operands) * (self.cycles + LIMIT * usual(self.point))
        outcome, raw = self.engine.advance(run, limit, True)
        if outcome != DONE:
            raise RunError(f"{self.point}: no answer in {limit} cycles")
        answers = [transfer.response for transfer in self.engine.transfers(run)]
        for i, one in enumerate(operands):
            check_answers(self.point, one, answers[i * each : (i + 1) * each])
        records = np.frombuffer(raw, np.uint8).reshape(-1, self.engine.model.record_bytes)
        records = np.concatenate([np.zeros_like(records[:reset]), records])
        bits, at = {}, 0
        for _, port in self.engine.model.ports.values():
            own = records[:, at : at + stored_bytes(port)]
            bits[port.name] = np.unpackbits(own, axis=1, bitorder="little")[:, : port.nbits]
            at += stored_bytes(port)
        bits["reset"][:reset] = 1
        return [reset + int(run.accepted[i * each]) for i in range(len(operands))], bits

    def _give(self, operands: Sequence[Operands]) -> None:
        """Let the host's constants stand, if a core of others gets any: they must be those of all
        the operations."""
        if PORT not in self.engine.model.ports:
            return
        model = self.point.entry.at(self.point.nbits)
        says = {host_says(model, base, mod) for base, _, mod in operands}
        says.update(self.engine.held.values())
        if len(says) > 1:
            raise UserError(
                f"design: the host gives {self.point} constants that depend on the base, which "
                "this test cannot change from trace to trace; let the core find them"
            )
        self.engine.held = {PORT: says.pop()}

    def _check(self, bits: Bits, seen: np.ndarray, begin: int) -> None:
        """Raise RunError unless the netlist's outputs are the RTL's from a cycle on; a message
        counts while it is valid."""
        at = 0
        for port in self.outputs:
            own = seen[:, at : at + port.nbits]
            at += port.nbits
            differ = (own != bits[port.name]).any(axis=1)
            interface, _, field = port.name.rpartition("__")
            if field == "msg":
                differ &= bits[f"{interface}__val"][:, 0] == 1
            if differ[begin:].any():
                cycle = begin + int(differ[begin:].argmax())
                raise RunError(f"{self.point}: in cycle {cycle} {port.name} is not that of the RTL")

    def close(self) -> None:
        """End the simulation."""
        self.engine.close()
        self.design.close()


def _joined(bits: Bits, ports: Sequence[Port]) -> np.ndarray:
    return np.concatenate([bits[port.name] for port in ports], axis=1)
