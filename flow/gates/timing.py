"""Find loads, slews, arrival times and cell delays of a netlist, from the Liberty tables.

As OpenSTA has it: a cell drives the inputs from the clock edge on, outputs drive a load, wires are
the library's wire load, the clock is ideal, gated or not, and of several arcs the slowest counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from flow.gates.cells import Arc
from flow.gates.clocks import read_clocks
from flow.gates.levels import read_gates
from flow.gates.liberty_tables import TableBank
from flow.gates.mapped import OPEN, Kind, MappedNetlist
from flow.netlist import HIGH

RISE, FALL = range(2)
INPUT_EDGES = {"positive_unate": ((0,), (1,)), "negative_unate": ((1,), (0,))}


@dataclass(frozen=True)
class _Arcs:
    """Stretches from an edge at a cell's input to one at its output, a row each."""

    source: np.ndarray  # 2 * net + edge
    target: np.ndarray
    delay: np.ndarray  # table numbers
    slew: np.ndarray
    level: np.ndarray
    place: np.ndarray  # where the delay belongs: 2 * (6 * gate + pin) + edge, or register's


class Timing:
    """The timing of a netlist: `load` (fF), `slew` and `arrival` (ns, by edge) of nets; delays of
    cells."""

    def __init__(
        self,
        netlist: MappedNetlist,
        clock_port: str = "clk",
        wires: Mapping[int, float] | None = None,
    ) -> None:
        """`wires` gives the fF of wires by the numbers of nets, instead of the library's model."""
        self.netlist, self.library = netlist, netlist.library
        self.gates = read_gates(netlist)
        self.clocks = read_clocks(netlist, clock_port)
        self.bank = TableBank()
        self.load = self._loads(wires)
        self.slew = np.zeros((netlist.nets, 2))
        self.arrival = np.zeros((netlist.nets, 2))
        self._drive_inputs()
        gates = len(self.gates.outputs)
        registers = sum(len(kind.cells) for kind in netlist.registers())
        delays = np.zeros(2 * 6 * gates + 2 * 2 * registers)
        self._propagate(self._arcs(), delays)
        # In ns: of each gate by input pin and output edge, of each register by output (first,
        # second pin) and edge.
        self.gate_delays = delays[: 12 * gates].reshape(gates, 6, 2)
        self.register_delays = delays[12 * gates :].reshape(registers, 2, 2)

    @property
    def latest(self) -> float:
        """When the last net settles, in ns after the clock edge."""
        return float(self.arrival.max())

    @property
    def clock(self) -> int | None:
        """The net of the clock port."""
        return self.clocks.port

    def _loads(self, wires: Mapping[int, float] | None) -> np.ndarray:
        load, fanout = np.zeros(self.netlist.nets), self.netlist.loads.copy()
        for kind in self.netlist.kinds.values():
            for pin in kind.cell.inputs:
                np.add.at(load, kind.nets[pin], kind.cell.pins[pin].capacitance)
        for port in self.netlist.ports.values():
            if port.output:
                np.add.at(load, list(port.nets), self.library.technology.outside.load_ff)
                np.add.at(fanout, list(port.nets), 1)
        self.wire = self.library.wire_load.capacitances(fanout)
        for net, capacitance in (wires or {}).items():
            self.wire[net] = capacitance
        load += self.wire
        load[: HIGH + 1] = 0
        return load

    def _drive_inputs(self) -> None:
        """Set the slew and delay that the driving cell gives to what comes in."""
        ports = [p for p in self.netlist.ports.values() if not p.output]
        nets = np.array([n for p in ports for n in p.nets if n != self.clock], np.int64)
        cell = self.library[self.library.technology.outside.driving_cell]
        [arc] = cell.pins[cell.outputs[0]].arcs
        zero = np.zeros(len(nets))
        for edge, delay, slew in arc.edges():
            numbers = np.full(len(nets), self.bank.add(delay))
            unloaded = self.bank.look_up(numbers, zero, zero)
            loaded = self.bank.look_up(numbers, zero, self.load[nets])
            self.arrival[nets, edge] = loaded - unloaded
            numbers = np.full(len(nets), self.bank.add(slew))
            self.slew[nets, edge] = self.bank.look_up(numbers, zero, self.load[nets])

    def _arcs(self) -> _Arcs:
        rows: list[tuple[np.ndarray, ...]] = []
        start = 0
        for kind, pin in self.netlist.gates():
            count = len(kind.cells)
            numbers = np.arange(start, start + count)
            start += count
            for arc in kind.cell.pins[pin].arcs:
                column = kind.cell.inputs.index(arc.related)
                places = 12 * numbers + 2 * column
                rows += self._rows(kind, pin, arc, self.gates.levels[numbers] + 1, places)
        start *= 12
        for kind in self.netlist.registers():
            count = len(kind.cells)
            for place, pin in enumerate(kind.cell.outputs):
                places = start + 4 * np.arange(count) + 2 * place
                for arc in kind.cell.pins[pin].arcs:
                    rows += self._rows(kind, pin, arc, np.zeros(count, np.int64), places)
            start += 4 * count
        if not rows:
            rows = [tuple(np.zeros(0, np.int64) for _ in range(6))]
        return _Arcs(*(np.concatenate(column) for column in zip(*rows, strict=True)))

    def _rows(
        self, kind: Kind, pin: str, arc: Arc, levels: np.ndarray, places: np.ndarray
    ) -> Iterator[tuple[np.ndarray, ...]]:
        """List the arc's stretches, where its output is connected."""
        used = kind.nets[pin] != OPEN
        nets, related = kind.nets[pin][used], kind.nets[arc.related][used]
        causes = ((RISE,), (RISE,)) if arc.clocked else INPUT_EDGES.get(arc.sense, ((0, 1),) * 2)
        for edge, delay, slew in arc.edges():
            numbers = [np.full(len(nets), self.bank.add(table)) for table in (delay, slew)]
            for cause in causes[edge]:
                yield (
                    2 * related + cause,
                    2 * nets + edge,
                    *numbers,
                    levels[used],
                    places[used] + edge,
                )

    def _propagate(self, arcs: _Arcs, delays: np.ndarray) -> None:
        """Pass slews and arrivals on from level to level."""
        slew, arrival = self.slew.reshape(-1), self.arrival.reshape(-1)
        order = np.argsort(arcs.level, kind="stable")
        ends = np.searchsorted(arcs.level[order], np.arange(self.gates.depth + 2))
        for begin, end in zip(ends, ends[1:], strict=False):
            rows = order[begin:end]
            source, target = arcs.source[rows], arcs.target[rows]
            load = self.load[target // 2]
            delay = self.bank.look_up(arcs.delay[rows], slew[source], load)
            np.maximum.at(slew, target, self.bank.look_up(arcs.slew[rows], slew[source], load))
            np.maximum.at(arrival, target, arrival[source] + delay)
            np.maximum.at(delays, arcs.place[rows], delay)
