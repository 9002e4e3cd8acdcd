"""The power of a netlist by parts, by the flow's model and by OpenSTA, of the same toggles."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import CLOCK_TOGGLES, HALF, Nets, PowerModel
from flow.gates.timing import Timing
from flow.netlist import Netlist

MW = 1e-3  # of a fJ in a ns
INTERNAL, SWITCHING, LEAKAGE = range(3)  # as OpenSTA tells them of a cell
ONE_INPUT = 1


class Parts:
    """A netlist whose cells are told apart by what decides their power."""

    def __init__(self, netlist: Netlist, library: Path, clock_ns: float) -> None:
        mapped = MappedNetlist(netlist, Library(library))
        self.timing = Timing(mapped)
        self.model, self.clock_ns = PowerModel(self.timing, clock_ns), clock_ns
        self.names = [cell.name for cell in netlist.instances]
        count = len(self.names)
        self.registers, self.single = np.zeros(count, bool), np.zeros(count, bool)
        for kind in mapped.kinds.values():
            self.registers[kind.cells] = bool(kind.cell.next_state)
            self.single[kind.cells] = len(kind.cell.inputs) == ONE_INPUT
        self.fed = self._fed(netlist)

    def _fed(self, netlist: Netlist) -> np.ndarray:
        """Tell which gates an input port or a constant reaches without a register between."""
        kinds = self.timing.netlist.kinds
        driven = {net for port in netlist.ports.values() if not port.output for net in port.nets}
        reached = driven - {self.timing.clock}
        fed = np.zeros(len(self.names), bool)
        gates = [
            (number, cell, [cell.pins[p] for p in kinds[cell.master].cell.inputs])
            for number, cell in enumerate(netlist.instances)
            if not self.registers[number]
        ]
        while True:
            new = [
                (number, cell)
                for number, cell, inputs in gates
                if not fed[number] and (not inputs or reached.intersection(inputs))
            ]
            if not new:
                return fed
            for number, cell in new:
                fed[number] = True
                outputs = kinds[cell.master].cell.outputs
                reached |= {cell.pins[pin] for pin in outputs if pin in cell.pins}

    def compared(
        self, nets: Nets, again: Mapping[str, np.ndarray]
    ) -> Iterator[tuple[str, float, float | None]]:
        """List parts with the mW of the flow and those of OpenSTA, which leaves the clock's net to
        whoever drives it."""
        scale = MW / (nets.cycles * self.clock_ns)
        found = self.model.energies(nets)
        ours = {name: found[name] * scale for name in ("internal", "switching", "clock", "leakage")}
        theirs = np.array([again[name] for name in self.names])
        net = HALF * self.timing.load[self.timing.clock] * self.timing.library.voltage**2
        clock_net = float(net * CLOCK_TOGGLES * MW / self.clock_ns)
        inside = ours["internal"] + ours["clock"]
        gates = ~self.registers & ~self.single

        def row(name: str, ours: np.ndarray, column: int, chosen: np.ndarray) -> tuple:
            return name, float(ours[chosen].sum()), float(theirs[chosen, column].sum())

        yield row("switching, behind registers", ours["switching"], SWITCHING, ~self.fed)
        yield row("switching, behind inputs", ours["switching"], SWITCHING, self.fed)
        yield row("internal, inverters and buffers", inside, INTERNAL, self.single)
        yield row("internal, other gates", inside, INTERNAL, gates)
        name, registers, again_registers = row("", inside, INTERNAL, self.registers)
        yield "internal, registers", registers - clock_net, again_registers
        yield row("leakage", ours["leakage"], LEAKAGE, np.ones_like(self.fed))
        yield "net of the clock", clock_net, None
