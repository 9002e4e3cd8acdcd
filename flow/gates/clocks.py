"""The clocks of a netlist: its port, and the nets behind clock gates with what opens them."""

from dataclasses import dataclass

import numpy as np

from flow.gates.mapped import OPEN, Kind, MappedNetlist, NetlistError
from flow.netlist import HIGH


@dataclass(frozen=True)
class Clocks:
    """A netlist's clocks: the port's net (None without one), gated clocks' nets, their enables'."""

    port: int | None
    gated: np.ndarray
    enables: np.ndarray

    def enables_of(self, registers: Kind) -> np.ndarray:
        """Find the net that is 1 when a register is clocked; that of constant 1 without a gate."""
        clocks = registers.nets[registers.cell.clock_pin]
        found = np.full(len(clocks), HIGH)
        for net, enable in zip(self.gated, self.enables, strict=True):
            found[clocks == net] = enable
        return found


def read_clocks(netlist: MappedNetlist, port_name: str) -> Clocks:
    """Find the clocks of a netlist; NetlistError unless each register is clocked by the port, or by
    a gate of the port's clock that clocks registers only."""
    port = netlist.ports.get(port_name)
    clock = port.nets[0] if port else None
    gated, enables = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for kind in netlist.clock_gates():
        if (kind.nets[kind.cell.clock_pin] != clock).any():
            raise NetlistError(f"a clock gate's clock is not the port {port_name} itself")
        [output] = kind.cell.outputs
        used = kind.nets[output] != OPEN
        gated.append(kind.nets[output][used])
        enables.append(kind.nets[kind.cell.enable][used])
    found = Clocks(clock, np.concatenate(gated), np.concatenate(enables))
    pins = np.zeros(netlist.nets, np.int64)
    for kind in netlist.registers():
        at = kind.nets[kind.cell.clock_pin]
        if not np.isin(at, [OPEN if clock is None else clock, *found.gated]).all():
            raise NetlistError(f"a register's clock is not the port {port_name}, gated or not")
        np.add.at(pins, at, 1)
    outputs = [net for p in netlist.ports.values() if p.output for net in p.nets]
    if (pins != netlist.loads)[found.gated].any() or np.isin(found.gated, outputs).any():
        raise NetlistError("a gated clock goes to more than registers")
    return found
